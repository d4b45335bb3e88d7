#include "sw/metalium/buffer.h"

#include "sw/runtime/errors.h"

namespace tt::tt_metal {
namespace {

using tvp::runtime::bad_use;

IDevice& device_of(IDevice* device) {
  if (device == nullptr) bad_use("buffer", "its configuration names no device");
  return *device;
}

std::shared_ptr<tvp::runtime::MeshBuffer> sharded(IDevice& device, DeviceAddr size,
                                                  DeviceAddr page_size, BufferType type,
                                                  TensorMemoryLayout layout,
                                                  const ShardSpecBuffer& shards,
                                                  std::optional<SubDeviceId> sub_device) {
  return tvp::runtime::MeshBuffer::create(
      device.machine()->mesh(),
      tvp::runtime::ShardedBufferConfig{.size = size,
                                        .page_size = page_size,
                                        .buffer_type = type,
                                        .buffer_layout = layout,
                                        .shard_parameters = shards},
      sub_device);
}

std::shared_ptr<tvp::runtime::MeshBuffer> interleaved(IDevice& device, DeviceAddr size,
                                                      DeviceAddr page_size, BufferType type) {
  return tvp::runtime::MeshBuffer::create(
      device.machine()->mesh(), tvp::runtime::InterleavedBufferConfig{size, page_size, type});
}

}  // namespace

Buffer::Buffer(IDevice* device, std::shared_ptr<tvp::runtime::MeshBuffer> memory)
    : device_(device),
      machine_(device->machine()),
      memory_(std::move(memory)),
      address_(memory_->address()),
      size_(memory_->size()),
      page_size_(memory_->page_size()),
      type_(memory_->type()) {}

tvp::runtime::MeshBuffer& Buffer::memory() const { return *shared_memory(); }

const std::shared_ptr<tvp::runtime::MeshBuffer>& Buffer::shared_memory() const {
  if (memory_ == nullptr) bad_use("buffer", "is used after it was deallocated");
  return memory_;
}

CoreCoord Buffer::noc_coordinates(std::uint32_t bank) const {
  if (!is_dram()) bad_use("buffer", "only one in DRAM has banks with coordinates of their own");
  return device_->runtime_device().layout().dram_noc0(bank);
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config) {
  IDevice& device = device_of(config.device);
  return std::make_shared<Buffer>(
      &device, interleaved(device, config.size, config.page_size, config.buffer_type));
}

namespace {

std::shared_ptr<Buffer> create_sharded(const ShardedBufferConfig& config,
                                       std::optional<SubDeviceId> sub_device) {
  IDevice& device = device_of(config.device);
  if (!config.shard_parameters) bad_use("buffer", "a sharded buffer needs shard_parameters");
  return std::make_shared<Buffer>(
      &device, sharded(device, config.size, config.page_size, config.buffer_type,
                       config.buffer_layout, *config.shard_parameters, sub_device));
}

}  // namespace

std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config) {
  return create_sharded(config, std::nullopt);
}
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, SubDeviceId sub_device) {
  return create_sharded(config, sub_device);
}

namespace distributed {

MeshBuffer::MeshBuffer(MeshDevice* device, std::shared_ptr<tvp::runtime::MeshBuffer> memory,
                       std::optional<MeshShards> shards)
    : mesh_(device), buffer_(device, std::move(memory)), shards_(std::move(shards)) {}

std::shared_ptr<MeshBuffer> MeshBuffer::create(const MeshBufferConfig& config,
                                               const DeviceLocalBufferConfig& local,
                                               MeshDevice* device,
                                               std::optional<DeviceAddr> address) {
  device_of(device);
  if (address)
    bad_use("mesh buffer", "at an address of the program's own; the allocator chooses it here");
  std::optional<MeshShards> over_mesh;
  if (const auto* cut = std::get_if<ShardedBufferConfig>(&config))
    over_mesh.emplace(*cut, device->shape());
  const DeviceAddr size =
      over_mesh ? over_mesh->part_bytes() : std::get<ReplicatedBufferConfig>(config).size;
  const auto& on_device = local.sharding_args.spec;
  if (local.sub_device_id && !on_device)
    bad_use("mesh buffer", "L1 of a sub-device's own is for shards; this one is interleaved");
  auto memory = on_device ? sharded(*device, size, local.page_size, local.buffer_type,
                                    local.sharding_args.layout, *on_device, local.sub_device_id)
                          : interleaved(*device, size, local.page_size, local.buffer_type);
  return std::make_shared<MeshBuffer>(device, std::move(memory), std::move(over_mesh));
}

const MeshShards& MeshBuffer::shards() const {
  if (!shards_) bad_use("mesh buffer", "is the same on all devices: it has no shards");
  return *shards_;
}

}  // namespace distributed

namespace detail {

void WriteToBuffer(Buffer& buffer, std::span<const std::uint8_t> bytes) {
  buffer.memory().write(buffer.device()->first_device(), bytes);
}

std::vector<std::uint8_t> ReadFromBuffer(Buffer& buffer) {
  return buffer.memory().read(buffer.device()->first_device());
}

}  // namespace detail

}  // namespace tt::tt_metal
