#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "sw/runtime/circular_buffer_config.h"
#include "sw/runtime/core_coord.h"
#include "sw/runtime/kernel_types.h"

namespace tvp::runtime {

using KernelHandle = std::uint32_t;
using CBHandle = std::uint32_t;

/// A source, where it runs, and with which arguments.
struct Kernel {
  std::string source;
  CoreRangeSet cores;
  std::variant<DataMovementConfig, ComputeConfig, EthernetConfig> config;
  std::map<CoreCoord, std::vector<std::uint32_t>> runtime_args;
  std::vector<std::uint32_t> common_args;

  bool on_ethernet() const { return std::holds_alternative<EthernetConfig>(config); }
};

struct CircularBuffer {
  CoreRangeSet cores;
  CircularBufferConfig config;
};

struct Semaphore {
  CoreRangeSet cores;
  std::uint32_t initial = 0;
  bool on_ethernet = false;
};

/// What one launch starts on one device: kernels, circular buffers, semaphores.
class Program {
 public:
  /// Cores of an EthernetConfig are (0, channel).
  KernelHandle add_kernel(std::string source, CoreRangeSet cores,
                          std::variant<DataMovementConfig, ComputeConfig, EthernetConfig> config);
  CBHandle add_circular_buffer(CoreRangeSet cores, CircularBufferConfig config);
  /// Number of the semaphore, the lowest that is free on all `cores`.
  std::uint32_t add_semaphore(CoreRangeSet cores, std::uint32_t initial, bool on_ethernet = false);

  void set_runtime_args(KernelHandle kernel, const CoreRangeSet& cores,
                        const std::vector<std::uint32_t>& args);
  void set_common_runtime_args(KernelHandle kernel, std::vector<std::uint32_t> args);
  /// To be changed between runs. Throws Fault(kDescription) for a core that does not run it.
  std::vector<std::uint32_t>& runtime_args(KernelHandle kernel, CoreCoord core);
  std::vector<std::uint32_t>& common_runtime_args(KernelHandle kernel);

  const std::vector<Kernel>& kernels() const { return kernels_; }
  const std::vector<CircularBuffer>& circular_buffers() const { return cbs_; }
  /// By number; a number may occur once for each disjoint set of cores.
  const std::vector<std::pair<std::uint32_t, Semaphore>>& semaphores() const { return semaphores_; }
  CircularBufferConfig& circular_buffer_config(CBHandle cb);

 private:
  Kernel& kernel(KernelHandle handle);

  std::vector<Kernel> kernels_;
  std::vector<CircularBuffer> cbs_;
  std::vector<std::pair<std::uint32_t, Semaphore>> semaphores_;
};

}  // namespace tvp::runtime
