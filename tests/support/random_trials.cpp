#include "tests/support/random_trials.h"

#include <algorithm>

namespace tvp::test {

using runtime::BufferType;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::Extent;
using runtime::ShardOrientation;
using runtime::ShardSpec;
using runtime::TensorLayoutType;
using runtime::TensorMemoryLayout;

namespace {

Trial start(std::mt19937& random, std::uint32_t least_rank) {
  Trial trial;
  const std::uint32_t rows = 1U << draw(random, 0, 3);
  trial.mesh = {rows, 8 / rows};
  trial.axes = {rows, 8 / rows};
  trial.cuts.assign(2, std::nullopt);
  trial.shape.assign(draw(random, least_rank, 5), 1);
  trial.datum_size = 1U << draw(random, 0, 2);
  return trial;
}

void cut_by(Trial& trial, std::vector<std::uint32_t> axes, std::vector<std::optional<int>> cuts) {
  trial.axes = std::move(axes);
  trial.cuts = std::move(cuts);
}

std::vector<std::uint32_t> ways(const Trial& trial) {
  std::vector<std::uint32_t> ways(trial.shape.size(), 1);
  for (std::size_t axis = 0; axis < trial.axes.size(); ++axis)
    if (trial.cuts[axis]) ways[static_cast<std::size_t>(*trial.cuts[axis])] *= trial.axes[axis];
  return ways;
}

/// Chooses extents that the devices divide.
void fill(Trial& trial, std::mt19937& random) {
  const auto cut = ways(trial);
  for (std::size_t d = 0; d < trial.shape.size(); ++d)
    trial.shape[d] = cut[d] * draw(random, 1, d + 1 == trial.shape.size() ? 16 : 4);
}

/// The last dimension except x that is cut; -1: none.
int last_row_cut(const Trial& trial) {
  const auto cut = ways(trial);
  for (std::size_t d = trial.shape.size() - 1; d-- > 0;)
    if (cut[d] > 1) return static_cast<int>(d);
  return -1;
}

/// Sometimes counts dimensions from the end, as torch does.
void count_from_the_end(Trial& trial, std::mt19937& random) {
  for (auto& cut : trial.cuts)
    if (cut && random() % 4 == 0) *cut -= static_cast<int>(trial.shape.size());
}

}  // namespace

Trial random_config_trial(std::mt19937& random) {
  Trial trial = start(random, 1);
  const int x = static_cast<int>(trial.shape.size()) - 1;
  int y = x == 0 ? 0 : static_cast<int>(draw(random, 0, static_cast<std::uint32_t>(x) - 1));
  int z = x == 0 ? 0 : static_cast<int>(draw(random, 0, static_cast<std::uint32_t>(x) - 1));
  if (y > z) std::swap(y, z);
  using Cuts = std::vector<std::optional<int>>;
  const std::vector<Cuts> by_row_and_column{{std::nullopt, std::nullopt},
                                            {std::nullopt, y},
                                            {y, std::nullopt},
                                            {std::nullopt, x},
                                            {x, std::nullopt},
                                            {y, x},
                                            {x, y},
                                            {y, z},
                                            {z, y},
                                            {x, x}};
  switch (draw(random, 0, 3)) {
    case 0:
      cut_by(trial, {8}, {random() % 2 == 0 ? x : z});
      break;
    case 1:
      cut_by(trial, {2, 2, 2}, {y, z, random() % 2 == 0 ? x : z});
      break;
    default:
      trial.cuts = by_row_and_column[random() % by_row_and_column.size()];
  }
  fill(trial, random);
  const auto cut = ways(trial);
  for (int d = 0; d < last_row_cut(trial); ++d)
    trial.shape[static_cast<std::size_t>(d)] = cut[static_cast<std::size_t>(d)];
  count_from_the_end(trial, random);
  choose_layout(trial, random);
  return trial;
}

Trial random_any_trial(std::mt19937& random) {
  Trial trial = start(random, 1);
  static const std::vector<std::vector<std::uint32_t>> kAxes{{8}, {2, 4}, {4, 2}, {2, 2, 2}};
  trial.axes = kAxes[random() % kAxes.size()];
  trial.cuts.assign(trial.axes.size(), std::nullopt);
  for (auto& cut : trial.cuts)
    if (random() % 4 != 0) cut = static_cast<int>(random() % trial.shape.size());
  for (std::uint64_t& entries : trial.shape)
    entries = draw(random, 1, trial.shape.size() < 4 ? 9 : 4);
  trial.by_config = false;
  if (trial.shape.size() > 1 && random() % 8 == 0) {
    trial.layout.order =
        random() % 2 == 0 ? TensorLayoutType::TILED_NFACES : TensorLayoutType::TILED_SWIZZLED;
  } else {
    choose_layout(trial, random);
  }
  count_from_the_end(trial, random);
  return trial;
}

Trial random_uneven_trial(std::mt19937& random) {
  Trial trial = start(random, 1);
  cut_by(trial, {8}, {static_cast<int>(random() % trial.shape.size())});
  fill(trial, random);
  trial.shape[static_cast<std::size_t>(*trial.cuts[0])] += draw(random, 1, 7);
  trial.by_config = false;
  return trial;
}

Trial random_strided_trial(std::mt19937& random) {
  Trial trial = start(random, 3);
  const auto rank = static_cast<std::uint32_t>(trial.shape.size());
  const int y = static_cast<int>(draw(random, 1, rank - 2));
  cut_by(trial, {8}, {y});
  fill(trial, random);
  trial.shape[draw(random, 0, static_cast<std::uint32_t>(y) - 1)] += draw(random, 1, 3);
  trial.by_config = false;
  return trial;
}

Trial random_disordered_trial(std::mt19937& random) {
  Trial trial = start(random, 1);
  const int d = random() % 2 == 0 ? 0 : static_cast<int>(trial.shape.size()) - 1;
  // Neighbors in a row of the mesh have equal shards while others differ, or shards repeat within
  // it.
  const bool repeated_pairs = trial.mesh.rows != 4 && random() % 2 == 0;
  if (repeated_pairs) {
    cut_by(trial, {4, 2}, {d, std::nullopt});
  } else {
    cut_by(trial, {2, 2, 2}, {std::nullopt, d, std::nullopt});
  }
  fill(trial, random);
  trial.by_config = false;
  return trial;
}

void choose_layout(Trial& trial, std::mt19937& random) {
  const auto local = trial.mapper().partition(trial.shape).local_shape();
  const auto columns = static_cast<std::uint32_t>(local.back());
  const auto rows = static_cast<std::uint32_t>(runtime::sharding::volume(local) / columns);
  auto& layout = trial.layout;
  layout.buffer_type = random() % 2 == 0 ? BufferType::DRAM : BufferType::L1;
  if (random() % 2 == 0) {  // interleaved
    const std::uint64_t bytes = rows * std::uint64_t{columns} * trial.datum_size;
    const std::uint64_t page =
        draw(random, 1, static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, 256)));
    if (bytes % page == 0) layout.page_size = page;
    return;
  }
  const auto divisor = [&](std::uint32_t of, std::uint32_t most) {
    std::uint32_t found = 1;
    for (std::uint32_t n = 1; n <= most; ++n)
      if (of % n == 0 && random() % 2 == 0) found = n;
    return found;
  };
  // Shards in rows and columns over banks; page sizes of such buffers are multiples of 16 B.
  Extent cut{divisor(rows, 4), divisor(columns, 3)};
  const std::uint32_t kind = draw(random, 0, 2);
  if (kind == 0) cut[1] = 1;
  if (kind == 1) cut[0] = 1;
  if (columns / cut[1] * trial.datum_size % 16 != 0) return;
  const bool turned = kind == 2 && random() % 2 == 0;
  const bool dram = layout.buffer_type == BufferType::DRAM;
  if (dram && (kind == 2 || cut[0] * cut[1] > 12)) return;
  const CoreRange cores =
      kind == 2
          ? CoreRange({2, 3}, {1 + (turned ? cut[0] : cut[1]), 2 + (turned ? cut[1] : cut[0])})
          : CoreRange({0, 0}, {cut[0] * cut[1] - 1, 0});
  layout.buffer_layout = kind == 0   ? TensorMemoryLayout::HEIGHT_SHARDED
                         : kind == 1 ? TensorMemoryLayout::WIDTH_SHARDED
                                     : TensorMemoryLayout::BLOCK_SHARDED;
  layout.shard_spec = ShardSpec{CoreRangeSet(cores),
                                {rows / cut[0], columns / cut[1]},
                                turned ? ShardOrientation::COL_MAJOR : ShardOrientation::ROW_MAJOR};
}

}  // namespace tvp::test
