#include "sw/runtime/circular_buffer_config.h"

#include <string>

#include "firmware/contract/memory_map.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh_buffer.h"

namespace tvp::runtime {

CircularBufferConfig::CircularBufferConfig(std::uint32_t total_bytes,
                                           const std::map<std::uint8_t, DataFormat>& formats)
    : total_bytes_(total_bytes) {
  if (formats.empty()) bad_use("circular buffer", "needs an index and its format");
  for (const auto& [i, format] : formats) {
    if (i >= contract::kCircularBuffers)
      bad_use("circular buffer " + std::to_string(i), "indices are 0 to 31");
    indices_[i].format = format;
  }
}

CircularBufferConfig::Index& CircularBufferConfig::index(std::uint8_t i) {
  const auto found = indices_.find(i);
  if (found == indices_.end())
    bad_use("circular buffer " + std::to_string(i), "is not an index of this configuration");
  return found->second;
}

CircularBufferConfig& CircularBufferConfig::set_page_size(std::uint8_t i, std::uint32_t bytes) {
  const std::string where = "circular buffer " + std::to_string(i);
  // Compute cores count in 16 bytes: smaller pages are for data movement.
  if (bytes == 0 || bytes % 4 != 0)
    bad_use(where, "page size " + std::to_string(bytes) + " is not a positive multiple of 4");
  if (total_bytes_ % bytes != 0)
    bad_use(where, "page size " + std::to_string(bytes) + " does not divide the total of " +
                       std::to_string(total_bytes_));
  index(i).page_bytes = bytes;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_tile_dims(std::uint8_t i, const Tile& tile) {
  index(i).tile = tile;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_globally_allocated_address(const MeshBuffer& buffer,
                                                                           std::uint32_t offset) {
  if (buffer.type() != BufferType::L1)
    bad_use("circular buffer", "only a buffer in L1 can be aliased");
  if (offset % 16 != 0 || std::uint64_t{offset} + total_bytes_ > buffer.bank_bytes())
    bad_use("circular buffer", std::to_string(total_bytes_) + " bytes at offset " +
                                   std::to_string(offset) + " do not lie in a shard of " +
                                   std::to_string(buffer.bank_bytes()) + " bytes");
  address_ = static_cast<std::uint32_t>(buffer.address()) + offset;
  return *this;
}

CircularBufferConfig& CircularBufferConfig::set_address(std::uint32_t address) {
  if (address % 16 != 0)
    bad_use("circular buffer", "address " + std::to_string(address) + " is not a multiple of 16");
  address_ = address;
  return *this;
}

std::uint32_t CircularBufferConfig::page_bytes(std::uint8_t i) const {
  const Index& config = indices_.at(i);
  return config.page_bytes != 0 ? config.page_bytes : config.tile.bytes(config.format);
}

}  // namespace tvp::runtime
