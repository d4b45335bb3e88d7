#include "sw/runtime/mesh/mesh_command_queue.h"

#include <utility>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

bool MeshCommandQueue::issue() {
  if (commands_.empty() || !commands_.front().ready()) return false;
  const Command command = std::move(commands_.front());
  commands_.pop_front();
  command.act();
  return true;
}

void MeshCommandQueue::enqueue(Command command, bool blocking) {
  commands_.push_back(std::move(command));
  mesh_.give_commands();
  if (blocking) finish();
}

void MeshCommandQueue::refuse_in_trace(const char* what) const {
  if (traces_.capturing(id_))
    bad_use("command queue " + std::to_string(id_),
            std::string(what) + " while it captures a trace, which holds workloads only");
}

void MeshCommandQueue::check_buffer(const std::shared_ptr<MeshBuffer>& buffer) const {
  const std::string where = "command queue " + std::to_string(id_);
  if (buffer == nullptr) bad_use(where, "is given no buffer; expected a buffer of its mesh");
  if (&buffer->device() != &mesh_) bad_use(where, "is given a buffer of another mesh");
}

std::vector<SubDeviceId> MeshCommandQueue::or_stall_group(
    std::span<const SubDeviceId> sub_devices) const {
  if (sub_devices.empty()) return mesh_.get_sub_device_stall_group();
  for (const SubDeviceId id : sub_devices) mesh_.allocator(id);  // is there
  return {sub_devices.begin(), sub_devices.end()};
}

std::function<bool()> MeshCommandQueue::when_idle(std::span<const SubDeviceId> sub_devices) const {
  return [this, group = or_stall_group(sub_devices)] { return mesh_.idle(group); };
}

void MeshCommandQueue::enqueue_launch(std::shared_ptr<const MeshLaunch> launch) {
  enqueue({[this, launch] { return mesh_.can_start(*launch); },
           [this, launch] { mesh_.start(*launch); }},
          false);
}

void MeshCommandQueue::enqueue_mesh_workload(const MeshWorkload& workload, bool blocking) {
  std::vector<std::pair<unsigned, const Program*>> programs;
  for (const auto& [range, program] : workload.get_programs()) {
    mesh_.device_index(range.end_coord());  // is there
    for (const MeshCoordinate device : range.coords())
      programs.emplace_back(mesh_.device_index(device), &program);
  }
  if (programs.empty()) bad_use("mesh workload", "has no programs");
  auto launch = std::make_shared<const MeshLaunch>(mesh_.prepare(programs));
  if (traces_.capturing(id_)) {
    if (blocking) refuse_in_trace("a blocking workload");
    traces_.add(id_, std::move(launch));
    return;
  }
  enqueue_launch(std::move(launch));
  if (blocking) finish();
}

void MeshCommandQueue::enqueue_write_mesh_buffer(std::shared_ptr<MeshBuffer> buffer,
                                                 std::vector<std::uint8_t> bytes, bool blocking) {
  refuse_in_trace("a write");
  check_buffer(buffer);
  buffer->check_size(bytes.size());
  enqueue({when_idle(),
           [this, buffer = std::move(buffer), bytes = std::move(bytes)] {
             for (unsigned d = 0; d < mesh_.num_devices(); ++d) buffer->write(d, bytes);
           }},
          blocking);
}

void MeshCommandQueue::enqueue_write_shard(std::shared_ptr<MeshBuffer> buffer,
                                           std::vector<std::uint8_t> bytes, MeshCoordinate device,
                                           bool blocking) {
  refuse_in_trace("a write");
  check_buffer(buffer);
  buffer->check_size(bytes.size());
  enqueue({when_idle(), [buffer = std::move(buffer), bytes = std::move(bytes),
                         index = mesh_.device_index(device)] { buffer->write(index, bytes); }},
          blocking);
}

void MeshCommandQueue::enqueue_read_shard(std::vector<std::uint8_t>& destination,
                                          std::shared_ptr<MeshBuffer> buffer, MeshCoordinate device,
                                          bool blocking) {
  refuse_in_trace("a read");
  check_buffer(buffer);
  enqueue(
      {when_idle(), [&destination, buffer = std::move(buffer),
                     index = mesh_.device_index(device)] { destination = buffer->read(index); }},
      blocking);
}

void MeshCommandQueue::enqueue_host_function(std::function<void()> function, bool blocking) {
  refuse_in_trace("a host function");
  if (function == nullptr)
    bad_use("command queue " + std::to_string(id_), "is given nothing to do; expected a function");
  enqueue({when_idle(), std::move(function)}, blocking);
}

MeshEvent MeshCommandQueue::enqueue_record_event(std::span<const SubDeviceId> sub_devices) {
  refuse_in_trace("an event");
  const MeshEvent event(mesh_, ++events_, id_);
  enqueue({when_idle(sub_devices), [event] { event.record(); }}, false);
  return event;
}

void MeshCommandQueue::enqueue_wait_for_event(const MeshEvent& event) {
  refuse_in_trace("an event");
  if (&event.device() != &mesh_)
    bad_use("event " + std::to_string(event.id()), "is of another mesh");
  enqueue({[event] { return event.done(); }, [] {}}, false);
}

void MeshCommandQueue::enqueue_trace(MeshTraceId id, bool blocking) {
  refuse_in_trace("a trace");
  for (const auto& launch : traces_.launches(id)) {
    mesh_.check_current(*launch);
    enqueue_launch(launch);
  }
  if (blocking) finish();
}

void MeshCommandQueue::finish(std::span<const SubDeviceId> sub_devices) {
  const auto idle = when_idle(sub_devices);
  mesh_.wait_until([&] { return empty() && idle(); }, "the commands of a queue");
}

}  // namespace tvp::runtime
