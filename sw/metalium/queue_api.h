#pragma once
// Command queues and their commands under tt-metal's names, for devices and meshes
// (tt-metalium/command_queue.hpp, distributed.hpp).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/metalium/buffer_api.h"
#include "sw/metalium/device_api.h"
#include "sw/runtime/distributed.h"

namespace tt::tt_metal {

namespace distributed {

using tvp::runtime::AddProgramToMeshWorkload;
using tvp::runtime::BeginTraceCapture;
using tvp::runtime::CreateMeshWorkload;
using tvp::runtime::EndTraceCapture;
using tvp::runtime::EnqueueMeshWorkload;
using tvp::runtime::EnqueueReadMeshBuffer;
using tvp::runtime::EnqueueRecordEvent;
using tvp::runtime::EnqueueRecordEventToHost;
using tvp::runtime::EnqueueTrace;
using tvp::runtime::EnqueueWaitForEvent;
using tvp::runtime::EnqueueWriteMeshBuffer;
using tvp::runtime::EventQuery;
using tvp::runtime::EventSynchronize;
using tvp::runtime::Finish;
using tvp::runtime::MeshEvent;
using tvp::runtime::ReadShard;
using tvp::runtime::ReleaseTrace;
using tvp::runtime::ReplayTrace;
using tvp::runtime::Synchronize;
using tvp::runtime::WriteShard;

}  // namespace distributed

using tvp::runtime::BeginTraceCapture;
using tvp::runtime::EndTraceCapture;
using tvp::runtime::EnqueueProgram;
using tvp::runtime::EnqueueTrace;
using tvp::runtime::Finish;
using tvp::runtime::ReleaseTrace;
using tvp::runtime::ReplayTrace;
using tvp::runtime::Synchronize;

namespace detail {
inline std::shared_ptr<distributed::MeshBuffer> shared(const Buffer& buffer) {
  return const_cast<Buffer&>(buffer).shared();  // NOLINT: queues write into it
}
inline std::shared_ptr<distributed::MeshBuffer> shared(const std::shared_ptr<Buffer>& buffer) {
  return shared(named(buffer.get(), "command queue", "a buffer"));
}
template <typename Reference>
std::shared_ptr<distributed::MeshBuffer> shared(const std::reference_wrapper<Reference>& buffer) {
  return shared(buffer.get());
}
}  // namespace detail

// For one device. `BufferLike` is a Buffer, a shared pointer to one, or std::ref of these.
template <typename BufferLike>
void EnqueueWriteBuffer(CommandQueue& queue, const BufferLike& buffer, const void* source,
                        bool blocking) {
  named(static_cast<const std::uint8_t*>(source), "EnqueueWriteBuffer", "bytes to write");
  queue.enqueue_write_mesh_buffer(detail::shared(buffer), source, blocking);
}
template <typename BufferLike, typename Datum>
void EnqueueWriteBuffer(CommandQueue& queue, const BufferLike& buffer,
                        const std::vector<Datum>& source, bool blocking) {
  distributed::EnqueueWriteMeshBuffer(queue, detail::shared(buffer), source, blocking);
}
template <typename BufferLike, typename Datum>
void EnqueueReadBuffer(CommandQueue& queue, const BufferLike& buffer,
                       std::vector<Datum>& destination, bool) {
  distributed::EnqueueReadMeshBuffer(queue, destination, detail::shared(buffer));
}
template <typename BufferLike>
void EnqueueReadBuffer(CommandQueue& queue, const BufferLike& buffer, void* destination, bool) {
  named(static_cast<std::uint8_t*>(destination), "EnqueueReadBuffer", "room for what is read");
  queue.enqueue_read_mesh_buffer(destination, detail::shared(buffer), true);
}

namespace detail {
/// Runs the program to its end. Without `wait` the device's next call waits.
inline void LaunchProgram(IDevice* device, const Program& program,
                          bool wait_until_cores_done = true, bool = false) {
  named(device, "LaunchProgram", "a device")
      .command_queue()
      .enqueue_program(program, wait_until_cores_done);
}
inline void WaitProgramDone(IDevice* device, const Program&, bool = true) {
  named(device, "WaitProgramDone", "a device").command_queue().finish();
}
/// Has no effect: kernels are compiled, and errors reported, when the program first runs.
inline void CompileProgram(IDevice*, const Program&, bool = false) {}
}  // namespace detail

/// Has no effect: the platform writes reports, waves and traces of a run (vp exec).
template <typename... Args>
void DumpDeviceProfileResults(IDevice*, const Args&...) {}
template <typename... Args>
void ReadMeshDeviceProfilerResults(distributed::MeshDevice&, const Args&...) {}
namespace detail {
using tt_metal::DumpDeviceProfileResults;
template <typename... Args>
void ReadDeviceProfilerResults(IDevice*, const Args&...) {}
}  // namespace detail

}  // namespace tt::tt_metal
