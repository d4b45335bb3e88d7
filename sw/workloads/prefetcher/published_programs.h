#pragma once

#include "sw/workloads/prefetcher/ring_programs.h"

namespace tvp::workloads::prefetcher {

/// The same operation with tt-metal's own kernels, compiled unchanged from $TT_METAL_HOME: a
/// program for the senders that runs through all layers, and a program for each multiplication. The
/// arguments are those of the operation's host code (ttnn/cpp/ttnn/operations/prefetcher, …/matmul:
/// the gathered variant of the 1D multiplication).
class PublishedPrograms : public RingPrograms {
 public:
  using RingPrograms::RingPrograms;

  /// Throws Fault(kDescription) if there is no tree, or for switches that these kernels do not
  /// have.
  static void check(const Options& options);

  runtime::Program sender_program() const;
  runtime::Program multiplication(std::uint32_t layer, std::uint32_t part) const;

 private:
  void add_multiplication_buffers(runtime::Program& program, std::uint32_t layer,
                                  std::uint32_t part) const;
  void add_multiplication_args(runtime::Program& program, runtime::KernelHandle activation,
                               runtime::KernelHandle weights, runtime::KernelHandle compute,
                               std::uint32_t part) const;
  std::uint32_t first_output_tile(std::uint32_t layer, std::uint32_t part) const;
};

}  // namespace tvp::workloads::prefetcher
