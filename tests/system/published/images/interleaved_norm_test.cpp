// Group normalization of a tensor in DRAM on a grid of cores. Cores of a column send their
// statistics to the first one, which multicasts the total.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::NOC;

const std::string kKernels = "ttnn/cpp/ttnn/operations/normalization/groupnorm/device/kernels/";
constexpr float kEpsilon = 0.0625F;

struct Case {
  std::string name;
  unsigned columns, rows;  ///< of cores
  unsigned high, wide;     ///< per core, in tiles
  unsigned group;
  unsigned blocks = 1;  ///< blocks of a core's rows
  bool fp32 = false;
  double bound = 0.0625;
};

class PublishedInterleavedNorm : public PublishedTest {
 protected:
  void run(const Case& c);
};

/// The largest number of tiles of a group, and the number of groups after which one begins with a
/// tile.
std::pair<unsigned, unsigned> tiles_of_groups(unsigned wide, unsigned group) {
  unsigned span = 0, again = 0;
  for (unsigned at = 0; at < wide; at += group) {
    span = std::max(span, (at + group - 1) / 32 - at / 32 + 1);
    if (again == 0 && (at + group) % 32 == 0) again = (at + group) / group;
  }
  return {span, again};
}

void PublishedInterleavedNorm::run(const Case& c) {
  const unsigned high = c.high * c.rows, wide = c.wide * c.columns;
  const unsigned groups = 32 * wide / c.group, own_groups = groups / c.columns;
  const auto [span, again] = tiles_of_groups(32 * c.wide, c.group);
  const unsigned rest = c.group % 32 == 0 ? 32 : c.group % 32;

  Numbers x = random(high, wide, -2, 4);
  for (unsigned r = 0; r < x.rows(); ++r)
    for (unsigned i = 0; i < x.columns(); ++i)
      x.set(r, i, static_cast<float>(x(r, i)) + static_cast<float>(i / c.group % 5));
  const auto in = tensor(x), out = result(high * wide);
  std::uniform_real_distribution<float> of(-2, 4);
  Words gammas(16 * wide), betas(16 * wide);
  for (std::size_t i = 0; i < 32 * wide; ++i) {
    set_datum16(gammas, i, to_bf16(of(random_)));
    set_datum16(betas, i, to_bf16(of(random_)));
  }
  const auto scale = bench_->tensor(gammas, 64), shift = bench_->tensor(betas, 64);
  // Each group has ones in its columns, in the tiles from its first one on.
  Numbers masks(groups, span);
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned r = 0; r < 32; ++r)
      for (unsigned i = 0; i < c.group; ++i) masks.set(32 * g + r, g * c.group % 32 + i, 1);
  const auto mask = tensor(masks);

  Operation operation(*bench_);
  operation.on(CoreRange({0, 0}, {c.columns - 1, c.rows - 1}));
  const Word senders = operation.semaphore(0), receivers = operation.semaphore(0);
  const unsigned block = c.high / c.blocks * span;
  constexpr std::uint8_t kOfABlock[] = {0, 16, 29, 24, 25, 23, 22},
                         kOfATile[] = {2, 3, 4, 8, 21, 27};
  for (const std::uint8_t cb : kOfABlock) operation.buffer(cb, block);
  for (const std::uint8_t cb : kOfATile) operation.buffer(cb, 1);
  operation.buffer(5, c.wide).buffer(6, c.wide).buffer(28, 2 * span).buffer(10, 2 * c.rows);
  operation.shared_buffer({9, 15}, 1).shared_buffer({13, 14}, 1);

  std::map<std::string, std::uint32_t> named = {
      {"reduce_receiver_semaphore_id", receivers},
      {"reduce_sender_semaphore_id", senders},
      {"num_cores_per_mcast_group", c.rows},
      {"num_batch_group", own_groups},
      {"num_batches", 1},
      {"per_core_M", c.high},
      {"per_core_N", c.wide},
      {"per_core_MN", c.high * c.wide},
      {"per_core_N_bytes", c.wide * 64},
      {"per_core_N_bytes_with_stride", c.wide * 64},
      {"per_core_N_tile_bytes", c.wide * 2048},
      {"datum_size_bytes", 2},
      {"TILE_HEIGHT", 32},
      {"block_h", c.high},
      {"block_w", span},
      {"block_hw", c.high * span},
      {"num_cols_per_group", rest},
      {"num_tiles_per_batch", c.high * wide},
      {"block_w_last", 1},
      {"GROUP_SIZE_IS_POWER_OF_2", (rest & (rest - 1)) == 0 ? 1 : 0},
      {"GROUP_SIZE_SMALLER_THAN_TILE_W", c.group < 32 ? 1 : 0},
      {"group_row_offset", c.group - (span - 1) * 32},
      {"num_out_blocks", c.blocks},
      {"num_channels_per_group", c.group},
      {"num_rows_per_group", 32 * c.high},
      {"is_mcast_sender", 1},
      {"fuse_gamma", 1},
      {"fuse_beta", 1},
      {"do_gamma", 1},
      {"do_beta", 1},
      {"num_cols_tile_gamma_beta", c.wide},
      {"num_groups_per_core", own_groups},
      {"num_batches_per_core", 1},
      {"groupnorm_mode", 0},
      {"page_size", 64},
      {"batch", 1},
      {"group", own_groups},
      {"subblock_w", span},
      {"num_subblocks_w", 1},
      {"num_groups_per_reset", again},
      {"single_tile_size_bytes", 2048},
      {"num_tiles_input_mask", own_groups * span},
      {"reciprocal_size", 0},
  };
  const auto packed_root = [](unsigned value) {
    const Word root = w(1.0F / std::sqrt(static_cast<float>(value))) >> 16;
    return root << 16 | root;
  };
  const auto first_tile = [&](CoreCoord core) {
    return count(core.y * c.high * wide + core.x * c.wide);
  };
  operation.reader(kKernels + "dataflow/writer_unary_gn_rm_gb.cpp",
                   {.tensors = {out, scale, shift, mask},
                    .run_at =
                        [&, span = span](CoreCoord core) {
                          return Words{packed_root(c.rows),
                                       packed_root(32 * c.high * c.group),
                                       w(kEpsilon),
                                       address(out),
                                       address(scale),
                                       address(shift),
                                       address(mask),
                                       first_tile(core),
                                       count(core.x * c.wide),
                                       count(core.x * c.wide),
                                       count(core.x * own_groups * span),
                                       wide};
                        },
                    .named = named,
                    .noc = NOC::NOC_1});
  const Operation::Defines defines{{"FP32_DEST_ACC", c.fp32 ? "true" : "false"}};
  const std::string compute = kKernels + "compute/groupnorm.cpp";
  operation.on(CoreRange({0, 0}, {c.columns - 1, 0}))
      .writer(kKernels + "dataflow/reader_mcast_sender_unary_gn.cpp",
              {.tensors = {in, out},
               .run_at =
                   [&](CoreCoord core) {
                     const CoreCoord from = bench_->noc(core);
                     const CoreCoord to = bench_->noc({core.x, c.rows - 1});
                     Words args = {address(in),
                                   address(out),
                                   first_tile(core),
                                   first_tile(core),
                                   wide,
                                   0,
                                   0,
                                   count(from.x),
                                   count(from.y),
                                   count(to.x),
                                   count(to.y),
                                   c.rows - 1};
                     for (unsigned y = 0; y < c.rows; ++y)
                       args.push_back(count(bench_->noc({core.x, y}).x));
                     for (unsigned y = 0; y < c.rows; ++y)
                       args.push_back(count(bench_->noc({core.x, y}).y));
                     return args;
                   },
               .named = named,
               .noc = NOC::NOC_0})
      .compute(compute, {.defines = defines, .named = named, .fp32_dst = c.fp32});
  if (c.rows > 1) {
    named["is_mcast_sender"] = 0;
    operation.on(CoreRange({0, 1}, {c.columns - 1, c.rows - 1}))
        .writer(kKernels + "dataflow/reader_mcast_receiver_unary_gn.cpp",
                {.tensors = {in, out},
                 .run_at =
                     [&](CoreCoord core) {
                       const CoreCoord sender = bench_->noc({core.x, 0});
                       return Words{address(in),      address(out), first_tile(core),
                                    first_tile(core), wide,         count(sender.x),
                                    count(sender.y)};
                     },
                 .named = named,
                 .noc = NOC::NOC_0})
        .compute(compute, {.defines = defines, .named = named, .fp32_dst = c.fp32});
  }
  operation.run();

  const Numbers got = read(out, wide);
  for (unsigned g = 0; g < groups; ++g) {
    double mean = 0, variance = 0;
    const double size = static_cast<double>(x.rows() * c.group);
    for (unsigned r = 0; r < x.rows(); ++r)
      for (unsigned i = 0; i < c.group; ++i) mean += x(r, g * c.group + i) / size;
    for (unsigned r = 0; r < x.rows(); ++r)
      for (unsigned i = 0; i < c.group; ++i)
        variance += std::pow(x(r, g * c.group + i) - mean, 2) / size;
    for (unsigned r = 0; r < x.rows(); ++r) {
      for (unsigned i = g * c.group; i < (g + 1) * c.group; ++i) {
        const double normal =
            (x(r, i) - mean) / std::sqrt(variance + static_cast<double>(kEpsilon));
        const auto gamma = static_cast<double>(f(from_bf16(datum16(gammas, i))));
        const auto beta = static_cast<double>(f(from_bf16(datum16(betas, i))));
        ASSERT_NEAR(got(r, i), normal * gamma + beta,
                    c.bound * (std::abs(normal) + 1) * (std::abs(gamma) + 1))
            << c.name << " row " << r << ", column " << i;
      }
    }
  }
}

TEST_F(PublishedInterleavedNorm, OnOneCore) {
  run({.name = "one group a tile", .columns = 1, .rows = 1, .high = 2, .wide = 2, .group = 32});
}

TEST_F(PublishedInterleavedNorm, OfColumnsOfCores) {
  run({.name = "two tiles a group", .columns = 2, .rows = 3, .high = 2, .wide = 2, .group = 64});
  run({.name = "two groups a tile, in two blocks",
       .columns = 2,
       .rows = 2,
       .high = 4,
       .wide = 2,
       .group = 16,
       .blocks = 2,
       .fp32 = true});
  run({.name = "groups across tiles", .columns = 1, .rows = 4, .high = 1, .wide = 3, .group = 24});
}

}  // namespace
}  // namespace tvp::test
