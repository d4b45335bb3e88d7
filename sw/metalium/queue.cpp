#include "sw/metalium/queue.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"

namespace tt::tt_metal {
namespace distributed {

using tvp::runtime::bad_use;

MeshDevice& MeshCommandQueue::mesh() const { return static_cast<MeshDevice&>(device_); }

tvp::runtime::MeshCommandQueue& MeshCommandQueue::queue() const {
  return device_.machine()->mesh().mesh_command_queue(id_);
}

MeshCoordinate MeshCommandQueue::in_machine(MeshCoordinate device) const {
  return device_.machine()->coordinate(mesh().device_index(device));
}

void MeshCommandQueue::enqueue_mesh_workload(MeshWorkload& workload, bool blocking) {
  MeshWorkload parts;
  for (const auto& [devices, program] : workload.get_programs())
    for (const MeshCoordinate device : devices.coords())
      parts.add_program(MeshCoordinateRange(in_machine(device)), Program(program));
  queue().enqueue_mesh_workload(parts, blocking);
}

void MeshCommandQueue::enqueue_program(Program& program, bool blocking) {
  MeshWorkload workload;
  workload.add_program(MeshCoordinateRange(mesh().shape()), Program(program));
  enqueue_mesh_workload(workload, blocking);
}

void MeshCommandQueue::enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer,
                                                 const void* source, bool blocking) {
  const MeshBuffer& to = named(buffer.get(), "EnqueueWriteMeshBuffer", "a buffer");
  named(static_cast<const std::uint8_t*>(source), "EnqueueWriteMeshBuffer", "bytes to write");
  if (to.global_layout() == MeshBufferLayout::REPLICATED)
    return write(to.buffer(), source, blocking);
  const MeshShards& shards = to.shards();
  for (const MeshShards::Part& part : shards.parts()) {
    const std::vector<std::uint8_t> bytes =
        shards.gather(part, static_cast<const std::uint8_t*>(source));
    for (const MeshCoordinate device : part.devices)
      write(to.buffer(), bytes.data(), device, blocking);
  }
}

void MeshCommandQueue::enqueue_read_mesh_buffer(void* destination,
                                                const std::shared_ptr<MeshBuffer>& buffer, bool) {
  auto* const whole = static_cast<std::uint8_t*>(destination);
  const MeshBuffer& from = named(buffer.get(), "EnqueueReadMeshBuffer", "a buffer");
  named(whole, "EnqueueReadMeshBuffer", "room for the bytes");
  if (from.global_layout() == MeshBufferLayout::REPLICATED) {
    const std::vector<std::uint8_t> bytes = read(from.buffer(), {0, 0});
    std::copy(bytes.begin(), bytes.end(), whole);
    return;
  }
  const MeshShards& shards = from.shards();
  for (const MeshShards::Part& part : shards.parts())
    shards.scatter(part, read(from.buffer(), part.devices.front()), whole);
}

void MeshCommandQueue::write(const Buffer& buffer, const void* source, bool blocking) {
  for (const MeshCoordinate device : MeshCoordinateRange(mesh().shape()).coords())
    write(buffer, source, device, blocking);
}

void MeshCommandQueue::write(const Buffer& buffer, const void* source, MeshCoordinate device,
                             bool blocking) {
  const auto* first = static_cast<const std::uint8_t*>(source);
  queue().enqueue_write_shard(buffer.shared_memory(), {first, first + buffer.size()},
                              in_machine(device), blocking);
}

std::vector<std::uint8_t> MeshCommandQueue::read(const Buffer& buffer, MeshCoordinate device) {
  std::vector<std::uint8_t> bytes;
  queue().enqueue_read_shard(bytes, buffer.shared_memory(), in_machine(device), true);
  return bytes;
}

MeshEvent MeshCommandQueue::enqueue_record_event(std::span<const SubDeviceId> sub_devices) {
  return queue().enqueue_record_event(sub_devices);
}

void MeshCommandQueue::enqueue_wait_for_event(const MeshEvent& event) {
  queue().enqueue_wait_for_event(event);
}

void MeshCommandQueue::finish(std::span<const SubDeviceId> sub_devices) {
  queue().finish(sub_devices);
}

void check_source(std::size_t bytes, std::uint64_t takes) {
  if (bytes < takes)
    bad_use("buffer", "takes " + std::to_string(takes) + " bytes, and the source has " +
                          std::to_string(bytes));
}

void Synchronize(MeshDevice* mesh, std::optional<std::uint8_t> queue,
                 std::span<const SubDeviceId> sub_devices) {
  named(mesh, "Synchronize", "a mesh");
  for (std::uint8_t id = 0; id < mesh->num_hw_cqs(); ++id)
    if (id == queue.value_or(id)) mesh->mesh_command_queue(id).finish(sub_devices);
}

}  // namespace distributed

namespace detail {

void LaunchProgram(IDevice* device, Program& program, bool wait_until_cores_done, bool) {
  named(device, "LaunchProgram", "a device")
      .command_queue()
      .enqueue_program(program, wait_until_cores_done);
}

void WaitProgramDone(IDevice* device, Program&, bool) {
  named(device, "WaitProgramDone", "a device").command_queue().finish();
}

}  // namespace detail

}  // namespace tt::tt_metal
