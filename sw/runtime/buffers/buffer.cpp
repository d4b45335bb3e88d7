#include "sw/runtime/buffers/buffer.h"

#include <algorithm>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {
namespace {

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

}  // namespace
}  // namespace tvp::runtime

namespace tt::tt_metal {

using namespace tvp::runtime;
using distributed::MeshBuffer;
using tvp::runtime::distributed::MeshShards;

std::shared_ptr<Buffer> Buffer::create(IDevice* device, std::uint64_t size, std::uint64_t page_size,
                                       BufferType type, const BufferShardingArgs& shards,
                                       std::optional<bool> bottom_up,
                                       std::optional<SubDeviceId> sub_device) {
  return MeshBuffer::create(ReplicatedBufferConfig{size},
                            {page_size, type, shards, bottom_up, sub_device},
                            device != nullptr ? &device->mesh() : nullptr);
}

Buffer::Buffer(MeshDevice& mesh, BankManager& banks, BufferType type, std::uint64_t size,
               std::uint64_t page_size, std::uint64_t bank_bytes, std::optional<ShardLayout> shards)
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

Buffer::Buffer(Buffer* whole)
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

std::shared_ptr<MeshBuffer> Buffer::shared() {
  // No other class derives from it.
  return {static_cast<MeshBuffer&>(owner()).shared_from_this(), static_cast<MeshBuffer*>(this)};
}

const MeshShards& Buffer::mesh_shards() const {
  if (!mesh_shards_) bad_use("mesh buffer", "is the same on all devices: it has no shards");
  return *mesh_shards_;
}

const std::unique_ptr<Allocator>& Buffer::allocator() const { return mesh_->allocator(); }

CoreCoord Buffer::noc_coordinates(std::uint32_t bank) const {
  if (!is_dram()) bad_use("buffer", "only one in DRAM has banks with coordinates of their own");
  return chip(0).layout().dram_noc0(bank);
}

std::uint64_t Buffer::aligned(std::uint64_t bytes, BufferType type, const BankManager& banks) {
  const std::uint64_t alignment = type == BufferType::DRAM ? banks.alignment() : 16;
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t Buffer::aligned_page_size() const {
  return aligned(page_size_, type_, mesh_->bank_manager(type_));
}

const ShardLayout& Buffer::shard_layout() const {
  if (!shards_) bad_use("buffer", "an interleaved buffer has no shards");
  return *shards_;
}

std::vector<CoreCoord> Buffer::shard_noc_coordinates() const {
  std::vector<CoreCoord> coordinates = shard_cores();
  if (type_ == BufferType::DRAM) return coordinates;
  for (CoreCoord& core : coordinates) core = chip(0).worker_core_from_logical_core(core);
  return coordinates;
}

Cluster& Buffer::cluster() const {
  if (!is_allocated()) bad_use("buffer", "is used after it was deallocated");
  if (cluster_life_.expired()) bad_use("buffer", "is used after its mesh was closed");
  return cluster_;
}

Device& Buffer::chip(unsigned number) const {
  if (cluster_life_.expired()) bad_use("buffer", "is used after its mesh was closed");
  return cluster_.device(number);
}

std::pair<CoreCoord, std::uint64_t> Buffer::bank(unsigned device, CoreCoord core) const {
  const ChipLayout& layout = chip(device).layout();
  if (type_ == BufferType::L1) return {layout.worker_noc0(core), address_};
  return {layout.dram_noc0(core.x), address_ + layout.dram_offset(core.x)};
}

template <typename Visit>
void Buffer::for_each_part(unsigned device, Visit visit) const {
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

void Buffer::check_size(std::uint64_t bytes) const {
  if (bytes > size_)
    bad_use("buffer",
            "takes at most " + std::to_string(size_) + " bytes, not " + std::to_string(bytes));
}

void Buffer::write(unsigned device, std::span<const std::uint8_t> bytes) {
  check_size(bytes.size());
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        if (offset >= bytes.size()) return;
        tiles.write(tile, address, bytes.data() + offset, std::min(part, bytes.size() - offset));
      });
}

std::vector<std::uint8_t> Buffer::read(unsigned device) {
  std::vector<std::uint8_t> bytes(size_);
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.read(tile, address, bytes.data() + offset, part);
      });
  return bytes;
}

void Buffer::write_pieces(unsigned device, const Piece& piece) {
  TileAccess& tiles = chip(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.write(tile, address, piece(offset, part), part);
      });
}

void Buffer::read_pieces(unsigned device, const Take& take) {
  TileAccess& tiles = chip(device).tiles();
  std::vector<std::uint8_t> piece;
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        piece.resize(part);
        tiles.read(tile, address, piece.data(), part);
        take(offset, piece);
      });
}

std::string Buffer::origin_of(unsigned device, CoreCoord tile, std::uint64_t address) {
  const std::string text = cluster_.library().origin(chip(device).chip(), tile.x, tile.y, address);
  return text.empty() ? text : "\n" + text;
}

std::string Buffer::origin(unsigned device, std::uint64_t offset) {
  std::string text;
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t begin, std::uint64_t part) {
        if (offset >= begin && offset - begin < part)
          text = origin_of(device, tile, address + (offset - begin));
      });
  return text;
}

std::string Buffer::origin(unsigned device, CoreCoord core, std::uint32_t offset) {
  check_shard(core, offset, 1);
  const auto [tile, base] = bank(device, core);
  return origin_of(device, tile, base + offset);
}

std::string Buffer::difference(unsigned device, std::span<const std::uint8_t> expected) {
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

void Buffer::check_shard(CoreCoord core, std::uint64_t begin, std::uint64_t bytes) const {
  if (!shards_) bad_use("buffer", "an interleaved buffer has no shards");
  const std::vector<CoreCoord>& cores = shards_->cores();
  if (std::find(cores.begin(), cores.end(), core) == cores.end())
    bad_use("buffer", "has no shard on core " + core.str());
  if (begin + bytes > bank_bytes_)
    bad_use("buffer", std::to_string(bytes) + " bytes at offset " + std::to_string(begin) +
                          " exceed a shard of " + std::to_string(bank_bytes_));
}

void Buffer::write_shard(unsigned device, CoreCoord core, std::span<const std::uint8_t> bytes,
                         std::uint32_t offset) {
  check_shard(core, offset, bytes.size());
  const auto [tile, base] = bank(device, core);
  chip(device).tiles().write(tile, base + offset, bytes.data(), bytes.size());
}

std::vector<std::uint8_t> Buffer::read_shard(unsigned device, CoreCoord core) {
  check_shard(core, 0, bank_bytes_);
  std::vector<std::uint8_t> bytes(bank_bytes_);
  const auto [tile, base] = bank(device, core);
  chip(device).tiles().read(tile, base, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace tt::tt_metal
