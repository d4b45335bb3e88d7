#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

/// The two ethernet cores on the first link of a system: side 0 begins, side 1 answers.
class EthernetPair {
 public:
  /// The kernels start with this size and double it up to kLargest.
  static constexpr std::uint32_t kSmallest = 16;

  /// Throws Fault(kDescription) with the name `workload` if the system has no link.
  EthernetPair(runtime::MeshDevice& mesh, const std::string& workload);

  /// L1 for kernels, at the same address on both sides.
  static std::uint32_t buffer();
  void write(unsigned side, std::uint32_t address, const Bytes& bytes);
  Bytes read(unsigned side, std::uint32_t address, std::size_t count);
  /// Runs one kernel on both sides. The first of its run-time arguments (ethernet_ring.h) is 1 on
  /// side 0. `worker` is the program of a worker of each chip for arriving data, or nothing.
  void run(const std::string& kernel, const std::vector<std::uint32_t>& compile_args,
           const runtime::MeshBuffer* worker = nullptr);
  /// Index of the device of a side.
  unsigned device(unsigned side) const { return sides_[side].device; }

 private:
  struct Side {
    unsigned device;
    unsigned channel;
    runtime::CoreCoord noc0;
  };
  Side side(unsigned device, unsigned channel);
  static const runtime::MeshLink& first_link(runtime::MeshDevice& mesh,
                                             const std::string& workload);

  runtime::MeshDevice& mesh_;
  const runtime::MeshLink link_;
  const Side sides_[2];
};

}  // namespace tvp::workloads::microbenchmarks
