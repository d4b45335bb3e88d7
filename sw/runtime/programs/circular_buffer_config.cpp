#include "sw/runtime/programs/circular_buffer_config.h"

#include <string>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

bool is_format(DataFormat format) {
  switch (format) {
    case DataFormat::Float32:
    case DataFormat::Float16:
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Tf32:
    case DataFormat::Float16_b:
    case DataFormat::Bfp8_b:
    case DataFormat::Bfp4_b:
    case DataFormat::Int32:
    case DataFormat::UInt16:
    case DataFormat::Lf8:
    case DataFormat::Bfp2:
    case DataFormat::Int8:
    case DataFormat::Bfp2_b:
    case DataFormat::UInt32:
    case DataFormat::UInt8:
    case DataFormat::RawUInt8:
    case DataFormat::RawUInt16:
    case DataFormat::RawUInt32:
    case DataFormat::Invalid:
      return true;
  }
  return false;
}

/// The counters of pages pushed and popped have 16 bits (firmware/api/dataflow/circular_buffers.h).
constexpr std::uint32_t kMostPages = 65535;

void check_index(std::uint8_t i) {
  if (i >= contract::kCircularBuffers)
    bad_use("circular buffer " + std::to_string(i), "indices are 0 to 31");
}

}  // namespace

CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_data_format(DataFormat format) {
  index_.format = format;
  return *this;
}
CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_page_size(std::uint32_t bytes) {
  if (bytes == 0) bad_use("circular buffer", "page size 0; expected a positive number of bytes");
  index_.page_bytes = bytes;
  return *this;
}
CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_tile_dims(const Tile& tile) {
  tile.check();
  index_.tile = tile;
  return *this;
}
CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_unpack_face_geometry(
    std::uint32_t face_rows, std::uint32_t faces) {
  const FaceGeometry geometry{face_rows, faces};
  geometry.check();
  index_.faces = geometry;
  return *this;
}
CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_total_size(std::uint32_t bytes) {
  config_.total_bytes_ = bytes;
  return *this;
}

CircularBufferConfig::Builder CircularBufferConfig::index(std::uint8_t i) {
  check_index(i);
  return {*this, indices_[i]};
}

CircularBufferConfig::Builder CircularBufferConfig::remote_index(std::uint8_t i) {
  check_index(i);
  return {*this, remote_indices_[i]};
}

CircularBufferConfig& CircularBufferConfig::set_remote_ends(std::uint32_t address,
                                                            std::uint32_t config_address,
                                                            Life::Watch memory) {
  remote_config_address_ = config_address;
  set_address(address);
  memory_ = std::move(memory);
  return *this;
}

CircularBufferConfig::CircularBufferConfig(std::uint32_t total_bytes,
                                           const std::map<std::uint8_t, DataFormat>& formats)
    : total_bytes_(total_bytes) {
  if (formats.empty()) bad_use("circular buffer", "needs an index and its format");
  for (const auto& [i, format] : formats) {
    check_index(i);
    indices_[i].format = format;
  }
}

CircularBufferConfig::Index& CircularBufferConfig::known_index(std::uint8_t i) {
  const auto found = indices_.find(i);
  if (found == indices_.end())
    bad_use("circular buffer " + std::to_string(i), "is not an index of this configuration");
  return found->second;
}

CircularBufferConfig& CircularBufferConfig::set_page_size(std::uint8_t i, std::uint32_t bytes) {
  const std::string where = "circular buffer " + std::to_string(i);
  // Compute cores count in 16 bytes: smaller pages are for data movement.
  if (bytes == 0) bad_use(where, "page size 0 is not positive");
  if (total_bytes_ % bytes != 0)
    bad_use(where, "page size " + std::to_string(bytes) + " does not divide the total of " +
                       std::to_string(total_bytes_));
  known_index(i).page_bytes = bytes;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_tile_dims(std::uint8_t i, const Tile& tile) {
  tile.check();
  known_index(i).tile = tile;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_unpack_face_geometry(std::uint8_t i,
                                                                     std::uint32_t face_rows,
                                                                     std::uint32_t faces) {
  const FaceGeometry geometry{face_rows, faces};
  geometry.check();
  known_index(i).faces = geometry;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_globally_allocated_address(const Buffer& buffer,
                                                                           std::uint32_t offset) {
  if (buffer.buffer_type() != BufferType::L1)
    bad_use("circular buffer", "only a buffer in L1 can be aliased");
  const std::uint64_t room = buffer.bank_bytes();
  if (offset % 16 != 0 || std::uint64_t{offset} + total_bytes_ > room)
    bad_use("circular buffer", std::to_string(total_bytes_) + " bytes at offset " +
                                   std::to_string(offset) + " do not lie in a shard of " +
                                   std::to_string(room) + " bytes");
  room_ = room - offset;
  memory_ = buffer.life();
  address_ = buffer.address() + offset;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_total_size(std::uint32_t bytes) {
  if (bytes == 0) bad_use("circular buffer", "a total size of 0");
  if (room_ && bytes > *room_)
    bad_use("circular buffer", std::to_string(bytes) + " bytes do not lie in the " +
                                   std::to_string(*room_) + " of the buffer that it aliases");
  total_bytes_ = bytes;
  return *this;
}

void CircularBufferConfig::check_format(std::uint8_t i, DataFormat format) {
  if (!is_format(format))
    bad_use("circular buffer " + std::to_string(i),
            "format " + std::to_string(static_cast<unsigned>(format)) +
                "; expected one of DataFormat's");
}

void CircularBufferConfig::check_pages(std::uint8_t i, std::uint32_t page_bytes,
                                       std::uint32_t total_bytes) {
  if (total_bytes / page_bytes > kMostPages)
    bad_use("circular buffer " + std::to_string(i),
            std::to_string(total_bytes / page_bytes) + " pages of " + std::to_string(page_bytes) +
                " bytes; expected at most " + std::to_string(kMostPages) +
                ", which the 16-bit page counters of a core can count");
  if (total_bytes % page_bytes != 0)
    bad_use("circular buffer " + std::to_string(i), "pages of " + std::to_string(page_bytes) +
                                                        " bytes do not divide the total of " +
                                                        std::to_string(total_bytes));
}

CircularBufferConfig& CircularBufferConfig::set_address(std::uint32_t address) {
  if (address % 16 != 0)
    bad_use("circular buffer", "address " + std::to_string(address) + " is not a multiple of 16");
  address_ = address;
  room_.reset();
  memory_.reset();
  return *this;
}

std::uint32_t CircularBufferConfig::page_bytes(const Index& index) {
  return index.page_bytes != 0 ? index.page_bytes : index.tile.bytes(index.format);
}
std::uint32_t CircularBufferConfig::page_bytes(std::uint8_t i) const {
  const auto found = indices_.find(i);
  if (found == indices_.end())
    bad_use("circular buffer " + std::to_string(i), "is not an index of this configuration");
  return page_bytes(found->second);
}
std::uint32_t CircularBufferConfig::remote_page_bytes(std::uint8_t i) const {
  const auto found = remote_indices_.find(i);
  if (found == remote_indices_.end())
    bad_use("circular buffer " + std::to_string(i), "is not a remote index of this configuration");
  return page_bytes(found->second);
}

}  // namespace tvp::runtime
