#include "sw/runtime/sharding/device_local_layout.h"

#include <string>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/sharding/shard_order.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

[[noreturn]] void refuse_page(std::uint64_t page, const std::string& of,
                              const std::string& expected) {
  refuse(Refusal::kPageSize, "pages of " + std::to_string(page) + " bytes for " + of, expected);
}

/// Bytes of a page; `columns` are those of a bank or of the whole device.
std::uint64_t page_of(const DeviceLocalLayoutConfig& layout, std::uint64_t columns,
                      std::uint64_t datum_size) {
  if (!layout.tiled()) return layout.page_size == 0 ? columns * datum_size : layout.page_size;
  const std::uint64_t tile = ShardOrder::kTile * ShardOrder::kTile * datum_size;
  if (layout.page_size != 0 && layout.page_size != tile)
    refuse_page(layout.page_size, "tiles of " + std::to_string(tile), "a tile");
  return tile;
}

std::shared_ptr<MeshBuffer> create_interleaved(MeshDevice& mesh,
                                               const DeviceLocalLayoutConfig& layout,
                                               const Extent& shard, std::uint64_t datum_size) {
  const std::uint64_t page = page_of(layout, shard[1], datum_size);
  const std::uint64_t size = shard[0] * shard[1] * datum_size;
  if (layout.shard_spec)
    refuse(Refusal::kLocalLayout, "a shard_spec beside an INTERLEAVED layout",
           "none, or a layout of shards");
  if (size % page != 0)
    refuse_page(page, "the " + std::to_string(size) + " bytes of a device",
                "a page that divides them");
  return MeshBuffer::create(
      mesh,
      InterleavedBufferConfig{.size = size, .page_size = page, .buffer_type = layout.buffer_type});
}

/// Rows and columns of a page: part of a row, or a tile.
Extent page_shape(const DeviceLocalLayoutConfig& layout, const Extent& bank, std::uint64_t page,
                  std::uint64_t datum_size) {
  if (layout.tiled()) {
    if (bank[0] % ShardOrder::kTile != 0 || bank[1] % ShardOrder::kTile != 0)
      refuse(Refusal::kLocalLayout,
             "shards of " + std::to_string(bank[0]) + " rows and " + std::to_string(bank[1]) +
                 " columns over the banks of a device that has tiles",
             "whole tiles of 32 x 32");
    return {ShardOrder::kTile, ShardOrder::kTile};
  }
  const std::uint64_t row = bank[1] * datum_size;
  if (page % datum_size != 0 || row % page != 0)
    refuse_page(page, "rows of " + std::to_string(row) + " bytes in a bank",
                "whole datums that divide a row");
  return {1, static_cast<std::uint32_t>(page / datum_size)};
}

}  // namespace

std::shared_ptr<MeshBuffer> create_local(MeshDevice& mesh, const DeviceLocalLayoutConfig& layout,
                                         const Extent& shard, std::uint64_t datum_size) {
  if (layout.buffer_layout == TensorMemoryLayout::INTERLEAVED)
    return create_interleaved(mesh, layout, shard, datum_size);
  if (!layout.shard_spec)
    refuse(Refusal::kLocalLayout, "a layout of shards without a shard_spec",
           "cores and the shape of a core's shard");
  const Extent& bank = layout.shard_spec->shape;
  if (bank[0] == 0 || bank[1] == 0 || shard[0] % bank[0] != 0 || shard[1] % bank[1] != 0)
    refuse(Refusal::kLocalLayout,
           "shards of " + std::to_string(bank[0]) + " rows and " + std::to_string(bank[1]) +
               " columns over the banks of a device that has " + std::to_string(shard[0]) +
               " rows and " + std::to_string(shard[1]) + " columns",
           "shards that divide them");
  const std::uint64_t page = page_of(layout, bank[1], datum_size);
  const Extent shape = page_shape(layout, bank, page, datum_size);
  const Extent in_pages{shard[0] / shape[0], shard[1] / shape[1]};
  return MeshBuffer::create(
      mesh, runtime::ShardedBufferConfig{
                .size = std::uint64_t{in_pages[0]} * in_pages[1] * page,
                .page_size = page,
                .buffer_type = layout.buffer_type,
                .buffer_layout = layout.buffer_layout,
                .shard_parameters = ShardSpecBuffer(*layout.shard_spec, shape, in_pages)});
}

}  // namespace tvp::runtime::sharding
