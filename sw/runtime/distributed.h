#pragma once
// tt-metal's names for command queues and what goes through them, as free functions
// (tt-metalium/distributed.hpp).

#include <cstring>
#include <type_traits>

#include "sw/runtime/mesh/mesh_command_queue.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

inline void EnqueueMeshWorkload(MeshCommandQueue& queue, const MeshWorkload& workload,
                                bool blocking) {
  queue.enqueue_mesh_workload(workload, blocking);
}

/// The program on all devices of the mesh.
inline void EnqueueProgram(MeshCommandQueue& queue, const Program& program, bool blocking) {
  MeshWorkload workload;
  workload.add_program(MeshCoordinateRange(queue.device().shape()), Program(program));
  queue.enqueue_mesh_workload(workload, blocking);
}

namespace detail {
template <typename Datum>
std::vector<std::uint8_t> bytes_of(const std::vector<Datum>& data) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  std::vector<std::uint8_t> bytes(data.size() * sizeof(Datum));
  if (!bytes.empty()) std::memcpy(bytes.data(), data.data(), bytes.size());
  return bytes;
}
}  // namespace detail

/// The same content on all devices.
template <typename Datum>
void EnqueueWriteMeshBuffer(MeshCommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                            const std::vector<Datum>& source, bool blocking = false) {
  queue.enqueue_write_mesh_buffer(buffer, detail::bytes_of(source), blocking);
}
/// The content on one device.
template <typename Datum>
void WriteShard(MeshCommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                const std::vector<Datum>& source, const MeshCoordinate& device,
                bool blocking = false) {
  queue.enqueue_write_shard(buffer, detail::bytes_of(source), device, blocking);
}
/// Waits for the content.
template <typename Datum>
void ReadShard(MeshCommandQueue& queue, std::vector<Datum>& destination,
               const std::shared_ptr<MeshBuffer>& buffer, const MeshCoordinate& device) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  std::vector<std::uint8_t> bytes;
  queue.enqueue_read_shard(bytes, buffer, device, true);
  destination.resize(bytes.size() / sizeof(Datum));
  std::memcpy(destination.data(), bytes.data(), destination.size() * sizeof(Datum));
}
/// Of the first device.
template <typename Datum>
void EnqueueReadMeshBuffer(MeshCommandQueue& queue, std::vector<Datum>& destination,
                           const std::shared_ptr<MeshBuffer>& buffer) {
  ReadShard(queue, destination, buffer, {0, 0});
}

inline MeshEvent EnqueueRecordEvent(MeshCommandQueue& queue,
                                    std::span<const SubDeviceId> sub_devices = {}) {
  return queue.enqueue_record_event(sub_devices);
}
inline void EnqueueWaitForEvent(MeshCommandQueue& queue, const MeshEvent& event) {
  queue.enqueue_wait_for_event(event);
}
inline void EventSynchronize(const MeshEvent& event) {
  event.device().wait_until([&] { return event.done(); }, "an event");
}
inline bool EventQuery(const MeshEvent& event) {
  event.device().give_commands();
  return event.done();
}
inline void Finish(MeshCommandQueue& queue, std::span<const SubDeviceId> sub_devices = {}) {
  queue.finish(sub_devices);
}
inline void Synchronize(MeshDevice& mesh, std::uint32_t queue,
                        std::span<const SubDeviceId> sub_devices = {}) {
  mesh.mesh_command_queue(queue).finish(sub_devices);
}

/// From now on workloads of the queue are kept, not run, until mesh.end_mesh_trace().
inline MeshTraceId BeginTraceCapture(MeshDevice& mesh, std::uint32_t queue) {
  return mesh.begin_mesh_trace(queue);
}

}  // namespace tvp::runtime
