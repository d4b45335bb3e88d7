#pragma once
// tt-metal's names for programs and what they are made of, as free functions on Program.

#include <memory>

#include "sw/runtime/global_circular_buffer.h"
#include "sw/runtime/mesh_device.h"
#include "sw/runtime/program.h"
#include "sw/runtime/tensor_accessor_args.h"

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
inline std::uint32_t CreateGlobalSemaphore(MeshDevice& mesh, const CoreRangeSet& cores,
                                           std::uint32_t initial) {
  return mesh.create_global_semaphore(cores, initial);
}

/// A buffer on all devices; with a sub-device, of its own L1.
inline std::shared_ptr<MeshBuffer> CreateBuffer(MeshDevice& mesh,
                                                const InterleavedBufferConfig& config) {
  return MeshBuffer::create(mesh, config);
}
inline std::shared_ptr<MeshBuffer> CreateBuffer(
    MeshDevice& mesh, const ShardedBufferConfig& config,
    std::optional<SubDeviceId> sub_device = std::nullopt) {
  return MeshBuffer::create(mesh, config, sub_device);
}

}  // namespace tvp::runtime
