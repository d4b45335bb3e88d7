#pragma once
// tt-metal's names for programs and their parts, as free functions on Program.

#include <memory>

#include "sw/runtime/buffers/cross_node_dfb.h"
#include "sw/runtime/buffers/global_circular_buffer.h"
#include "sw/runtime/buffers/global_semaphore.h"
#include "sw/runtime/buffers/prefetcher_pipe.h"
#include "sw/runtime/buffers/tensor_accessor_args.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/programs/program.h"
#include "sw/runtime/programs/work_split.h"

namespace tvp::runtime {

inline Program CreateProgram() { return {}; }

template <typename Config>
KernelHandle CreateKernel(Program& program, const std::string& source, const CoreRangeSet& cores,
                          const Config& config) {
  if constexpr (std::is_base_of_v<DataMovementConfig, Config>) {
    return program.add_kernel(source, cores, static_cast<const DataMovementConfig&>(config));
  } else {
    return program.add_kernel(source, cores, config);
  }
}
inline CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                                     const CircularBufferConfig& config) {
  return program.add_circular_buffer(cores, config);
}
inline std::uint32_t CreateSemaphore(Program& program, const CoreRangeSet& cores,
                                     std::uint32_t initial, bool on_ethernet = false) {
  return program.add_semaphore(cores, initial, on_ethernet);
}
inline void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreRangeSet& cores,
                           const std::vector<std::uint32_t>& args) {
  program.set_runtime_args(kernel, cores, args);
}
inline void SetCommonRuntimeArgs(Program& program, KernelHandle kernel,
                                 const std::vector<std::uint32_t>& args) {
  program.set_common_runtime_args(kernel, args);
}
inline std::vector<std::uint32_t>& GetRuntimeArgs(Program& program, KernelHandle kernel,
                                                  CoreCoord core) {
  return program.runtime_args(kernel, core);
}
/// One list of arguments for each core.
inline void SetRuntimeArgs(Program& program, KernelHandle kernel,
                           const std::vector<CoreCoord>& cores,
                           const std::vector<std::vector<std::uint32_t>>& args) {
  if (cores.size() != args.size())
    bad_use("SetRuntimeArgs", std::to_string(args.size()) + " lists of arguments for " +
                                  std::to_string(cores.size()) + " cores");
  for (std::size_t i = 0; i < cores.size(); ++i)
    program.set_runtime_args(kernel, cores[i], args[i]);
}
inline std::vector<std::uint32_t>& GetCommonRuntimeArgs(Program& program, KernelHandle kernel) {
  return program.common_runtime_args(kernel);
}

// Access to circular buffers between runs of a program.
inline const CircularBufferConfig& GetCircularBufferConfig(Program& program, CBHandle cb) {
  return program.circular_buffer_config(cb);
}
inline void UpdateCircularBufferTotalSize(Program& program, CBHandle cb, std::uint32_t bytes) {
  program.circular_buffer_config(cb).set_total_size(bytes);
}
inline void UpdateCircularBufferPageSize(Program& program, CBHandle cb, std::uint8_t index,
                                         std::uint32_t bytes) {
  program.circular_buffer_config(cb).set_page_size(index, bytes);
}
inline void UpdateDynamicCircularBufferAddress(Program& program, CBHandle cb, const Buffer& buffer,
                                               std::uint32_t offset = 0) {
  program.circular_buffer_config(cb).set_globally_allocated_address(buffer, offset);
}
inline void UpdateDynamicCircularBufferAddressAndTotalSize(Program& program, CBHandle cb,
                                                           const Buffer& buffer,
                                                           std::uint32_t bytes) {
  CircularBufferConfig config = program.circular_buffer_config(cb);
  config.set_address(0).set_total_size(bytes).set_globally_allocated_address(buffer);
  program.circular_buffer_config(cb) = config;
}

inline GlobalSemaphore CreateGlobalSemaphore(MeshDevice& mesh, const CoreRangeSet& cores,
                                             std::uint32_t initial) {
  return {mesh, cores, initial};
}
/// Creates a buffer on all devices of a mesh, which the configuration or the first argument names.
/// With a sub-device it is in its L1.
std::shared_ptr<MeshBuffer> CreateBuffer(const InterleavedBufferConfig& config);
std::shared_ptr<MeshBuffer> create_sharded(const ShardedBufferConfig& config,
                                           std::optional<SubDeviceId> sub_device);
/// A template, so that a braced list without shards means an interleaved buffer.
template <int = 0>
std::shared_ptr<MeshBuffer> CreateBuffer(const ShardedBufferConfig& config,
                                         std::optional<SubDeviceId> sub_device = std::nullopt) {
  return create_sharded(config, sub_device);
}
inline std::shared_ptr<MeshBuffer> CreateBuffer(MeshDevice& mesh,
                                                const InterleavedBufferConfig& config) {
  return MeshBuffer::create(mesh, config);
}
template <int = 0>
std::shared_ptr<MeshBuffer> CreateBuffer(MeshDevice& mesh, const ShardedBufferConfig& config,
                                         std::optional<SubDeviceId> sub_device = std::nullopt) {
  return MeshBuffer::create(mesh, config, sub_device);
}
inline void DeallocateBuffer(Buffer& buffer) { buffer.deallocate(); }

}  // namespace tvp::runtime
