#pragma once
// Command queues and what goes through them by tt-metal's names, those of a device as those of a
// mesh (tt-metalium/command_queue.hpp, distributed.hpp).

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "sw/metalium/buffer.h"
#include "sw/metalium/device.h"
#include "sw/runtime/distributed.h"

namespace tt::tt_metal {

using tvp::runtime::Program;

namespace distributed {

using tvp::runtime::EventQuery;
using tvp::runtime::EventSynchronize;
using tvp::runtime::MeshEvent;
using tvp::runtime::MeshWorkload;

/// Of one device or of a mesh. What it is told applies to its devices alone.
class MeshCommandQueue {
 public:
  MeshCommandQueue(IDevice& device, std::uint32_t id) : device_(device), id_(id) {}
  MeshCommandQueue(const MeshCommandQueue&) = delete;
  MeshCommandQueue& operator=(const MeshCommandQueue&) = delete;

  MeshDevice* device() const { return &mesh(); }
  std::uint32_t id() const { return id_; }

  void enqueue_mesh_workload(MeshWorkload& workload, bool blocking);
  void enqueue_program(Program& program, bool blocking);
  // Of a mesh's buffer: the whole of one that is cut over the devices, of which these copy each
  // its part, the same for all of another.
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer, const void* source,
                                 bool blocking);
  /// Waits. Of one that all devices have, the first's.
  void enqueue_read_mesh_buffer(void* destination, const std::shared_ptr<MeshBuffer>& buffer,
                                bool blocking);

  /// As many bytes as the buffer has, on all devices or on one.
  void write(const Buffer& buffer, const void* source, bool blocking);
  void write(const Buffer& buffer, const void* source, MeshCoordinate device, bool blocking);
  /// The whole content on a device, when all before has ended.
  std::vector<std::uint8_t> read(const Buffer& buffer, MeshCoordinate device);
  MeshEvent enqueue_record_event(std::span<const SubDeviceId> sub_devices = {});
  void enqueue_wait_for_event(const MeshEvent& event);
  void finish(std::span<const SubDeviceId> sub_devices = {});

 private:
  MeshDevice& mesh() const;
  tvp::runtime::MeshCommandQueue& queue() const;
  MeshCoordinate in_machine(MeshCoordinate device) const;

  IDevice& device_;
  std::uint32_t id_;
};

inline void AddProgramToMeshWorkload(MeshWorkload& workload, Program&& program,
                                     const MeshCoordinateRange& devices) {
  workload.add_program(devices, std::move(program));
}
inline MeshWorkload CreateMeshWorkload() { return {}; }
inline void EnqueueMeshWorkload(MeshCommandQueue& queue, MeshWorkload& workload, bool blocking) {
  queue.enqueue_mesh_workload(workload, blocking);
}

inline const Buffer& buffer_of(const std::shared_ptr<MeshBuffer>& buffer) {
  return named(buffer.get(), "command queue", "a buffer").buffer();
}

/// Throws when there is less than the buffer takes.
void check_source(std::size_t bytes, std::uint64_t takes);

template <typename Datum>
void EnqueueWriteMeshBuffer(MeshCommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                            const std::vector<Datum>& source, bool blocking = false) {
  const MeshBuffer& to = named(buffer.get(), "EnqueueWriteMeshBuffer", "a buffer");
  check_source(source.size() * sizeof(Datum), to.size());
  queue.enqueue_write_mesh_buffer(buffer, source.data(), blocking);
}
template <typename Datum>
void WriteShard(MeshCommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer,
                const std::vector<Datum>& source, const MeshCoordinate& device,
                bool blocking = false) {
  const MeshBuffer& to = named(buffer.get(), "WriteShard", "a buffer");
  check_source(source.size() * sizeof(Datum), to.device_local_size());
  queue.write(to.buffer(), source.data(), device, blocking);
}
/// They wait for the content.
template <typename Datum>
void ReadShard(MeshCommandQueue& queue, std::vector<Datum>& destination,
               const std::shared_ptr<MeshBuffer>& buffer, const MeshCoordinate& device,
               bool = true) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  const std::vector<std::uint8_t> bytes = queue.read(buffer_of(buffer), device);
  const auto* first = reinterpret_cast<const Datum*>(bytes.data());
  destination.assign(first, first + bytes.size() / sizeof(Datum));
}
template <typename Datum>
void EnqueueReadMeshBuffer(MeshCommandQueue& queue, std::vector<Datum>& destination,
                           const std::shared_ptr<MeshBuffer>& buffer, bool blocking = true) {
  static_assert(std::is_trivially_copyable_v<Datum>);
  const MeshBuffer& from = named(buffer.get(), "EnqueueReadMeshBuffer", "a buffer");
  destination.resize(from.size() / sizeof(Datum));
  queue.enqueue_read_mesh_buffer(destination.data(), buffer, blocking);
}

inline MeshEvent EnqueueRecordEvent(MeshCommandQueue& queue,
                                    std::span<const SubDeviceId> sub_devices = {}) {
  return queue.enqueue_record_event(sub_devices);
}
inline MeshEvent EnqueueRecordEventToHost(MeshCommandQueue& queue,
                                          std::span<const SubDeviceId> sub_devices = {}) {
  return queue.enqueue_record_event(sub_devices);
}
inline void EnqueueWaitForEvent(MeshCommandQueue& queue, const MeshEvent& event) {
  queue.enqueue_wait_for_event(event);
}
inline void Finish(MeshCommandQueue& queue, std::span<const SubDeviceId> sub_devices = {}) {
  queue.finish(sub_devices);
}
void Synchronize(MeshDevice* mesh, std::optional<std::uint8_t> queue,
                 std::span<const SubDeviceId> sub_devices = {});
inline MeshTraceId BeginTraceCapture(MeshDevice* mesh, std::uint8_t queue) {
  return named(mesh, "BeginTraceCapture", "a mesh").begin_mesh_trace(queue);
}

}  // namespace distributed

using distributed::Finish;

namespace detail {
inline const Buffer& buffer_of(const Buffer& buffer) { return buffer; }
inline const Buffer& buffer_of(const std::shared_ptr<Buffer>& buffer) {
  return named(buffer.get(), "command queue", "a buffer");
}
}  // namespace detail

// Of a device. `BufferLike`: a Buffer, or a pointer that shares it.
inline void EnqueueProgram(CommandQueue& queue, Program& program, bool blocking) {
  queue.enqueue_program(program, blocking);
}
template <typename BufferLike, typename Datum>
void EnqueueWriteBuffer(CommandQueue& queue, const BufferLike& buffer,
                        const std::vector<Datum>& source, bool blocking) {
  const Buffer& to = detail::buffer_of(buffer);
  distributed::check_source(source.size() * sizeof(Datum), to.size());
  queue.write(to, source.data(), blocking);
}
template <typename BufferLike>
void EnqueueWriteBuffer(CommandQueue& queue, const BufferLike& buffer, const void* source,
                        bool blocking) {
  named(static_cast<const std::uint8_t*>(source), "EnqueueWriteBuffer", "bytes to write");
  queue.write(detail::buffer_of(buffer), source, blocking);
}
template <typename BufferLike, typename Datum>
void EnqueueReadBuffer(CommandQueue& queue, const BufferLike& buffer,
                       std::vector<Datum>& destination, bool) {
  const std::vector<std::uint8_t> bytes = queue.read(detail::buffer_of(buffer), {0, 0});
  const auto* first = reinterpret_cast<const Datum*>(bytes.data());
  destination.assign(first, first + bytes.size() / sizeof(Datum));
}
template <typename BufferLike>
void EnqueueReadBuffer(CommandQueue& queue, const BufferLike& buffer, void* destination, bool) {
  auto& to =
      named(static_cast<std::uint8_t*>(destination), "EnqueueReadBuffer", "room for what is read");
  const std::vector<std::uint8_t> bytes = queue.read(detail::buffer_of(buffer), {0, 0});
  std::copy(bytes.begin(), bytes.end(), &to);
}
inline void Synchronize(IDevice* device, std::optional<std::uint8_t> = std::nullopt,
                        std::span<const SubDeviceId> sub_devices = {}) {
  named(device, "Synchronize", "a device").command_queue().finish(sub_devices);
}

namespace detail {
/// Runs it to its end; without `wait` the device's next call waits.
void LaunchProgram(IDevice* device, Program& program, bool wait_until_cores_done = true,
                   bool force_slow_dispatch = false);
void WaitProgramDone(IDevice* device, Program& program, bool read_results = true);
/// Kernels are compiled when the program first runs, and what cannot run is refused there.
inline void CompileProgram(IDevice*, Program&, bool = false) {}
}  // namespace detail

/// What is known of a run the platform writes (vp exec, waves, traces).
template <typename... Args>
void DumpDeviceProfileResults(IDevice*, const Args&...) {}
template <typename... Args>
void ReadMeshDeviceProfilerResults(distributed::MeshDevice&, const Args&...) {}
namespace detail {
using tt_metal::DumpDeviceProfileResults;
}  // namespace detail

}  // namespace tt::tt_metal
