// Group normalization of channels over rows or tiles in L1, compared with loops in double
// precision.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kKernels = "ttnn/cpp/ttnn/operations/normalization/groupnorm/device/kernels/";

struct Case {
  std::string name;
  unsigned high, wide, group, batches = 1;
  unsigned cores = 1;  ///< each has its own rows; groups span all of them
  bool rows = true;    ///< input and output in rows, otherwise in tiles
  bool scaled = true;  ///< multiplies by a row and adds another one
  bool fp32 = false;
  bool welford = false;
  double bound = 0.0625;
};

class PublishedGroupNorm : public PublishedTest {
 protected:
  void run(const Case& c);
};

constexpr float kEpsilon = 0.0625F;

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

void PublishedGroupNorm::run(const Case& c) {
  const unsigned groups = c.wide / c.group, high_tiles = c.high / 32, wide_tiles = c.wide / 32;
  const unsigned all = high_tiles * wide_tiles, block_high = high_tiles / c.batches;
  const auto [span, again] = tiles_of_groups(c.wide, c.group);
  const unsigned rest = c.group % 32 == 0 ? 32 : c.group % 32;

  std::uniform_real_distribution<float> of(-2, 4);
  std::vector<Word> x(std::size_t{c.cores} * c.high * c.wide);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t group = i % c.wide / c.group;
    x[i] = to_bf16(of(random_) + static_cast<float>(group));
  }
  const auto place = [&](std::size_t row, std::size_t column) {
    if (c.rows) return row * c.wide + column;
    // Rows of tiles, core by core.
    return (row / 32 * wide_tiles + column / 32) * 1024 + place_in_tile(row % 32, column % 32);
  };
  Words words(x.size() / 2);
  for (std::size_t row = 0; row < std::size_t{c.cores} * c.high; ++row)
    for (std::size_t column = 0; column < c.wide; ++column)
      set_datum16(words, place(row, column), x[row * c.wide + column]);
  const runtime::CoreRange cores({0, 0}, {c.cores - 1, 0});
  const auto in = bench_->local(words, cores);
  const auto out = bench_->local(Words(words.size(), 0xEEEEEEEE), cores);
  std::vector<float> gamma(c.wide), beta(c.wide);
  Words gammas(c.wide / 2), betas(c.wide / 2);
  for (std::size_t i = 0; i < c.wide; ++i) {
    set_datum16(gammas, i, to_bf16(of(random_)));
    set_datum16(betas, i, to_bf16(of(random_)));
    gamma[i] = f(from_bf16(datum16(gammas, i)));
    beta[i] = f(from_bf16(datum16(betas, i)));
  }
  // Each group has ones in its columns, in the tiles from its first one on.
  Numbers masks(groups, span);
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned r = 0; r < 32; ++r)
      for (unsigned i = 0; i < c.group; ++i) masks.set(32 * g + r, g * c.group % 32 + i, 1);
  const auto mask = tensor(masks);
  const auto scale = bench_->tensor(gammas, 64), shift = bench_->tensor(betas, 64);

  Operation::Defines defines{{"FP32_DEST_ACC", c.fp32 ? "true" : "false"}};
  if (c.rows) defines["TILIZE_IN"] = defines["UNTILIZE_OUT"] = "1";
  const Word one_scale = c.scaled ? 1 : 0;
  const unsigned subblock = span;
  Words compute = {1,
                   one_scale,
                   one_scale,
                   1,
                   c.batches,
                   groups,
                   rest,
                   block_high,
                   span,
                   block_high * span,
                   subblock,
                   span / subblock,
                   high_tiles,
                   wide_tiles,
                   all,
                   wide_tiles * 2048,
                   again,
                   2048,
                   all / c.batches,
                   groups * span,
                   1,
                   (rest & (rest - 1)) == 0 ? 1U : 0U,
                   c.group < 32 ? 1U : 0U,
                   c.group - (span - 1) * 32};
  if (c.welford) compute.push_back(c.group);
  Operation operation(*bench_);
  operation.on(cores);
  const Word receivers = operation.semaphore(0), senders = operation.semaphore(0);
  Words reader = {receivers,  senders,    c.cores,         c.batches * (c.welford ? 1 : groups),
                  wide_tiles, c.wide * 2, wide_tiles * 64, 2,
                  high_tiles, 32};
  if (c.welford) {
    reader.push_back(block_high * span);
    reader.push_back(groups);
  }
  // The packed root of a mean's divisor, along rows and along columns.
  const auto packed_root = [](unsigned value) {
    const Word root = w(1.0F / std::sqrt(static_cast<float>(value))) >> 16;
    return root << 16 | root;
  };
  const Word root = packed_root(c.high / c.batches * c.group);

  operation.buffer(0, in, DataFormat::Float16_b, 2048);
  operation.buffer(16, out, DataFormat::Float16_b, 2048);
  operation.buffer(1, all).buffer(30, all).buffer(2, c.welford ? 2 : 1).buffer(3, 1).buffer(4, 1);
  operation.buffer(5, wide_tiles).buffer(6, wide_tiles);
  operation.buffer(7, span * (c.welford ? groups : 2)).buffer(8, c.welford ? 2 : 1);
  operation.buffer(10, 1).buffer(13, c.welford ? 1 : block_high * span);
  if (c.welford) {
    operation.buffer(9, 1).buffer(15, 2 * groups);
  } else {
    operation.shared_buffer({9, 15}, 1);  // results arrive where the sender has them
  }
  operation.buffer(17, c.welford ? groups : 1).buffer(26, 1);
  const std::string prefix = c.welford ? "welford_" : "";
  // The first core combines the statistics of all cores.
  Words sends = {0, 0, 0, 0, 0, 0, 0, 1, 1};
  if (c.cores > 1) {
    const auto first = bench_->noc({1, 0}), last = bench_->noc({c.cores - 1, 0});
    sends = {0, 0, last.x, last.y, first.x, first.y, c.cores - 1};
    for (unsigned i = 0; i < c.cores; ++i) sends.push_back(bench_->noc({i, 0}).x);
    for (unsigned i = 0; i < c.cores; ++i) sends.push_back(bench_->noc({i, 0}).y);
    const auto sender = bench_->noc({0, 0});
    operation.on(runtime::CoreRange({1, 0}, {c.cores - 1, 0}))
        .writer(kKernels + "dataflow/reader_mcast_receiver_unary_sharded_gn_v2.cpp",
                {.compile = {receivers, senders, groups * c.batches, wide_tiles, c.wide * 2,
                             wide_tiles * 64, high_tiles, 32},
                 .run = {sender.x, sender.y},
                 .defines = defines});
  }
  operation.on(runtime::CoreCoord{0, 0})
      .writer(kKernels + "dataflow/" + prefix + "reader_mcast_sender_unary_sharded_gn_v2.cpp",
              {.compile = reader, .run = sends, .defines = defines});
  operation.on(cores);
  operation.reader(kKernels + "dataflow/" + prefix + "writer_unary_sharded_gn_rm_gb_v2.cpp",
                   {.compile = {1, one_scale, one_scale, wide_tiles, c.wide, c.wide * 2,
                                wide_tiles * 64, groups, c.batches, span, 64},
                    .tensors = {scale, shift, mask},
                    .run = {packed_root(c.cores), root, w(kEpsilon), address(scale), address(shift),
                            address(mask), 0, 0, 0, 0}});
  const std::string kernel =
      kKernels + "compute/" + (c.welford ? "welford_groupnorm" : "groupnorm") + "_sharded_v2.cpp";
  compute[3] = c.cores;
  operation.on(runtime::CoreCoord{0, 0})
      .compute(kernel, {.compile = compute, .defines = defines, .fp32_dst = c.fp32});
  if (c.cores > 1) {
    compute[0] = 0;
    operation.on(runtime::CoreRange({1, 0}, {c.cores - 1, 0}))
        .compute(kernel, {.compile = compute, .defines = defines, .fp32_dst = c.fp32});
  }
  operation.run();

  const Words got = bench_->local_words(out);
  const unsigned high = c.cores * c.high / c.batches;
  for (unsigned batch = 0; batch < c.batches; ++batch) {
    for (unsigned g = 0; g < groups; ++g) {
      double mean = 0, variance = 0;
      const auto value = [&](unsigned row, unsigned i) {
        return static_cast<double>(
            f(from_bf16(x[(std::size_t{batch} * high + row) * c.wide + g * c.group + i])));
      };
      for (unsigned row = 0; row < high; ++row)
        for (unsigned i = 0; i < c.group; ++i) mean += value(row, i) / (high * c.group);
      for (unsigned row = 0; row < high; ++row)
        for (unsigned i = 0; i < c.group; ++i)
          variance += std::pow(value(row, i) - mean, 2) / (high * c.group);
      for (unsigned row = 0; row < high; ++row) {
        for (unsigned i = 0; i < c.group; ++i) {
          const unsigned column = g * c.group + i;
          double expected =
              (value(row, i) - mean) / std::sqrt(variance + static_cast<double>(kEpsilon));
          double size = std::abs(expected) + 1;
          if (c.scaled) {
            size *= std::abs(static_cast<double>(gamma[column])) + 1;
            expected =
                expected * static_cast<double>(gamma[column]) + static_cast<double>(beta[column]);
          }
          const std::size_t at = place(std::size_t{batch} * high + row, column);
          ASSERT_NEAR(static_cast<double>(f(from_bf16(datum16(got, at)))), expected, c.bound * size)
              << c.name << " batch " << batch << ", row " << row << ", column " << column;
        }
      }
    }
  }
}

TEST_F(PublishedGroupNorm, OfRows) {
  run({.name = "one group a tile", .high = 32, .wide = 32, .group = 32});
  run({.name = "two groups a tile", .high = 64, .wide = 64, .group = 16, .fp32 = true});
  run({.name = "two tiles a group, two batches",
       .high = 64,
       .wide = 128,
       .group = 64,
       .batches = 2});
  run({.name = "groups across tiles", .high = 64, .wide = 96, .group = 24, .fp32 = true});
  run({.name = "not scaled", .high = 32, .wide = 64, .group = 8, .scaled = false});
}

TEST_F(PublishedGroupNorm, OfTiles) {
  run({.name = "tiles", .high = 64, .wide = 64, .group = 32, .rows = false, .scaled = false});
}

TEST_F(PublishedGroupNorm, OverSeveralCores) {
  run({.name = "two groups a tile", .high = 64, .wide = 64, .group = 16, .cores = 3, .fp32 = true});
  run({.name = "groups across tiles", .high = 32, .wide = 96, .group = 24, .cores = 4});
  run({.name = "tiles",
       .high = 64,
       .wide = 64,
       .group = 32,
       .cores = 4,
       .rows = false,
       .scaled = false});
}

/// With several batches, the kernel finds the second batch only if a row is one group.
TEST_F(PublishedGroupNorm, ByWelfordsMethod) {
  run({.name = "one group a tile", .high = 32, .wide = 32, .group = 32, .welford = true});
  run({.name = "two groups a tile",
       .high = 64,
       .wide = 64,
       .group = 16,
       .fp32 = true,
       .welford = true});
  run({.name = "two tiles a group, two batches",
       .high = 64,
       .wide = 64,
       .group = 64,
       .batches = 2,
       .welford = true});
  run({.name = "groups across tiles", .high = 64, .wide = 96, .group = 24, .welford = true});
}

}  // namespace
}  // namespace tvp::test
