#include "sw/runtime/mesh/i_device.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "foundation/source_root.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_command_queue.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/mesh/shared_cluster.h"

namespace tvp::runtime {
namespace {

std::string text_of(const MeshShape& shape) {
  return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

}  // namespace
}  // namespace tvp::runtime

namespace tt::tt_metal {

using namespace tvp::runtime;
using distributed::MeshCommandQueue;
using distributed::MeshDevice;

IDevice::IDevice(std::shared_ptr<Cluster> cluster, bool shared, std::vector<unsigned> devices,
                 const MeshShape& shape, const DispatchCoreConfig& dispatch,
                 std::shared_ptr<MeshDevice> parent)
    : cluster_(std::move(cluster)),
      shared_(shared),
      devices_(std::move(devices)),
      shape_(shape),
      dispatch_(dispatch),
      parent_(std::move(parent)),
      allocator_(std::make_unique<Allocator>(*this, std::nullopt)) {
  cluster_->add_mesh();
  for (std::uint32_t i = 0; i < kCommandQueues; ++i)
    queues_.push_back(std::make_unique<MeshCommandQueue>(mesh(), i));
}

MeshDevice& IDevice::mesh() const {
  // No other class derives from it.
  return const_cast<MeshDevice&>(static_cast<const MeshDevice&>(*this));  // NOLINT
}

IDevice::~IDevice() {
  if (cluster_ != nullptr) cluster_->remove_mesh();
}

std::shared_ptr<MeshDevice> IDevice::part(std::vector<unsigned> devices, const MeshShape& shape,
                                          std::shared_ptr<MeshDevice> parent) const {
  cluster();  // throws if it is closed
  return std::shared_ptr<MeshDevice>(
      new MeshDevice(cluster_, shared_, std::move(devices), shape, dispatch_, std::move(parent)));
}

void IDevice::check_shape(const MeshShape& shape, unsigned devices) {
  if (std::uint64_t{shape.rows} * shape.columns != devices)
    bad_use("mesh",
            "a shape of " + text_of(shape) + " for " + std::to_string(devices) + " devices");
}

void IDevice::reshape(const MeshShape& shape) {
  check_shape(shape, num_devices());
  shape_ = shape;
}

unsigned IDevice::number_of(unsigned device) const {
  if (device >= devices_.size())
    bad_use("device " + std::to_string(device),
            "the system has " + std::to_string(devices_.size()) + " devices");
  return devices_[device];
}

Device& IDevice::device(unsigned index) const { return cluster().device(number_of(index)); }

unsigned IDevice::device_index(MeshCoordinate device) const {
  if (device.row >= shape_.rows || device.column >= shape_.columns)
    bad_use("device " + device.str(), "is outside the mesh of " + text_of(shape_));
  return devices_[device.row * shape_.columns + device.column];
}

std::vector<IDevice*> IDevice::get_devices() const {
  if (units_.empty())
    for (const unsigned device : devices_) units_.push_back(part({device}, {1, 1}, nullptr));
  std::vector<IDevice*> all;
  for (const auto& unit : units_) all.push_back(unit.get());
  return all;
}

std::vector<int> IDevice::get_device_ids() const { return {devices_.begin(), devices_.end()}; }

MeshDevice* IDevice::get_device(const MeshCoordinate& device) const {
  const auto found = std::find(devices_.begin(), devices_.end(), device_index(device));
  return &get_devices()[static_cast<std::size_t>(found - devices_.begin())]->mesh();
}

MeshDevice* IDevice::get_device(std::size_t row, std::size_t column) const {
  return get_device({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
}

std::shared_ptr<MeshDevice> IDevice::create_submesh(const MeshShape& shape,
                                                    const std::optional<MeshCoordinate>& offset) {
  const MeshCoordinate first = offset.value_or(MeshCoordinate{0, 0});
  const std::string where = "submesh of " + text_of(shape) + " devices from " + first.str() + " on";
  const auto fits = [](std::uint32_t from, std::uint32_t size, std::uint32_t all) {
    return size != 0 && from <= all && size <= all - from;
  };
  if (!fits(first.row, shape.rows, shape_.rows) ||
      !fits(first.column, shape.columns, shape_.columns))
    bad_use(where, "is no part of the mesh, which has " + text_of(shape_));
  auto parent = mesh().weak_from_this().lock();
  if (parent == nullptr) bad_use(where, "its mesh is not held by a shared pointer");
  std::vector<unsigned> devices;
  for (const MeshCoordinate device : MeshCoordinateRange(shape).coords())
    devices.push_back(device_index({first.row + device.row, first.column + device.column}));
  auto submesh = part(std::move(devices), shape, std::move(parent));
  submeshes_.push_back(submesh);
  return submesh;
}

std::vector<std::shared_ptr<MeshDevice>> IDevice::create_submeshes(const MeshShape& shape) {
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

std::vector<std::shared_ptr<MeshDevice>> IDevice::get_submeshes() const {
  std::vector<std::shared_ptr<MeshDevice>> held;
  for (const auto& part : submeshes_)
    if (auto one = part.lock()) held.push_back(std::move(one));
  return held;
}

void IDevice::quiesce_devices() {
  // The queues of all parts are those of the cluster.
  for (const auto& queue : queues_) queue->finish();
}

bool IDevice::close() {
  if (cluster_ == nullptr) return false;
  quiesce_devices();
  cluster_->remove_mesh();
  cluster_.reset();
  return true;
}

std::unordered_set<CoreCoord> IDevice::get_active_ethernet_cores(bool) const {
  const unsigned first = device(0).index();
  std::unordered_set<CoreCoord> active;
  for (const MeshLink& link : links()) {
    if (link.device_a == first) active.insert({0, link.channel_a});
    if (link.device_b == first) active.insert({0, link.channel_b});
  }
  return active;
}

std::unordered_set<CoreCoord> IDevice::get_inactive_ethernet_cores() const {
  const std::unordered_set<CoreCoord> active = get_active_ethernet_cores();
  std::unordered_set<CoreCoord> others;
  for (std::uint32_t channel = 0; channel < layout().ethernet_channels(); ++channel)
    if (!active.contains({0, channel})) others.insert({0, channel});
  return others;
}

CoreCoord IDevice::compute_with_storage_grid_size() const {
  CoreCoord grid = layout().grid_size();
  if (dispatch_.type == DispatchCoreType::WORKER && grid.y > 1) --grid.y;
  return grid;
}

std::vector<CoreCoord> IDevice::worker_cores_from_logical_cores(
    const std::vector<CoreCoord>& cores) const {
  std::vector<CoreCoord> all;
  for (const CoreCoord core : cores) all.push_back(worker_core_from_logical_core(core));
  return all;
}

CoreCoord IDevice::virtual_core_from_logical_core(CoreCoord core, CoreType type) const {
  if (type == CoreType::ETH || type == CoreType::ACTIVE_ETH || type == CoreType::IDLE_ETH)
    return ethernet_core_from_logical_core(core);
  refuse_other_than_worker(type);
  return worker_core_from_logical_core(core);
}

const std::unique_ptr<Allocator>& IDevice::allocator(SubDeviceId id) const {
  whole().bank_manager(id);  // throws if there is none
  auto& one = of_sub_devices_[id];
  if (one == nullptr) one = std::make_unique<Allocator>(*this, id);
  return one;
}

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address() const {
  return allocator_->lowest_l1();
}

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address(
    std::span<const SubDeviceId> ids) const {
  std::optional<DeviceAddr> lowest = lowest_occupied_compute_l1_address();
  for (const SubDeviceId id : ids)
    if (const auto own = allocator(id)->lowest_l1(); own && (!lowest || *own < *lowest))
      lowest = own;
  return lowest;
}

Cluster& IDevice::cluster() const {
  if (cluster_ == nullptr)
    bad_use("device " + std::to_string(devices_.front()), "is used after it was closed");
  return *cluster_;
}

std::shared_ptr<const void> IDevice::keep_open() const { return shared_ ? cluster_ : nullptr; }

Cluster& IDevice::whole() const {
  if (num_devices() != cluster().num_devices())
    bad_use("sub-devices", "are of all " + std::to_string(cluster().num_devices()) +
                               " devices of the system at once; this is a part of " +
                               std::to_string(num_devices()));
  return cluster();
}

SubDeviceManagerId IDevice::create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                                      DeviceAddr local_l1_size) {
  return whole().create_sub_device_manager(sub_devices, local_l1_size);
}
SubDeviceManagerId IDevice::create_sub_device_manager(std::initializer_list<SubDevice> sub_devices,
                                                      DeviceAddr local_l1_size) {
  return create_sub_device_manager(std::span(sub_devices.begin(), sub_devices.size()),
                                   local_l1_size);
}
void IDevice::load_sub_device_manager(SubDeviceManagerId id) {
  whole().load_sub_device_manager(id);
}
void IDevice::clear_loaded_sub_device_manager() { whole().clear_loaded_sub_device_manager(); }
void IDevice::remove_sub_device_manager(SubDeviceManagerId id) {
  whole().remove_sub_device_manager(id);
}
SubDeviceManagerId IDevice::get_active_sub_device_manager_id() const {
  return whole().active_sub_device_manager_id();
}
std::vector<SubDeviceId> IDevice::get_sub_device_stall_group() const {
  return whole().sub_device_stall_group();
}
void IDevice::set_sub_device_stall_group(std::span<const SubDeviceId> ids) {
  whole().set_sub_device_stall_group(ids);
}
void IDevice::reset_sub_device_stall_group() { whole().reset_sub_device_stall_group(); }

MeshCommandQueue& IDevice::command_queue(std::size_t id) const {
  if (id >= queues_.size())
    bad_use("command queue " + std::to_string(id),
            "a mesh has queues 0 to " + std::to_string(queues_.size() - 1));
  return *queues_[id];
}

MeshTraceId IDevice::begin_mesh_trace(std::uint32_t queue) {
  command_queue(queue);  // throws if there is none
  return cluster().traces().begin(queue);
}

void IDevice::end_mesh_trace(std::uint32_t queue, const MeshTraceId& id) {
  cluster().traces().end(queue, id);
}

void IDevice::replay_mesh_trace(std::uint32_t queue, const MeshTraceId& id, bool blocking) {
  command_queue(queue).enqueue_trace(id, blocking);
}

void IDevice::enqueue(unsigned device, const Program& program) {
  cluster().enqueue({{number_of(device), &program}});
}

void IDevice::enqueue_all(const std::vector<Program>& programs) {
  std::vector<Cluster::Placed> placed;
  for (unsigned i = 0; i < programs.size(); ++i)
    if (!programs[i].kernels().empty()) placed.emplace_back(number_of(i), &programs[i]);
  cluster().enqueue(placed);
}

}  // namespace tt::tt_metal
