#include "sw/runtime/buffers/mesh_buffer.h"

#include <algorithm>
#include <limits>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {
namespace {

std::uint64_t alignment(BufferType type) { return type == BufferType::DRAM ? 32 : 16; }

std::uint64_t aligned(std::uint64_t bytes, BufferType type) {
  return (bytes + alignment(type) - 1) / alignment(type) * alignment(type);
}

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

/// Addresses in the banks of all devices. The library is notified of them, so that it can report
/// accesses beyond a buffer.
class BufferMemory {
 public:
  /// `cores`: of the banks in L1.
  BufferMemory(Cluster& cluster, BankManager& banks, BufferType type, std::uint64_t bank_bytes,
               std::uint32_t page, std::uint32_t pages, std::vector<CoreCoord> cores)
      : cluster_(cluster),
        cluster_life_(cluster.life()),
        banks_(banks),
        type_(type),
        page_(page),
        pages_(pages),
        cores_(std::move(cores)),
        address_(banks.allocate(bank_bytes)) {
    notify_library(bank_bytes);
  }
  ~BufferMemory() {
    if (cluster_life_.expired()) return;
    notify_library(0);
    banks_.release(address_);
  }
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;

  std::uint64_t address() const { return address_; }

 private:
  void notify_library(std::uint64_t bank_bytes) const {
    for (unsigned i = 0; i < cluster_.num_devices(); ++i) {
      if (type_ == BufferType::DRAM) {
        cluster_.library().dram_buffer(cluster_.device(i).chip(), address_, bank_bytes,
                                       cluster_.dram_banks(), page_, pages_);
        continue;
      }
      std::vector<std::uint32_t> tiles;
      for (const CoreCoord core : cores_) {
        const CoreCoord tile = cluster_.device(i).layout().worker_noc0(core);
        tiles.push_back(tile.x | tile.y << 8U);
      }
      cluster_.library().l1_buffer(cluster_.device(i).chip(), static_cast<std::uint32_t>(address_),
                                   static_cast<std::uint32_t>(bank_bytes), tiles);
    }
  }

  Cluster& cluster_;
  Life::Watch cluster_life_;
  BankManager& banks_;
  BufferType type_;
  std::uint32_t page_;
  std::uint32_t pages_;
  std::vector<CoreCoord> cores_;
  std::uint64_t address_;
};

/// The cores of the first banks in L1.
std::vector<CoreCoord> bank_cores(Cluster& cluster, std::uint32_t banks) {
  const std::uint32_t columns = cluster.device(0).layout().grid_size().x;
  std::vector<CoreCoord> cores;
  for (std::uint32_t bank = 0; bank < banks; ++bank)
    cores.push_back({bank % columns, bank / columns});
  return cores;
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
  return std::shared_ptr<MeshBuffer>(new MeshBuffer(
      mesh, mesh.bank_manager(config.buffer_type), config.buffer_type, config.size,
      config.page_size, rows * aligned(config.page_size, config.buffer_type), std::nullopt));
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(MeshDevice& mesh, const ShardedBufferConfig& config,
                                               std::optional<SubDeviceId> sub_device) {
  check_type(config.buffer_type);
  ShardLayout layout = layout_of(config);
  const bool short_form = !config.shard_parameters;
  const std::uint64_t page = short_form ? config.shard_bytes : config.page_size;
  const std::uint64_t size = short_form ? page * layout.pages() : config.size;
  const std::uint64_t stride = short_form ? page : aligned(page, config.buffer_type);
  check_cores(mesh.cluster(), config.buffer_type, layout.cores(), sub_device);
  BankManager& banks =
      sub_device ? mesh.bank_manager(*sub_device) : mesh.bank_manager(config.buffer_type);
  const std::uint64_t bank_bytes = stride * layout.pages_per_shard();
  return std::shared_ptr<MeshBuffer>(
      new MeshBuffer(mesh, banks, config.buffer_type, size, page, bank_bytes, std::move(layout)));
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(const MeshBufferConfig& config,
                                               const DeviceLocalBufferConfig& local,
                                               MeshDevice* device,
                                               std::optional<std::uint64_t> address) {
  if (device == nullptr) bad_use("buffer", "its configuration names no device");
  if (address)
    bad_use("mesh buffer", "at an address of the program's own; the allocator chooses it here");
  std::optional<distributed::MeshShards> cut;
  if (const auto* over_mesh = std::get_if<distributed::ShardedBufferConfig>(&config))
    cut.emplace(*over_mesh, device->shape());
  const std::uint64_t size =
      cut ? cut->part_bytes() : std::get<ReplicatedBufferConfig>(config).size;
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
  if (cut) {
    buffer->device_buffer_.reset(new MeshBuffer(buffer.get()));
    buffer->mesh_shards_ = std::move(cut);
  }
  return buffer;
}

MeshBuffer::MeshBuffer(MeshDevice& mesh, BankManager& banks, BufferType type, std::uint64_t size,
                       std::uint64_t page_size, std::uint64_t bank_bytes,
                       std::optional<ShardLayout> shards)
    : library_(mesh.keep_open()),
      mesh_(&mesh),
      cluster_(mesh.cluster()),
      cluster_life_(cluster_.life()),
      type_(type),
      size_(size),
      page_size_(page_size),
      bank_bytes_(bank_bytes),
      shards_(std::move(shards)) {
  const std::uint32_t pages = shards_ ? 0 : num_pages();
  std::vector<CoreCoord> cores;
  if (type_ == BufferType::L1)
    cores = shards_ ? shards_->cores()
                    : bank_cores(cluster_, std::min(cluster_.l1_banks(), num_pages()));
  const auto memory = std::make_shared<const BufferMemory>(
      cluster_, banks, type_, bank_bytes_, static_cast<std::uint32_t>(aligned_page_size()), pages,
      std::move(cores));
  address_ = static_cast<std::uint32_t>(memory->address());
  memory_ = memory;
}

MeshBuffer::MeshBuffer(MeshBuffer* whole)
    : mesh_(whole->mesh_),
      cluster_(whole->cluster_),
      cluster_life_(whole->cluster_life_),
      type_(whole->type_),
      size_(whole->size_),
      page_size_(whole->page_size_),
      bank_bytes_(whole->bank_bytes_),
      shards_(whole->shards_),
      address_(whole->address_),
      whole_(whole) {}

MeshBuffer* MeshBuffer::get_reference_buffer() {
  return device_buffer_ != nullptr ? device_buffer_.get() : this;
}

std::shared_ptr<MeshBuffer> MeshBuffer::shared() { return {owner().shared_from_this(), this}; }

const distributed::MeshShards& MeshBuffer::mesh_shards() const {
  if (!mesh_shards_) bad_use("mesh buffer", "is the same on all devices: it has no shards");
  return *mesh_shards_;
}

const std::unique_ptr<Allocator>& MeshBuffer::allocator() const { return mesh_->allocator(); }

CoreCoord MeshBuffer::noc_coordinates(std::uint32_t bank) const {
  if (!is_dram()) bad_use("buffer", "only one in DRAM has banks with coordinates of their own");
  return chip(0).layout().dram_noc0(bank);
}

std::uint64_t MeshBuffer::aligned_page_size() const { return aligned(page_size_, type_); }

const ShardLayout& MeshBuffer::shard_layout() const {
  if (!shards_) bad_use("buffer", "an interleaved buffer has no shards");
  return *shards_;
}

std::vector<CoreCoord> MeshBuffer::shard_noc_coordinates() const {
  std::vector<CoreCoord> coordinates = shard_cores();
  if (type_ == BufferType::DRAM) return coordinates;
  for (CoreCoord& core : coordinates) core = chip(0).worker_core_from_logical_core(core);
  return coordinates;
}

Cluster& MeshBuffer::cluster() const {
  if (!is_allocated()) bad_use("buffer", "is used after it was deallocated");
  if (cluster_life_.expired()) bad_use("buffer", "is used after its mesh was closed");
  return cluster_;
}

Device& MeshBuffer::chip(unsigned number) const {
  if (cluster_life_.expired()) bad_use("buffer", "is used after its mesh was closed");
  return cluster_.device(number);
}

std::pair<CoreCoord, std::uint64_t> MeshBuffer::bank(unsigned device, CoreCoord core) const {
  const ChipLayout& layout = chip(device).layout();
  if (type_ == BufferType::L1) return {layout.worker_noc0(core), address_};
  return {layout.dram_noc0(core.x), address_ + layout.dram_offset(core.x)};
}

template <typename Visit>
void MeshBuffer::for_each_part(unsigned device, Visit visit) const {
  const ChipLayout& layout = chip(device).layout();
  const bool dram = type_ == BufferType::DRAM;
  const std::uint32_t banks = dram ? layout.dram_banks() : cluster_.l1_banks();
  const std::uint32_t columns = dram ? banks : layout.grid_size().x;
  for (std::uint64_t page = 0; page * page_size_ < size_; ++page) {
    const auto number = static_cast<std::uint32_t>(page % banks);
    CoreCoord core{number % columns, number / columns};
    std::uint64_t row = page / banks;
    if (shards_) {
      const ShardLayout::Place place = shards_->place_of(page);
      core = shards_->cores()[place.shard];
      row = place.page;
    }
    const auto [tile, base] = bank(device, core);
    visit(tile, base + row * aligned_page_size(), page * page_size_, page_size_);
  }
}

void MeshBuffer::check_size(std::uint64_t bytes) const {
  if (bytes > size_)
    bad_use("buffer",
            "takes at most " + std::to_string(size_) + " bytes, not " + std::to_string(bytes));
}

void MeshBuffer::write(unsigned device, std::span<const std::uint8_t> bytes) {
  check_size(bytes.size());
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        if (offset >= bytes.size()) return;
        tiles.write(tile, address, bytes.data() + offset, std::min(part, bytes.size() - offset));
      });
}

std::vector<std::uint8_t> MeshBuffer::read(unsigned device) {
  std::vector<std::uint8_t> bytes(size_);
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.read(tile, address, bytes.data() + offset, part);
      });
  return bytes;
}

void MeshBuffer::write_pieces(unsigned device, const Piece& piece) {
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.write(tile, address, piece(offset, part), part);
      });
}

void MeshBuffer::read_pieces(unsigned device, const Take& take) {
  TileAccess& tiles = chip(device).tiles();
  std::vector<std::uint8_t> piece;
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        piece.resize(part);
        tiles.read(tile, address, piece.data(), part);
        take(offset, piece);
      });
}

std::string MeshBuffer::origin_of(unsigned device, CoreCoord tile, std::uint64_t address) {
  const std::string text = cluster_.library().origin(chip(device).chip(), tile.x, tile.y, address);
  return text.empty() ? text : "\n" + text;
}

std::string MeshBuffer::origin(unsigned device, std::uint64_t offset) {
  std::string text;
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t begin, std::uint64_t part) {
        if (offset >= begin && offset - begin < part)
          text = origin_of(device, tile, address + (offset - begin));
      });
  return text;
}

std::string MeshBuffer::origin(unsigned device, CoreCoord core, std::uint32_t offset) {
  check_shard(core, offset, 1);
  const auto [tile, base] = bank(device, core);
  return origin_of(device, tile, base + offset);
}

std::string MeshBuffer::difference(unsigned device, std::span<const std::uint8_t> expected) {
  if (expected.size() != size_)
    bad_use("buffer", "has " + std::to_string(size_) + " bytes; expected are " +
                          std::to_string(expected.size()));
  const std::vector<std::uint8_t> found = read(device);
  std::uint64_t differing = 0, first = 0;
  for (std::uint64_t begin = 0; begin < size_; begin += page_size_) {
    const auto at = static_cast<std::ptrdiff_t>(begin);
    const auto end = at + static_cast<std::ptrdiff_t>(page_size_);
    const auto wrong =
        std::mismatch(found.begin() + at, found.begin() + end, expected.begin() + at).first;
    if (wrong == found.begin() + end) continue;
    if (differing++ == 0) first = static_cast<std::uint64_t>(wrong - found.begin());
  }
  if (differing == 0) return {};
  const std::string count = std::to_string(differing) + " of " + std::to_string(size_ / page_size_);
  return count + " pages differ, from byte " + std::to_string(first % page_size_) + " of page " +
         std::to_string(first / page_size_) + " on" + origin(device, first);
}

void MeshBuffer::check_shard(CoreCoord core, std::uint64_t begin, std::uint64_t bytes) const {
  if (!shards_) bad_use("buffer", "an interleaved buffer has no shards");
  const std::vector<CoreCoord>& cores = shards_->cores();
  if (std::find(cores.begin(), cores.end(), core) == cores.end())
    bad_use("buffer", "has no shard on core " + core.str());
  if (begin + bytes > bank_bytes_)
    bad_use("buffer", std::to_string(bytes) + " bytes at offset " + std::to_string(begin) +
                          " exceed a shard of " + std::to_string(bank_bytes_));
}

void MeshBuffer::write_shard(unsigned device, CoreCoord core, std::span<const std::uint8_t> bytes,
                             std::uint32_t offset) {
  check_shard(core, offset, bytes.size());
  const auto [tile, base] = bank(device, core);
  chip(device).tiles().write(tile, base + offset, bytes.data(), bytes.size());
}

std::vector<std::uint8_t> MeshBuffer::read_shard(unsigned device, CoreCoord core) {
  check_shard(core, 0, bank_bytes_);
  std::vector<std::uint8_t> bytes(bank_bytes_);
  const auto [tile, base] = bank(device, core);
  chip(device).tiles().read(tile, base, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace tvp::runtime
