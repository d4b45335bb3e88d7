#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/mesh/mesh_event.h"
#include "sw/runtime/mesh/mesh_traces.h"
#include "sw/runtime/programs/mesh_workload.h"

namespace tvp::runtime {

/// What the host wants done on a mesh, in order, without waiting for it (tt-metal's
/// tt-metalium/mesh_command_queue.hpp). A workload starts when the programs before it on its
/// sub-devices have ended; programs on other sub-devices run beside it. Reads, writes and events
/// wait for the stall group. Queues of a mesh are independent but for events, and the host looks
/// after them, in the order of their numbers, whenever it waits.
class MeshCommandQueue {
 public:
  MeshCommandQueue(MeshDevice& mesh, MeshTraces& traces, std::uint32_t id)
      : mesh_(mesh), traces_(traces), id_(id) {}
  MeshCommandQueue(const MeshCommandQueue&) = delete;
  MeshCommandQueue& operator=(const MeshCommandQueue&) = delete;

  MeshDevice& device() const { return mesh_; }
  std::uint32_t id() const { return id_; }

  // Bad use is refused here and now: Fault(kDescription). `blocking`: as finish() right after.
  void enqueue_mesh_workload(const MeshWorkload& workload, bool blocking);
  /// The same bytes on all devices, or on one.
  void enqueue_write_mesh_buffer(std::shared_ptr<MeshBuffer> buffer,
                                 std::vector<std::uint8_t> bytes, bool blocking);
  void enqueue_write_shard(std::shared_ptr<MeshBuffer> buffer, std::vector<std::uint8_t> bytes,
                           MeshCoordinate device, bool blocking);
  /// `destination` must live until the queue has come to it.
  void enqueue_read_shard(std::vector<std::uint8_t>& destination,
                          std::shared_ptr<MeshBuffer> buffer, MeshCoordinate device, bool blocking);
  /// The host does something of its own when everything before has ended; it must not throw, nor
  /// wait for the mesh.
  void enqueue_host_function(std::function<void()> function, bool blocking);
  /// Of these sub-devices, or of the stall group.
  MeshEvent enqueue_record_event(std::span<const SubDeviceId> sub_devices = {});
  /// Of this queue or another one of the mesh.
  void enqueue_wait_for_event(const MeshEvent& event);
  void enqueue_trace(MeshTraceId id, bool blocking);

  /// Lets time pass until all commands have been given and these sub-devices, or the stall group,
  /// have finished. Throws HangError, TimeLimitError, or the Fault that stopped the simulation.
  void finish(std::span<const SubDeviceId> sub_devices = {});

  /// Gives the first command if its time has come.
  bool issue();
  bool empty() const { return commands_.empty(); }

 private:
  struct Command {
    std::function<bool()> ready;
    std::function<void()> act;
  };

  void enqueue(Command command, bool blocking);
  void enqueue_launch(std::shared_ptr<const MeshLaunch> launch);
  void refuse_in_trace(const char* what) const;
  /// Of a write or read that names none, or one of another mesh.
  void check_buffer(const std::shared_ptr<MeshBuffer>& buffer) const;
  std::vector<SubDeviceId> or_stall_group(std::span<const SubDeviceId> sub_devices) const;
  /// Ready when the stall group, of the time of this call, is idle.
  std::function<bool()> when_idle(std::span<const SubDeviceId> sub_devices = {}) const;

  MeshDevice& mesh_;
  MeshTraces& traces_;
  std::uint32_t id_;
  std::uint32_t events_ = 0;
  std::deque<Command> commands_;
};

}  // namespace tvp::runtime
