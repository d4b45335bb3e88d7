#pragma once
// tt-metal's names for command queues and their commands, as free functions
// (tt-metalium/distributed.hpp).

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_command_queue.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

/// Dereferences a pointer from a program. Throws Fault(kDescription) if it is null.
template <typename Thing>
Thing& named(Thing* thing, const char* where, const char* what) {
  if (thing == nullptr) bad_use(where, std::string("is given none; expected ") + what);
  return *thing;
}

inline MeshWorkload CreateMeshWorkload() { return {}; }
inline void AddProgramToMeshWorkload(MeshWorkload& workload, Program&& program,
                                     const MeshCoordinateRange& devices) {
  workload.add_program(devices, std::move(program));
}
inline void EnqueueMeshWorkload(CommandQueue& queue, const MeshWorkload& workload, bool blocking) {
  queue.enqueue_mesh_workload(workload, blocking);
}
/// Enqueues the program on all devices of the mesh.
inline void EnqueueProgram(CommandQueue& queue, const Program& program, bool blocking) {
  queue.enqueue_program(program, blocking);
}

namespace detail {
/// The first bytes of a source, at most as many as the content has. Throws Fault(kDescription) for
/// a source without bytes.
template <typename Datum>
std::span<const std::uint8_t> source_of(const std::vector<Datum>& source, std::uint64_t content) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  if (source.empty())
    bad_use("buffer", "takes " + std::to_string(content) + " bytes, and the source has none");
  return {reinterpret_cast<const std::uint8_t*>(source.data()),
          std::min<std::size_t>(source.size() * sizeof(Datum), content)};
}

template <typename Datum>
void take(const std::vector<std::uint8_t>& bytes, std::vector<Datum>& data) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  data.resize(bytes.size() / sizeof(Datum));
  if (!data.empty()) std::memcpy(data.data(), bytes.data(), data.size() * sizeof(Datum));
}
}  // namespace detail

/// Writes the same content to all devices, or the whole of a buffer that is cut over them. A source
/// that is smaller than the content fills its beginning.
template <typename Datum>
void EnqueueWriteMeshBuffer(CommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                            const std::vector<Datum>& source, bool blocking = false) {
  const MeshBuffer& to = named(buffer.get(), "EnqueueWriteMeshBuffer", "a buffer");
  queue.enqueue_write_mesh_buffer(buffer, detail::source_of(source, to.size()), blocking);
}
/// Writes the content on one device.
template <typename Datum>
void WriteShard(CommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                const std::vector<Datum>& source, const MeshCoordinate& device,
                bool blocking = false) {
  const MeshBuffer& to = named(buffer.get(), "WriteShard", "a buffer");
  const auto bytes = detail::source_of(source, to.device_local_size());
  queue.enqueue_write_shard(buffer, {bytes.begin(), bytes.end()}, device, blocking);
}
// These functions wait for the content.
template <typename Datum>
void ReadShard(CommandQueue& queue, std::vector<Datum>& destination,
               const std::shared_ptr<MeshBuffer>& buffer, const MeshCoordinate& device,
               bool = true) {
  std::vector<std::uint8_t> bytes;
  queue.enqueue_read_shard(bytes, buffer, device, true);
  detail::take(bytes, destination);
}
template <typename Datum>
void EnqueueReadMeshBuffer(CommandQueue& queue, std::vector<Datum>& destination,
                           const std::shared_ptr<MeshBuffer>& buffer, bool blocking = true) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  const MeshBuffer& from = named(buffer.get(), "EnqueueReadMeshBuffer", "a buffer");
  destination.resize(from.size() / sizeof(Datum));
  queue.enqueue_read_mesh_buffer(destination.data(), buffer, blocking);
}

inline MeshEvent EnqueueRecordEvent(CommandQueue& queue,
                                    std::span<const SubDeviceId> sub_devices = {}) {
  return queue.enqueue_record_event(sub_devices);
}
inline MeshEvent EnqueueRecordEventToHost(CommandQueue& queue,
                                          std::span<const SubDeviceId> sub_devices = {}) {
  return queue.enqueue_record_event(sub_devices);
}
inline void EnqueueWaitForEvent(CommandQueue& queue, const MeshEvent& event) {
  queue.enqueue_wait_for_event(event);
}
inline void EventSynchronize(const MeshEvent& event) {
  event.cluster().wait_until([&] { return event.done(); }, "an event");
}
inline bool EventQuery(const MeshEvent& event) {
  event.cluster().give_commands();
  return event.done();
}
inline void Finish(CommandQueue& queue, std::span<const SubDeviceId> sub_devices = {}) {
  queue.finish(sub_devices);
}
/// Waits for one queue, or for all.
inline void Synchronize(IDevice* mesh, std::optional<std::uint8_t> queue = std::nullopt,
                        std::span<const SubDeviceId> sub_devices = {}) {
  named(mesh, "Synchronize", "a mesh");
  for (std::uint8_t id = 0; id < mesh->num_hw_cqs(); ++id)
    if (id == queue.value_or(id)) mesh->mesh_command_queue(id).finish(sub_devices);
}

/// A trace in the making. Programs of 2025 keep its number in an integer.
struct CapturedTrace : MeshTraceId {
  operator std::uint32_t() const { return get(); }  // NOLINT: as tt-metal's
};
/// Captures later workloads of the queue instead of running them, until mesh.end_mesh_trace().
inline CapturedTrace BeginTraceCapture(IDevice* mesh, std::uint32_t queue) {
  return {named(mesh, "BeginTraceCapture", "a mesh").begin_mesh_trace(queue)};
}
// Functions of 2025 for traces, which the mesh has today.
inline void EndTraceCapture(IDevice* mesh, std::uint32_t queue, const MeshTraceId& id) {
  named(mesh, "EndTraceCapture", "a mesh").end_mesh_trace(queue, id);
}
inline void EndTraceCapture(IDevice* mesh, std::uint32_t queue, std::uint32_t id) {
  EndTraceCapture(mesh, queue, MeshTraceId(id));
}
inline void ReplayTrace(IDevice* mesh, std::uint32_t queue, const MeshTraceId& id, bool blocking) {
  named(mesh, "ReplayTrace", "a mesh").replay_mesh_trace(queue, id, blocking);
}
inline void ReplayTrace(IDevice* mesh, std::uint32_t queue, std::uint32_t id, bool blocking) {
  ReplayTrace(mesh, queue, MeshTraceId(id), blocking);
}
inline void ReleaseTrace(IDevice* mesh, const MeshTraceId& id) {
  named(mesh, "ReleaseTrace", "a mesh").release_mesh_trace(id);
}
inline void ReleaseTrace(IDevice* mesh, std::uint32_t id) { ReleaseTrace(mesh, MeshTraceId(id)); }
inline void EnqueueTrace(CommandQueue& queue, std::uint32_t id, bool blocking) {
  queue.enqueue_trace(MeshTraceId(id), blocking);
}

}  // namespace tvp::runtime
