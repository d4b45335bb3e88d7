#include "sw/runtime/mesh/command_queue.h"

#include <algorithm>
#include <utility>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tt::tt_metal {

using namespace tvp::runtime;
using tvp::runtime::distributed::MeshShards;

void CommandQueue::enqueue(Cluster::Command command, bool blocking) {
  mesh_.cluster().add_command(id_, std::move(command));
  if (blocking) finish();
}

void CommandQueue::refuse_in_trace(const char* what) const {
  if (mesh_.cluster().traces().capturing(id_))
    bad_use("command queue " + std::to_string(id_),
            std::string(what) + " while it captures a trace, which holds workloads only");
}

void CommandQueue::check_buffer(const std::shared_ptr<MeshBuffer>& buffer) const {
  const std::string where = "command queue " + std::to_string(id_);
  if (buffer == nullptr) bad_use(where, "is given no buffer; expected a buffer of its mesh");
  if (&buffer->cluster() != &mesh_.cluster()) bad_use(where, "is given a buffer of another mesh");
}

std::vector<SubDeviceId> CommandQueue::or_stall_group(
    std::span<const SubDeviceId> sub_devices) const {
  if (sub_devices.empty()) return mesh_.cluster().sub_device_stall_group();
  for (const SubDeviceId id : sub_devices) mesh_.bank_manager(id);  // throws if there is none
  return {sub_devices.begin(), sub_devices.end()};
}

std::function<bool()> CommandQueue::when_idle(std::span<const SubDeviceId> sub_devices) const {
  return [&cluster = mesh_.cluster(), group = or_stall_group(sub_devices)] {
    return cluster.idle(group);
  };
}

void CommandQueue::enqueue_launch(const std::shared_ptr<const MeshLaunch>& launch) {
  Cluster& cluster = mesh_.cluster();
  enqueue({[&cluster, launch] { return cluster.can_start(*launch); },
           [&cluster, launch] { cluster.start(*launch); }},
          false);
}

void CommandQueue::enqueue_mesh_workload(const MeshWorkload& workload, bool blocking) {
  std::vector<Cluster::Placed> programs;
  for (const auto& [range, program] : workload.get_programs()) {
    mesh_.device_index(range.end_coord());  // throws if there is none
    for (const MeshCoordinate device : range.coords())
      programs.emplace_back(mesh_.device_index(device), &program);
  }
  if (programs.empty()) bad_use("mesh workload", "has no programs");
  auto launch = std::make_shared<const MeshLaunch>(mesh_.cluster().prepare(programs));
  if (MeshTraces& traces = mesh_.cluster().traces(); traces.capturing(id_)) {
    if (blocking) refuse_in_trace("a blocking workload");
    traces.add(id_, std::move(launch));
    return;
  }
  enqueue_launch(launch);
  if (blocking) finish();
}

void CommandQueue::enqueue_program(const Program& program, bool blocking) {
  MeshWorkload workload;
  workload.add_program(MeshCoordinateRange(mesh_.shape()), Program(program));
  enqueue_mesh_workload(workload, blocking);
}

void CommandQueue::enqueue_write(const std::shared_ptr<MeshBuffer>& buffer,
                                 std::vector<std::uint8_t> bytes, std::vector<unsigned> devices,
                                 bool blocking) {
  refuse_in_trace("a write");
  check_buffer(buffer);
  buffer->check_size(bytes.size());
  enqueue(
      {when_idle(),
       [buffer, memory = buffer->memory(), bytes = std::move(bytes), devices = std::move(devices)] {
         for (const unsigned device : devices) buffer->write(device, bytes);
       }},
      blocking);
}

void CommandQueue::enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer,
                                             const void* source, bool blocking) {
  check_buffer(buffer);
  const auto* const first = static_cast<const std::uint8_t*>(source);
  if (first == nullptr) bad_use("EnqueueWriteMeshBuffer", "is given none; expected bytes to write");
  enqueue_write_mesh_buffer(buffer, std::span(first, buffer->size()), blocking);
}

void CommandQueue::enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer,
                                             std::span<const std::uint8_t> source, bool blocking) {
  check_buffer(buffer);
  const auto numbers = [&](const std::vector<MeshCoordinate>& coordinates) {
    std::vector<unsigned> devices;
    for (const MeshCoordinate device : coordinates) devices.push_back(mesh_.device_index(device));
    return devices;
  };
  if (buffer->global_layout() == MeshBufferLayout::REPLICATED) {
    enqueue_write(buffer, {source.begin(), source.end()},
                  numbers(MeshCoordinateRange(mesh_.shape()).coords()), blocking);
    return;
  }
  if (source.size() < buffer->size())
    bad_use("buffer", "is cut over the mesh: it takes " + std::to_string(buffer->size()) +
                          " bytes, and the source has " + std::to_string(source.size()));
  const MeshShards& shards = buffer->mesh_shards();
  for (const MeshShards::Part& part : shards.parts())
    enqueue_write(buffer, shards.gather(part, source.data()), numbers(part.devices), blocking);
}

void CommandQueue::enqueue_read_mesh_buffer(void* destination,
                                            const std::shared_ptr<MeshBuffer>& buffer, bool) {
  check_buffer(buffer);
  auto* const whole = static_cast<std::uint8_t*>(destination);
  if (whole == nullptr)
    bad_use("EnqueueReadMeshBuffer", "is given none; expected room for the bytes");
  std::vector<std::uint8_t> bytes;
  if (buffer->global_layout() == MeshBufferLayout::REPLICATED) {
    enqueue_read_shard(bytes, buffer, {0, 0}, true);
    std::copy(bytes.begin(), bytes.end(), whole);
    return;
  }
  const MeshShards& shards = buffer->mesh_shards();
  for (const MeshShards::Part& part : shards.parts()) {
    enqueue_read_shard(bytes, buffer, part.devices.front(), true);
    shards.scatter(part, bytes, whole);
  }
}

void CommandQueue::enqueue_write_shard(const std::shared_ptr<MeshBuffer>& buffer,
                                       std::vector<std::uint8_t> bytes, MeshCoordinate device,
                                       bool blocking) {
  enqueue_write(buffer, std::move(bytes), {mesh_.device_index(device)}, blocking);
}

void CommandQueue::enqueue_read_shard(std::vector<std::uint8_t>& destination,
                                      const std::shared_ptr<MeshBuffer>& buffer,
                                      MeshCoordinate device, bool blocking) {
  refuse_in_trace("a read");
  check_buffer(buffer);
  enqueue(
      {when_idle(), [&destination, buffer, memory = buffer->memory(),
                     index = mesh_.device_index(device)] { destination = buffer->read(index); }},
      blocking);
}

void CommandQueue::enqueue_host_function(std::function<void()> function, bool blocking) {
  refuse_in_trace("a host function");
  if (function == nullptr)
    bad_use("command queue " + std::to_string(id_), "is given nothing to do; expected a function");
  enqueue({when_idle(), std::move(function)}, blocking);
}

MeshEvent CommandQueue::enqueue_record_event(std::span<const SubDeviceId> sub_devices) {
  refuse_in_trace("an event");
  MeshEvent event(mesh_, ++events_, id_);
  enqueue({when_idle(sub_devices), [event] { event.record(); }}, false);
  return event;
}

void CommandQueue::enqueue_wait_for_event(const MeshEvent& event) {
  refuse_in_trace("an event");
  if (&event.cluster() != &mesh_.cluster())
    bad_use("event " + std::to_string(event.id()), "is of another mesh");
  enqueue({[event] { return event.done(); }, [] {}}, false);
}

void CommandQueue::enqueue_trace(MeshTraceId id, bool blocking) {
  refuse_in_trace("a trace");
  for (const auto& launch : mesh_.cluster().traces().launches(id)) {
    mesh_.cluster().check_current(*launch);
    enqueue_launch(launch);
  }
  if (blocking) finish();
}

void CommandQueue::finish(std::span<const SubDeviceId> sub_devices) {
  Cluster& cluster = mesh_.cluster();
  const auto idle = when_idle(sub_devices);
  cluster.wait_until([&] { return !cluster.has_commands(id_) && idle(); },
                     "the commands of a queue");
}

}  // namespace tt::tt_metal
