#include "sw/runtime/buffers/shard_layout.h"

#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

constexpr const char* kWhere = "sharded buffer";

std::string text_of(const Extent& extent) {
  return std::to_string(extent[0]) + " x " + std::to_string(extent[1]);
}

/// Number of times that `part` fits into `whole`, in both dimensions.
Extent divided(const Extent& whole, const Extent& part, const std::string& whole_name,
               const std::string& part_name) {
  if (part[0] == 0 || part[1] == 0 || whole[0] == 0 || whole[1] == 0 || whole[0] % part[0] != 0 ||
      whole[1] % part[1] != 0)
    bad_use(kWhere, (whole_name + " of ") + text_of(whole) + " does not divide into " + part_name +
                        " of " + text_of(part));
  return {whole[0] / part[0], whole[1] / part[1]};
}

/// The rectangle of cores that a block-sharded tensor takes.
CoreRangeSet block_grid(const ShardSpec& spec, const Extent& shards) {
  spec.grid.cores();  // throws for invalid ranges
  if (spec.grid.ranges().size() != 1)
    bad_use(kWhere, "block sharding takes one rectangle of cores, not " +
                        std::to_string(spec.grid.ranges().size()));
  const CoreRange& grid = spec.grid.ranges().front();
  const bool rows_first = spec.orientation == ShardOrientation::ROW_MAJOR;
  const std::uint32_t columns = rows_first ? shards[1] : shards[0];
  const std::uint32_t rows = rows_first ? shards[0] : shards[1];
  const std::uint32_t most_columns = grid.end_coord.x - grid.start_coord.x + 1;
  const std::uint32_t most_rows = grid.end_coord.y - grid.start_coord.y + 1;
  if (columns > most_columns || rows > most_rows)
    bad_use(kWhere, text_of(shards) + " shards need " + std::to_string(columns) + " columns and " +
                        std::to_string(rows) + " rows of cores; the grid has " +
                        std::to_string(most_columns) + " and " + std::to_string(most_rows));
  return CoreRange(grid.start_coord,
                   {grid.start_coord.x + columns - 1, grid.start_coord.y + rows - 1});
}

}  // namespace

ShardLayout::ShardLayout(std::vector<CoreCoord> cores)
    : cores_(std::move(cores)),
      tensor_{static_cast<std::uint32_t>(cores_.size()), 1},
      shard_{1, 1} {}

ShardLayout::ShardLayout(TensorMemoryLayout layout, const ShardSpecBuffer& buffer)
    : tensor_(buffer.tensor2d_shape_in_pages),
      shard_(divided(buffer.tensor_shard_spec.shape, buffer.page_shape, "a shard", "pages")) {
  const ShardSpec& spec = buffer.tensor_shard_spec;
  const Extent shards = divided(tensor_, shard_, "a tensor in pages", "shards");
  if (layout != TensorMemoryLayout::HEIGHT_SHARDED && layout != TensorMemoryLayout::WIDTH_SHARDED &&
      layout != TensorMemoryLayout::BLOCK_SHARDED)
    bad_use(kWhere, "its layout is " +
                        (layout == TensorMemoryLayout::INTERLEAVED
                             ? std::string("INTERLEAVED")
                             : "the number " + std::to_string(static_cast<unsigned>(layout))) +
                        "; expected height, width or block sharding");
  if (spec.orientation > ShardOrientation::COL_MAJOR)
    bad_use(kWhere, "an orientation that is none; expected ROW_MAJOR or COL_MAJOR");
  const CoreRangeSet grid =
      layout == TensorMemoryLayout::BLOCK_SHARDED ? block_grid(spec, shards) : spec.grid;
  const std::uint64_t count = std::uint64_t{shards[0]} * shards[1];
  cores_ = corerange_to_cores(grid, count, spec.orientation == ShardOrientation::ROW_MAJOR);
  if (cores_.size() != count)
    bad_use(kWhere, std::to_string(count) + " shards on " + std::to_string(cores_.size()) +
                        " cores; each takes one");
  // Height sharding gives each core the pages that follow those of the core before, whatever the
  // shape of a shard (tt-metal's example vecadd_sharding relies on it).
  if (layout == TensorMemoryLayout::HEIGHT_SHARDED && shards[1] != 1) {
    tensor_ = {tensor_[0] * tensor_[1], 1};
    shard_ = {shard_[0] * shard_[1], 1};
  }
}

ShardLayout::Place ShardLayout::place_of(std::uint64_t page) const {
  const auto row = static_cast<std::uint32_t>(page / tensor_[1]);
  const auto column = static_cast<std::uint32_t>(page % tensor_[1]);
  return {row / shard_[0] * shards()[1] + column / shard_[1],
          row % shard_[0] * shard_[1] + column % shard_[1]};
}

}  // namespace tvp::runtime
