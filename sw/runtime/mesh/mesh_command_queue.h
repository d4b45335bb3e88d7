#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/mesh/mesh_event.h"
#include "sw/runtime/programs/mesh_workload.h"

namespace tvp::runtime {

struct MeshLaunch;

/// Commands of the host to a mesh, which run in order without the host waiting (tt-metal's
/// tt-metalium/mesh_command_queue.hpp). A workload starts when the programs before it on its
/// sub-devices have ended; programs on other sub-devices run beside it. Reads, writes and events
/// wait for the stall group. Meshes of a cluster have the same queues, and each names its own
/// devices to them. Queues are independent but for events, and the host looks after them, in the
/// order of their numbers, whenever it waits.
class MeshCommandQueue {
 public:
  MeshCommandQueue(MeshDevice& mesh, std::uint32_t id) : mesh_(mesh), id_(id) {}
  MeshCommandQueue(const MeshCommandQueue&) = delete;
  MeshCommandQueue& operator=(const MeshCommandQueue&) = delete;

  MeshDevice* device() const { return &mesh_; }
  std::uint32_t id() const { return id_; }

  // Bad use is refused here and now: Fault(kDescription). `blocking`: as finish() right after.
  void enqueue_mesh_workload(const MeshWorkload& workload, bool blocking);
  /// The program on all devices of the mesh.
  void enqueue_program(const Program& program, bool blocking);
  /// A buffer that is cut over the mesh takes the whole, of which each device gets its part. Any
  /// other buffer takes the same bytes on all devices of this mesh.
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer, const void* source,
                                 bool blocking);
  /// Waits. Composes the whole of a buffer that is cut over the mesh; reads any other one from the
  /// first device.
  void enqueue_read_mesh_buffer(void* destination, const std::shared_ptr<MeshBuffer>& buffer,
                                bool blocking);
  /// The content on one device.
  void enqueue_write_shard(const std::shared_ptr<MeshBuffer>& buffer,
                           std::vector<std::uint8_t> bytes, MeshCoordinate device, bool blocking);
  /// `destination` must live until the queue has come to it.
  void enqueue_read_shard(std::vector<std::uint8_t>& destination,
                          const std::shared_ptr<MeshBuffer>& buffer, MeshCoordinate device,
                          bool blocking);
  /// The host does something of its own when everything before has ended; it must not throw, nor
  /// wait for the mesh.
  void enqueue_host_function(std::function<void()> function, bool blocking);
  /// Waits for these sub-devices, or for the stall group.
  MeshEvent enqueue_record_event(std::span<const SubDeviceId> sub_devices = {});
  /// The event may be one of any queue of the cluster.
  void enqueue_wait_for_event(const MeshEvent& event);
  void enqueue_trace(MeshTraceId id, bool blocking);

  /// Lets time pass until all commands have been given and these sub-devices, or the stall group,
  /// have finished. Throws HangError, TimeLimitError, or the Fault that stopped the simulation.
  void finish(std::span<const SubDeviceId> sub_devices = {});

 private:
  void enqueue(Cluster::Command command, bool blocking);
  void enqueue_launch(std::shared_ptr<const MeshLaunch> launch);
  /// The same bytes, as many as the buffer has on a device.
  void enqueue_write(const std::shared_ptr<MeshBuffer>& buffer, std::vector<std::uint8_t> bytes,
                     std::vector<unsigned> devices, bool blocking);
  void refuse_in_trace(const char* what) const;
  /// Refuses a null buffer and a buffer of another cluster.
  void check_buffer(const std::shared_ptr<MeshBuffer>& buffer) const;
  std::vector<SubDeviceId> or_stall_group(std::span<const SubDeviceId> sub_devices) const;
  /// Ready when the stall group, of the time of this call, is idle.
  std::function<bool()> when_idle(std::span<const SubDeviceId> sub_devices = {}) const;

  MeshDevice& mesh_;
  std::uint32_t id_;
  std::uint32_t events_ = 0;
};

}  // namespace tvp::runtime
