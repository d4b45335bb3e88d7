#include "sw/workloads/prefetcher/prefetch_plan.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

namespace {

constexpr std::uint32_t kSide = 32;

std::uint32_t divided_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

/// The largest packet of whole tiles, at most `most` bytes, that divides `tiles`.
std::uint32_t packet_tiles(std::uint32_t tiles, std::uint32_t tile_bytes, std::uint32_t most) {
  std::uint32_t count = std::max(1U, std::min(tiles, most / tile_bytes));
  while (tiles % count != 0) --count;
  return count;
}

}  // namespace

PrefetchPlan::PrefetchPlan(std::vector<WeightShape> layer, const Ring& ring,
                           std::uint32_t most_bytes, std::uint32_t dst_tiles,
                           std::uint32_t most_packet)
    : layer_(std::move(layer)), ring_(ring) {
  for (std::uint32_t t = 0; t < layer_.size(); ++t) {
    const WeightShape& shape = layer_[t];
    Part part;
    part.tensor = t;
    part.format = shape.format;
    part.tile_bytes = runtime::Tile{}.bytes(shape.format);
    part.block_rows = divided_up(shape.k / kSide, ring_.cores());
    const std::uint32_t column = part.block_rows * ring_.cores() * part.tile_bytes;
    const std::uint32_t width = divided_up(shape.n / kSide, ring_.cores());
    const std::uint32_t most = std::clamp(most_bytes / column, 1U, dst_tiles / ring_.row_tiles);
    const std::uint32_t count = divided_up(width, most);
    std::uint32_t done = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      part.name = shape.name + (count > 1 ? "." + std::to_string(i) : "");
      part.width = divided_up(width - done, count - i);
      part.first_column = done * ring_.cores();
      done += part.width;
      const std::uint32_t row = part.width * ring_.receivers;
      const std::uint32_t page = packet_tiles(part.block_rows * row, part.tile_bytes, most_packet);
      part.page_bytes = page * part.tile_bytes;
      part.pages = part.block_rows * row / page;
      const std::uint32_t packet = packet_tiles(part.width, part.tile_bytes, most_packet);
      part.packet_bytes = packet * part.tile_bytes;
      part.packets = part.width / packet;
      parts_.push_back(part);
    }
  }
}

std::uint64_t PrefetchPlan::layer_bytes() const {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += bank_bytes(part) * ring_.senders;
  return bytes;
}

std::uint32_t PrefetchPlan::largest_block_bytes() const {
  std::uint32_t bytes = 0;
  for (const Part& part : parts_) bytes = std::max(bytes, part.block_bytes());
  return bytes;
}

std::uint32_t PrefetchPlan::largest_block_tiles() const {
  std::uint32_t tiles = 0;
  for (const Part& part : parts_) tiles = std::max(tiles, part.block_rows * part.width);
  return tiles;
}

std::uint32_t PrefetchPlan::largest_core_bytes() const {
  return largest_block_bytes() * ring_.cores();
}

std::uint32_t PrefetchPlan::shard_tiles() const {
  std::uint32_t tiles = 0;
  for (const Part& part : parts_) tiles = std::max(tiles, part.block_rows);
  return tiles * ring_.row_tiles;
}

std::uint32_t PrefetchPlan::output_tiles() const { return output_columns() * ring_.row_tiles; }

std::uint32_t PrefetchPlan::output_columns() const {
  std::uint32_t tiles = 0;
  for (const Part& part : parts_) tiles += part.width;
  return tiles;
}

}  // namespace tvp::workloads::prefetcher
