#include "sw/runtime/mesh_buffer.h"

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh_device.h"

namespace tvp::runtime {
namespace {

std::uint64_t alignment(BufferType type) { return type == BufferType::DRAM ? 32 : 16; }

std::uint64_t aligned(std::uint64_t bytes, BufferType type) {
  return (bytes + alignment(type) - 1) / alignment(type) * alignment(type);
}

}  // namespace

std::shared_ptr<MeshBuffer> MeshBuffer::create(MeshDevice& mesh,
                                               const InterleavedBufferConfig& config) {
  if (config.page_size == 0 || config.size % config.page_size != 0)
    bad_use("buffer", "its size of " + std::to_string(config.size) +
                          " bytes is not a multiple of the page size " +
                          std::to_string(config.page_size));
  const std::uint64_t banks = config.type == BufferType::DRAM ? mesh.dram_banks() : mesh.l1_banks();
  const std::uint64_t pages = config.size / config.page_size;
  const std::uint64_t rows = (pages + banks - 1) / banks;
  return std::shared_ptr<MeshBuffer>(
      new MeshBuffer(mesh, mesh.allocator(config.type), config.type, config.size, config.page_size,
                     rows * aligned(config.page_size, config.type), std::nullopt));
}

std::shared_ptr<MeshBuffer> MeshBuffer::create(MeshDevice& mesh, const ShardedBufferConfig& config,
                                               std::optional<SubDeviceId> sub_device) {
  std::vector<CoreCoord> cores = config.cores.cores();
  if (cores.empty()) bad_use("buffer", "a sharded buffer needs cores");
  for (unsigned d = 0; d < mesh.num_devices(); ++d)
    for (const CoreCoord core : cores) mesh.device(d).layout().worker_noc0(core);  // exists
  if (sub_device) {
    const CoreRangeSet own = mesh.worker_cores(HalProgrammableCoreType::TENSIX, *sub_device);
    for (const CoreCoord core : cores)
      if (!own.contains(core))
        bad_use("buffer", "core " + core.str() + " of a shard is not one of sub-device " +
                              std::to_string(**sub_device));
  }
  Allocator& allocator = sub_device ? mesh.allocator(*sub_device) : mesh.allocator(BufferType::L1);
  return std::shared_ptr<MeshBuffer>(new MeshBuffer(
      mesh, allocator, BufferType::L1, std::uint64_t{config.shard_bytes} * cores.size(),
      config.shard_bytes, config.shard_bytes, cores));
}

MeshBuffer::MeshBuffer(MeshDevice& mesh, Allocator& allocator, BufferType type, std::uint64_t size,
                       std::uint64_t page_size, std::uint64_t bank_bytes,
                       std::optional<std::vector<CoreCoord>> cores)
    : mesh_(mesh),
      allocator_(allocator),
      type_(type),
      size_(size),
      page_size_(page_size),
      bank_bytes_(bank_bytes),
      cores_(std::move(cores)),
      address_(allocator.allocate(bank_bytes)) {}

std::uint64_t MeshBuffer::aligned_page_size() const { return aligned(page_size_, type_); }

std::vector<CoreCoord> MeshBuffer::shard_noc_coordinates() const {
  std::vector<CoreCoord> coordinates;
  for (const CoreCoord core : *cores_)
    coordinates.push_back(mesh_.device(0).worker_core_from_logical_core(core));
  return coordinates;
}

MeshBuffer::~MeshBuffer() { allocator_.release(address_); }

template <typename Visit>
void MeshBuffer::for_each_part(unsigned device, Visit visit) const {
  const ChipLayout& layout = mesh_.device(device).layout();
  if (cores_) {
    std::uint64_t offset = 0;
    for (const CoreCoord core : *cores_) {
      visit(layout.worker_noc0(core), address_, offset, page_size_);
      offset += page_size_;
    }
    return;
  }
  const std::uint64_t stride = aligned(page_size_, type_);
  const std::uint32_t banks = type_ == BufferType::DRAM ? layout.dram_banks() : mesh_.l1_banks();
  for (std::uint64_t page = 0; page * page_size_ < size_; ++page) {
    const auto bank = static_cast<std::uint32_t>(page % banks);
    const std::uint64_t address = address_ + page / banks * stride;
    if (type_ == BufferType::DRAM) {
      visit(layout.dram_noc0(bank), address + layout.dram_offset(bank), page * page_size_,
            page_size_);
    } else {
      const std::uint32_t columns = layout.grid_size().x;
      visit(layout.worker_noc0({bank % columns, bank / columns}), address, page * page_size_,
            page_size_);
    }
  }
}

void MeshBuffer::write(unsigned device, std::span<const std::uint8_t> bytes) {
  if (bytes.size() != size_)
    bad_use("buffer",
            "takes " + std::to_string(size_) + " bytes, not " + std::to_string(bytes.size()));
  TileAccess& tiles = mesh_.device(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.write(tile, address, bytes.data() + offset, part);
      });
}

std::vector<std::uint8_t> MeshBuffer::read(unsigned device) {
  std::vector<std::uint8_t> bytes(size_);
  TileAccess& tiles = mesh_.device(device).tiles();
  for_each_part(
      device, [&](CoreCoord tile, std::uint64_t address, std::uint64_t offset, std::uint64_t part) {
        tiles.read(tile, address, bytes.data() + offset, part);
      });
  return bytes;
}

void MeshBuffer::check_shard(CoreCoord core, std::uint64_t begin, std::uint64_t bytes) const {
  if (!cores_) bad_use("buffer", "an interleaved buffer has no shards");
  if (std::find(cores_->begin(), cores_->end(), core) == cores_->end())
    bad_use("buffer", "has no shard on core " + core.str());
  if (begin + bytes > page_size_)
    bad_use("buffer", std::to_string(bytes) + " bytes at offset " + std::to_string(begin) +
                          " exceed a shard of " + std::to_string(page_size_));
}

void MeshBuffer::write_shard(unsigned device, CoreCoord core, std::span<const std::uint8_t> bytes,
                             std::uint32_t offset) {
  check_shard(core, offset, bytes.size());
  Device& d = mesh_.device(device);
  d.tiles().write(d.layout().worker_noc0(core), address_ + offset, bytes.data(), bytes.size());
}

std::vector<std::uint8_t> MeshBuffer::read_shard(unsigned device, CoreCoord core) {
  check_shard(core, 0, page_size_);
  std::vector<std::uint8_t> bytes(page_size_);
  Device& d = mesh_.device(device);
  d.tiles().read(d.layout().worker_noc0(core), address_, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace tvp::runtime
