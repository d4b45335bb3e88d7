#include "sw/runtime/buffers/mesh_buffer.h"

#include <limits>
#include <string>
#include <utility>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {
namespace {

void check_type(BufferType type) {
  if (type != BufferType::DRAM && type != BufferType::L1)
    bad_use("buffer", "memory of kind " + std::to_string(static_cast<unsigned>(type)) +
                          "; expected DRAM or L1");
}

/// No chip has larger numbers, and sizes computed from them would wrap around.
void check_counts(std::uint64_t page_size, std::uint64_t pages) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (page_size > kMost)
    bad_use("buffer", "pages of " + std::to_string(page_size) + " bytes; expected at most " +
                          std::to_string(kMost));
  if (pages > kMost)
    bad_use("buffer", std::to_string(pages) + " pages; expected at most " + std::to_string(kMost));
}

/// The short form names its cores, the other one its layout.
ShardLayout layout_of(const ShardedBufferConfig& config) {
  if (!config.shard_parameters) {
    if (config.cores.ranges().empty()) bad_use("buffer", "a sharded buffer needs cores");
    if (config.size != 0 || config.page_size != 0 || config.buffer_type != BufferType::L1)
      bad_use("buffer", "a sharded buffer of a size and pages needs shard_parameters");
    return ShardLayout(config.cores.cores());
  }
  if (!config.cores.ranges().empty() || config.shard_bytes != 0)
    bad_use("buffer", "cores and shard_bytes are given beside shard_parameters");
  ShardLayout layout(config.buffer_layout, *config.shard_parameters);
  check_counts(config.page_size, layout.pages());
  if (config.page_size == 0 || config.page_size % 16 != 0)
    bad_use("buffer", "pages of a sharded buffer have a multiple of 16 bytes, not " +
                          std::to_string(config.page_size));
  if (config.size != layout.pages() * config.page_size)
    bad_use("buffer", "its size of " + std::to_string(config.size) + " bytes is not that of its " +
                          std::to_string(layout.pages()) + " pages of " +
                          std::to_string(config.page_size));
  return layout;
}

void check_cores(Cluster& cluster, BufferType type, const std::vector<CoreCoord>& cores,
                 std::optional<SubDeviceId> sub_device) {
  if (type == BufferType::DRAM) {
    if (sub_device) bad_use("buffer", "a sub-device has L1 of its own, but no DRAM");
    for (const CoreCoord core : cores)
      if (core.y != 0 || core.x >= cluster.dram_banks())
        bad_use("buffer", "shards in DRAM are on (bank, 0) of " +
                              std::to_string(cluster.dram_banks()) + " banks, not on " +
                              core.str());
    return;
  }
  for (unsigned d = 0; d < cluster.num_devices(); ++d)
    for (const CoreCoord core : cores)
      cluster.device(d).layout().worker_noc0(core);  // throws if it does not exist
  if (!sub_device) return;
  const CoreRangeSet own = cluster.worker_cores(HalProgrammableCoreType::TENSIX, *sub_device);
  for (const CoreCoord core : cores)
    if (!own.contains(core))
      bad_use("buffer", "core " + core.str() + " of a shard is not one of sub-device " +
                            std::to_string(**sub_device));
}

}  // namespace
}  // namespace tvp::runtime

namespace tt::tt_metal::distributed {

using namespace tvp::runtime;

std::shared_ptr<MeshBuffer> MeshBuffer::create(MeshDevice& mesh,
                                               const InterleavedBufferConfig& config) {
  if (config.page_size == 0 || config.size % config.page_size != 0)
    bad_use("buffer", "its size of " + std::to_string(config.size) +
                          " bytes is not a multiple of the page size " +
                          std::to_string(config.page_size));
  check_type(config.buffer_type);
  const std::uint64_t banks =
      config.buffer_type == BufferType::DRAM ? mesh.dram_banks() : mesh.l1_banks();
  const std::uint64_t pages = config.size / config.page_size;
  check_counts(config.page_size, pages);
  const std::uint64_t rows = (pages + banks - 1) / banks;
  std::shared_ptr<MeshBuffer> buffer(new MeshBuffer(
      mesh, mesh.bank_manager(config.buffer_type), config.buffer_type, config.size,
      config.page_size,
      rows * aligned(config.page_size, config.buffer_type, mesh.bank_manager(config.buffer_type)),
      std::nullopt));
  buffer->local_ = {.page_size = config.page_size, .buffer_type = config.buffer_type};
  return buffer;
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(MeshDevice& mesh, const ShardedBufferConfig& config,
                                               std::optional<SubDeviceId> sub_device) {
  check_type(config.buffer_type);
  ShardLayout layout = layout_of(config);
  const bool short_form = !config.shard_parameters;
  const std::uint64_t page = short_form ? config.shard_bytes : config.page_size;
  const std::uint64_t size = short_form ? page * layout.pages() : config.size;
  const std::uint64_t stride =
      short_form ? page : aligned(page, config.buffer_type, mesh.bank_manager(config.buffer_type));
  check_cores(mesh.cluster(), config.buffer_type, layout.cores(), sub_device);
  BankManager& banks =
      sub_device ? mesh.bank_manager(*sub_device) : mesh.bank_manager(config.buffer_type);
  const std::uint64_t bank_bytes = stride * layout.pages_per_shard();
  std::shared_ptr<MeshBuffer> buffer(
      new MeshBuffer(mesh, banks, config.buffer_type, size, page, bank_bytes, std::move(layout)));
  buffer->local_ = {.page_size = page,
                    .buffer_type = config.buffer_type,
                    .sharding_args = {config.shard_parameters, config.buffer_layout},
                    .sub_device_id = sub_device};
  return buffer;
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(const MeshBufferConfig& config,
                                               const DeviceLocalBufferConfig& local,
                                               MeshDevice* device,
                                               std::optional<std::uint64_t> address) {
  if (device == nullptr) bad_use("buffer", "its configuration names no device");
  if (address)
    bad_use("mesh buffer", "at an address of the program's own; the allocator chooses it here");
  std::optional<MeshShards> shards;
  if (const auto* over_mesh = std::get_if<MeshShardedBufferConfig>(&config))
    shards.emplace(*over_mesh, device->shape());
  const std::uint64_t size =
      shards ? shards->part_bytes() : std::get<ReplicatedBufferConfig>(config).size;
  const auto& on_device = local.sharding_args.spec;
  if (local.sub_device_id && !on_device)
    bad_use("mesh buffer", "L1 of a sub-device's own is for shards; this one is interleaved");
  auto buffer = on_device
                    ? create(*device,
                             ShardedBufferConfig{.size = size,
                                                 .page_size = local.page_size,
                                                 .buffer_type = local.buffer_type,
                                                 .buffer_layout = local.sharding_args.layout,
                                                 .shard_parameters = on_device},
                             local.sub_device_id)
                    : create(*device, InterleavedBufferConfig{.size = size,
                                                              .page_size = local.page_size,
                                                              .buffer_type = local.buffer_type});
  if (shards) {
    buffer->device_buffer_.reset(new MeshBuffer(buffer.get()));
    buffer->cut(std::move(*shards));
  }
  return buffer;
}

}  // namespace tt::tt_metal::distributed
