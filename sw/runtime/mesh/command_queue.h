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
}

namespace tt::tt_metal {

/// Commands of the host to a mesh, which run in order while the host continues (tt-metal's
/// tt-metalium/mesh_command_queue.hpp). A workload starts when the earlier programs on its
/// sub-devices have ended; programs on other sub-devices run in parallel. Reads, writes and events
/// wait for the stall group. All meshes of a cluster share its queues and use their own device
/// coordinates. Queues are independent except for events. During each wait the host polls them in
/// the order of their numbers.
class CommandQueue {
 public:
  using Cluster = tvp::runtime::Cluster;
  using MeshBuffer = distributed::MeshBuffer;
  using MeshCoordinate = tvp::runtime::MeshCoordinate;
  using MeshDevice = distributed::MeshDevice;
  using MeshEvent = tvp::runtime::MeshEvent;
  using MeshLaunch = tvp::runtime::MeshLaunch;
  using MeshTraceId = tvp::runtime::MeshTraceId;
  using MeshWorkload = distributed::MeshWorkload;

  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  MeshDevice* device() const { return &mesh_; }
  std::uint32_t id() const { return id_; }

  // Throws Fault(kDescription) immediately for invalid use. `blocking` is equivalent to a following
  // finish().
  void enqueue_mesh_workload(const MeshWorkload& workload, bool blocking);
  /// Enqueues the program on all devices of the mesh.
  void enqueue_program(const Program& program, bool blocking);
  /// Writes a buffer. If it is cut over the mesh, each device gets its part of the source.
  /// Otherwise all devices of this mesh get the same bytes.
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer, const void* source,
                                 bool blocking);
  /// A source that is smaller than the buffer fills its beginning. A buffer that is cut over the
  /// mesh needs all bytes.
  void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer,
                                 std::span<const std::uint8_t> source, bool blocking);
  /// Reads a buffer and waits. If it is cut over the mesh, the parts are joined. Otherwise the
  /// first device is read.
  void enqueue_read_mesh_buffer(void* destination, const std::shared_ptr<MeshBuffer>& buffer,
                                bool blocking);
  /// Accesses the content on one device.
  void enqueue_write_shard(const std::shared_ptr<MeshBuffer>& buffer,
                           std::vector<std::uint8_t> bytes, MeshCoordinate device, bool blocking);
  /// `destination` must live until the read is complete.
  void enqueue_read_shard(std::vector<std::uint8_t>& destination,
                          const std::shared_ptr<MeshBuffer>& buffer, MeshCoordinate device,
                          bool blocking);
  /// Calls a function of the host when all earlier commands have ended. It must not throw or wait
  /// for the mesh.
  void enqueue_host_function(std::function<void()> function, bool blocking);
  /// Waits for these sub-devices, or for the stall group.
  MeshEvent enqueue_record_event(std::span<const SubDeviceId> sub_devices = {});
  /// The event may be of any queue of the cluster.
  void enqueue_wait_for_event(const MeshEvent& event);
  void enqueue_trace(MeshTraceId id, bool blocking);

  /// Lets time pass until all commands have run and these sub-devices, or the stall group, have
  /// finished. Throws HangError, TimeLimitError, or the Fault that stopped the simulation.
  void finish(std::span<const SubDeviceId> sub_devices = {});

 protected:
  CommandQueue(MeshDevice& mesh, std::uint32_t id) : mesh_(mesh), id_(id) {}
  ~CommandQueue() = default;

 private:
  void enqueue(Cluster::Command command, bool blocking);
  void enqueue_launch(const std::shared_ptr<const MeshLaunch>& launch);
  /// Writes the same bytes to each device.
  void enqueue_write(const std::shared_ptr<MeshBuffer>& buffer, std::vector<std::uint8_t> bytes,
                     std::vector<unsigned> devices, bool blocking);
  void refuse_in_trace(const char* what) const;
  /// Throws for a null buffer and for a buffer of another cluster.
  void check_buffer(const std::shared_ptr<MeshBuffer>& buffer) const;
  std::vector<SubDeviceId> or_stall_group(std::span<const SubDeviceId> sub_devices) const;
  /// Returns a condition that is true when the sub-devices, by default the current stall group, are
  /// idle.
  std::function<bool()> when_idle(std::span<const SubDeviceId> sub_devices = {}) const;

  MeshDevice& mesh_;
  std::uint32_t id_;
  std::uint32_t events_ = 0;
};

}  // namespace tt::tt_metal
