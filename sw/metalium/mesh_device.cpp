#include <algorithm>
#include <numeric>
#include <string>

#include "sw/metalium/device.h"
#include "sw/metalium/queue.h"
#include "sw/runtime/errors.h"

namespace tt::tt_metal::distributed {
namespace {

using tvp::metalium::Machine;
using tvp::runtime::bad_use;

std::string text_of(const MeshShape& shape) {
  return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

}  // namespace

MeshDevice::MeshDevice(std::shared_ptr<Machine> machine, std::vector<unsigned> devices,
                       const MeshShape& shape, const DispatchCoreConfig& dispatch,
                       std::shared_ptr<MeshDevice> parent)
    : IDevice(std::move(machine), devices.at(0), dispatch),
      shape_(shape),
      devices_(std::move(devices)),
      parent_(std::move(parent)) {}

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig& config, std::size_t,
                                               std::size_t, std::size_t,
                                               const DispatchCoreConfig& dispatch) {
  auto machine = Machine::get();
  const MeshShape shape = config.mesh_shape.value_or(machine->mesh().shape());
  // A part of the system is a view of its first devices; more than it has are refused.
  const std::size_t all = machine->mesh().num_devices();
  if (shape.mesh_size() == 0 || shape.rows > all || shape.columns > all || shape.mesh_size() >= all)
    machine->mesh().reshape(shape);
  std::vector<unsigned> devices(shape.mesh_size());
  std::iota(devices.begin(), devices.end(), 0U);
  return std::make_shared<MeshDevice>(std::move(machine), std::move(devices), shape, dispatch);
}

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(int device_id, std::size_t, std::size_t,
                                                         std::size_t,
                                                         const DispatchCoreConfig& dispatch) {
  auto machine = Machine::get();
  const unsigned index = machine->device_number(device_id);
  return std::make_shared<MeshDevice>(std::move(machine), std::vector<unsigned>{index},
                                      MeshShape{1, 1}, dispatch);
}

std::map<int, std::shared_ptr<MeshDevice>> MeshDevice::create_unit_meshes(
    const std::vector<int>& device_ids, std::size_t l1_small_size, std::size_t trace_region_size,
    std::size_t num_command_queues, const DispatchCoreConfig& dispatch) {
  std::map<int, std::shared_ptr<MeshDevice>> meshes;
  for (const int id : device_ids)
    meshes[id] =
        create_unit_mesh(id, l1_small_size, trace_region_size, num_command_queues, dispatch);
  return meshes;
}

std::shared_ptr<MeshDevice> MeshDevice::create_submesh(
    const MeshShape& shape, const std::optional<MeshCoordinate>& offset) {
  const MeshCoordinate first = offset.value_or(MeshCoordinate{0, 0});
  const auto fits = [](std::uint32_t from, std::uint32_t size, std::uint32_t all) {
    return size != 0 && from <= all && size <= all - from;
  };
  if (!fits(first.row, shape.rows, shape_.rows) ||
      !fits(first.column, shape.columns, shape_.columns))
    bad_use("submesh of " + text_of(shape) + " devices from " + first.str() + " on",
            "is no part of the mesh, which has " + text_of(shape_));
  std::vector<unsigned> devices;
  for (const MeshCoordinate device : MeshCoordinateRange(shape).coords())
    devices.push_back(device_index({first.row + device.row, first.column + device.column}));
  auto part = std::make_shared<MeshDevice>(machine(), std::move(devices), shape, dispatch(),
                                           shared_from_this());
  submeshes_.push_back(part);
  return part;
}

std::vector<std::shared_ptr<MeshDevice>> MeshDevice::create_submeshes(const MeshShape& shape) {
  if (shape.rows == 0 || shape.columns == 0 || shape_.rows % shape.rows != 0 ||
      shape_.columns % shape.columns != 0)
    bad_use("submeshes of " + text_of(shape) + " devices",
            "do not divide the mesh, which has " + text_of(shape_));
  std::vector<std::shared_ptr<MeshDevice>> parts;
  for (std::uint32_t row = 0; row < shape_.rows; row += shape.rows)
    for (std::uint32_t column = 0; column < shape_.columns; column += shape.columns)
      parts.push_back(create_submesh(shape, MeshCoordinate{row, column}));
  return parts;
}

std::vector<std::shared_ptr<MeshDevice>> MeshDevice::get_submeshes() const {
  std::vector<std::shared_ptr<MeshDevice>> held;
  for (const auto& part : submeshes_)
    if (auto one = part.lock()) held.push_back(std::move(one));
  return held;
}

void MeshDevice::quiesce_devices() {
  // The queues of all parts are those of the machine.
  for (std::uint8_t id = 0; id < num_hw_cqs(); ++id) command_queue(id).finish();
}

std::vector<IDevice*> MeshDevice::get_devices() const {
  if (units_.empty())
    for (const unsigned device : devices_)
      units_.push_back(std::make_shared<MeshDevice>(machine(), std::vector<unsigned>{device},
                                                    MeshShape{1, 1}, dispatch()));
  std::vector<IDevice*> all;
  for (const auto& unit : units_) all.push_back(unit.get());
  return all;
}

std::vector<int> MeshDevice::get_device_ids() const { return {devices_.begin(), devices_.end()}; }

IDevice* MeshDevice::get_device(const MeshCoordinate& device) const {
  const auto found = std::find(devices_.begin(), devices_.end(), device_index(device));
  return get_devices()[static_cast<std::size_t>(found - devices_.begin())];
}

IDevice* MeshDevice::get_device(std::size_t row, std::size_t column) const {
  return get_device({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
}

unsigned MeshDevice::device_index(MeshCoordinate device) const {
  if (device.row >= shape_.rows || device.column >= shape_.columns)
    bad_use("device " + device.str(), "the mesh has " + text_of(shape_));
  return devices_[device.row * shape_.columns + device.column];
}

MeshTraceId MeshDevice::begin_mesh_trace(std::uint8_t queue) {
  return machine()->mesh().begin_mesh_trace(queue);
}
void MeshDevice::end_mesh_trace(std::uint8_t queue, const MeshTraceId& id) {
  machine()->mesh().end_mesh_trace(queue, id);
}
void MeshDevice::replay_mesh_trace(std::uint8_t queue, const MeshTraceId& id, bool blocking) {
  machine()->mesh().replay_mesh_trace(queue, id, blocking);
}
void MeshDevice::release_mesh_trace(const MeshTraceId& id) {
  machine()->mesh().release_mesh_trace(id);
}

}  // namespace tt::tt_metal::distributed
