#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sw/runtime/life.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/programs/circular_buffer_config.h"
#include "sw/runtime/programs/core_coord.h"
#include "sw/runtime/programs/kernel_types.h"

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

class CrossNodeDFB;

/// An end of a remote buffer, which kernels on some cores find by a number.
struct RemoteEnd {
  enum class Kind : std::uint8_t { kPrefetcherPipe, kCrossNodeDFB };
  Kind kind = Kind::kPrefetcherPipe;
  std::uint8_t number = 0;
  CoreRangeSet cores;
  std::uint32_t entry_size = 0;
  std::uint32_t ring_address = 0;
  std::uint32_t ring_size = 0;
  std::uint32_t config_address = 0;
  std::optional<Life::Watch> memory{};  ///< object of this end or its data, kept alive
  std::optional<std::uint8_t> relay{};  ///< circular buffer over the ring,
  CoreRangeSet relay_cores{};           ///< cores of this circular buffer
  /// A buffer of the program, which is empty at each launch.
  std::shared_ptr<const CrossNodeDFB> own{};
};

/// Name in error messages: "pipe 0".
std::string name_of(RemoteEnd::Kind kind, unsigned number);

}  // namespace tvp::runtime

namespace tt::tt_metal {

/// Kernels, circular buffers and semaphores that one launch starts on a device.
class Program {
 public:
  using CBHandle = tvp::runtime::CBHandle;
  using CircularBuffer = tvp::runtime::CircularBuffer;
  using CircularBufferConfig = tvp::runtime::CircularBufferConfig;
  using ComputeConfig = tvp::runtime::ComputeConfig;
  using CoreCoord = tvp::runtime::CoreCoord;
  using CoreRangeSet = tvp::runtime::CoreRangeSet;
  using DataMovementConfig = tvp::runtime::DataMovementConfig;
  using EthernetConfig = tvp::runtime::EthernetConfig;
  using Kernel = tvp::runtime::Kernel;
  using KernelHandle = tvp::runtime::KernelHandle;
  using RemoteEnd = tvp::runtime::RemoteEnd;
  using Semaphore = tvp::runtime::Semaphore;

  /// Adds a kernel. Cores of an EthernetConfig are (0, channel).
  KernelHandle add_kernel(std::string source, CoreRangeSet cores,
                          std::variant<DataMovementConfig, ComputeConfig, EthernetConfig> config);
  CBHandle add_circular_buffer(CoreRangeSet cores, CircularBufferConfig config);
  /// Returns the number of the semaphore, the lowest that is free on all `cores`.
  std::uint32_t add_semaphore(CoreRangeSet cores, std::uint32_t initial, bool on_ethernet = false);

  void set_runtime_args(KernelHandle kernel, const CoreRangeSet& cores,
                        const std::vector<std::uint32_t>& args);
  void set_common_runtime_args(KernelHandle kernel, std::vector<std::uint32_t> args);
  /// The program's number for tt-metal's profilers. It has no effect.
  void set_runtime_id(std::uint64_t id) { runtime_id_ = id; }
  std::uint64_t get_runtime_id() const { return runtime_id_; }
  /// Arguments to change between runs. Throws Fault(kDescription) for a core that does not run the
  /// kernel.
  std::vector<std::uint32_t>& runtime_args(KernelHandle kernel, CoreCoord core);
  std::vector<std::uint32_t>& common_runtime_args(KernelHandle kernel);

  const std::vector<Kernel>& kernels() const { return kernels_; }
  const std::vector<CircularBuffer>& circular_buffers() const { return cbs_; }
  /// Semaphores with their numbers. A number may occur once for each disjoint set of cores.
  const std::vector<std::pair<std::uint32_t, Semaphore>>& semaphores() const { return semaphores_; }
  CircularBufferConfig& circular_buffer_config(CBHandle cb);

  /// Returns its number, the lowest of its kind that is free on all its cores.
  std::uint8_t add_remote_end(RemoteEnd end);
  const std::vector<RemoteEnd>& remote_ends() const { return remote_ends_; }
  /// Places the circular buffer of `config`, which has one index, over the rings of `number` on
  /// `cores`. Throws Fault(kDescription) if they do not exist, or if entries do not fit.
  CBHandle add_relay(RemoteEnd::Kind kind, std::uint8_t number, const CoreRangeSet& cores,
                     CircularBufferConfig config);

 private:
  Kernel& kernel(KernelHandle handle);

  std::vector<Kernel> kernels_;
  std::uint64_t runtime_id_ = 0;
  std::vector<CircularBuffer> cbs_;
  std::vector<std::pair<std::uint32_t, Semaphore>> semaphores_;
  std::vector<RemoteEnd> remote_ends_;
};

}  // namespace tt::tt_metal
