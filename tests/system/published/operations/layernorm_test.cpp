// Normalization of rows that are spread over several cores: senders and receivers of partial sums.

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::DataFormat;

const std::string kKernels = "ttnn/cpp/ttnn/operations/normalization/layernorm/device/kernels/";

struct Case {
  std::string name;
  unsigned columns = 4, rows = 1;           ///< of cores
  unsigned block_high = 2, block_wide = 2;  ///< per core, in tiles
  bool two_stages = false;  ///< first along rows of cores, then along their first column
  bool root = false;        ///< RMS norm, without the mean
  bool added = false, scaled = true, fp32 = false, row_major_scales = false;
  bool welford = false;  ///< computes mean and variance in one pass
  double bound = 0.03;
};

class PublishedLayerNorm : public PublishedTest {
 protected:
  void run(const Case& c);
};

constexpr float kEpsilon = 0.0625F;

/// The parts of a matrix along its rows, one after the other.
Words parts(const Numbers& from, std::size_t wide) {
  const std::size_t all = from.columns() / 32, high = from.rows() / 32;
  Words words;
  for (std::size_t part = 0; part < all / wide; ++part) {
    for (std::size_t row = 0; row < high; ++row) {
      const auto at =
          from.words().begin() + static_cast<std::ptrdiff_t>(512 * (row * all + part * wide));
      words.insert(words.end(), at, at + static_cast<std::ptrdiff_t>(512 * wide));
    }
  }
  return words;
}
Numbers together(const Words& words, std::size_t high, std::size_t wide, std::size_t all) {
  Words made(512 * high * all);
  for (std::size_t i = 0; i < high * all; ++i) {
    const std::size_t part = i / (high * wide), row = i / wide % high, column = i % wide;
    std::copy_n(
        words.begin() + static_cast<std::ptrdiff_t>(512 * i), 512,
        made.begin() + static_cast<std::ptrdiff_t>(512 * (row * all + part * wide + column)));
  }
  return {all, made};
}

void PublishedLayerNorm::run(const Case& c) {
  const unsigned blocks = c.columns * c.rows, high = c.block_high, wide = c.block_wide;
  const unsigned all_wide = blocks * wide, block = high * wide;
  const unsigned first = c.two_stages ? c.columns : blocks, second = c.two_stages ? c.rows : 0;
  const unsigned each = (high + first - 1) / first, workers = (high + each - 1) / each;
  const unsigned last = high % each == 0 ? each : high % each;
  const Word bytes = c.fp32 ? 4096 : 2048, scaled = c.scaled, root = c.root, welford = c.welford;
  const DataFormat format = c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b;

  const Numbers x = random(high, all_wide, -2, 4), y = random(high, all_wide, -2, 2);
  const Numbers gamma = random(1, all_wide, -2, 2), beta = random(1, all_wide, -2, 2);
  const CoreRange cores({0, 0}, {c.columns - 1, c.rows - 1});
  const auto in = bench_->local(parts(x, wide), cores), more = bench_->local(parts(y, wide), cores);
  const auto out = bench_->local(Words(x.words().size(), 0xEEEEEEEE), cores);
  // Row by row: the first row of each tile, in pieces of 32 numbers.
  const auto scales = [&](const Numbers& from) {
    if (!c.row_major_scales) return tensor(from);
    Words words(from.columns() / 2);
    for (std::size_t i = 0; i < from.columns(); ++i)
      set_datum16(words, i, to_bf16(static_cast<float>(from(0, i))));
    return bench_->tensor(words, 64);
  };
  const auto scale = scales(gamma), shift = scales(beta);

  Operation operation(*bench_);
  operation.on(cores);
  const Word receivers = operation.semaphore(0), senders = operation.semaphore(0),
             stage = operation.semaphore(0);
  operation.buffer(0, in, DataFormat::Float16_b, 2048);
  if (c.added) operation.buffer(1, more, DataFormat::Float16_b, 2048);
  operation.buffer(16, out, DataFormat::Float16_b, 2048);
  operation.buffer(2, 1).buffer(3, 1).buffer(4, 1).buffer(5, wide).buffer(6, wide);
  const unsigned both = c.welford ? 2 : 1;
  operation.buffer(24, block, bytes, format).buffer(18, block, bytes, format);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{8, 9, 11, 12, 15})
    operation.buffer(cb, both * high, bytes, format);
  const unsigned external = c.two_stages ? first + second - 1 : blocks;
  operation.buffer(10, both * external, bytes, format).buffer(13, external, bytes, format);
  operation.buffer(20, each, bytes, format);
  Words reciprocals;
  for (unsigned core = 0; core < blocks; ++core)
    for (unsigned i = 0; i < 32 * wide; ++i)
      reciprocals.push_back(w(1.0F / static_cast<float>(i + 1)));
  const auto reciprocal = bench_->local(reciprocals, cores);
  if (c.welford)
    operation.buffer(22, both * high, bytes, format).buffer(25, reciprocal, DataFormat::Float32);

  const auto index = [&](CoreCoord core) { return core.y * c.columns + core.x; };
  const auto in_first = [&](CoreCoord core) { return c.two_stages ? core.x : index(core); };
  std::vector<CoreCoord> sender{{0, 0}}, working, other;
  for (const CoreCoord core : CoreRangeSet(cores).cores())
    if (index(core) != 0) (in_first(core) < workers ? working : other).push_back(core);
  Words places;
  for (unsigned i = 0; i < c.columns; ++i) places.push_back(bench_->noc({i, 0}).x);
  for (unsigned i = 0; i < c.rows; ++i) places.push_back(bench_->noc({0, i}).y);
  const auto with_places = [&](Words args, CoreCoord core) {
    args.insert(args.end(), {core.x, core.y});
    args.insert(args.end(), places.begin(), places.end());
    return args;
  };
  const Word stages = c.two_stages;
  operation.on({sender[0]})
      .reader(kKernels + "dataflow/reader_mcast_sender_unary_sharded_ln.cpp",
              {.compile = {receivers, senders, blocks, high, high * bytes, workers, each,
                           each * bytes, last, last * bytes, 1, c.columns, c.rows, stages, first,
                           second, stage, root, welford},
               .run = [&] {
                 const CoreCoord from = bench_->noc({0, 0}),
                                 to = bench_->noc({c.columns - 1, c.rows - 1});
                 return with_places({from.x, from.y, to.x, to.y}, {0, 0});
               }()});
  if (!working.empty()) {
    operation.on(CoreRangeSet(working))
        .reader(kKernels + "dataflow/reader_mcast_receiver_unary_sharded_ln.cpp",
                {.compile = {receivers, senders, blocks, high, 1, workers, each, last, 1, c.columns,
                             c.rows, stages, first, second, stage, root, welford},
                 .run_at = [&](CoreCoord core) {
                   const unsigned at = in_first(core);
                   return with_places({at == workers - 1 ? 1U : 0U, at * each * bytes,
                                       c.two_stages && index(core) < workers ? 1U : 0U},
                                      core);
                 }});
  }
  if (!other.empty()) {
    const CoreCoord from = bench_->noc({0, 0});
    operation.on(CoreRangeSet(other))
        .reader(kKernels + "dataflow/reader_mcast_receiver_unary_sharded_ln.cpp",
                {.compile = {receivers, senders, blocks, high, 0, workers, each, last, 1, 1, 1, 0,
                             0, 0, stage, root, welford},
                 .run = {0, 0, 0, 0, 0, from.x, from.y}});
  }
  const auto packed = [](double value) {
    const Word bits = to_bf16(static_cast<float>(value));
    return bits << 16 | bits;
  };
  Operation::Defines writes{{"SKIP_WRITE_BACK", "1"}}, defines;
  if (c.added) defines["FUSE_PRE_ADD"] = "1";
  if (c.root) writes["RMSNORM"] = defines["RMSNORM"] = "1";
  const auto compute_and_write = [&](const std::vector<CoreCoord>& on, Word works) {
    if (on.empty()) return;
    operation.on(CoreRangeSet(on));
    Words after;
    if (c.row_major_scales) after.push_back(2 * 32 * all_wide);
    after.insert(after.end(), {0, 0, wide * 2048, wide * 2048, high, 0});
    operation.writer(kKernels + (c.row_major_scales ? "dataflow/writer_unary_sharded_ln_rm_gb.cpp"
                                                    : "dataflow/writer_unary_sharded_ln.cpp"),
                     {.compile = {works, scaled, scaled, wide, welford},
                      .tensors = {scale, shift},
                      .after = after,
                      .run_at =
                          [&](CoreCoord core) {
                            const bool once = c.two_stages && index(core) >= workers;
                            return Words{packed(once ? 1.0 : 1.0 / blocks),
                                         packed(1.0 / (32 * wide)),
                                         w(kEpsilon),
                                         address(scale),
                                         address(shift),
                                         index(core) * wide,
                                         index(core) * wide,
                                         0,
                                         0};
                          },
                      .defines = writes});
    operation.compute(
        kKernels +
            (c.welford ? "compute/layernorm_sharded_welford.cpp" : "compute/layernorm_sharded.cpp"),
        {.compile = {0, scaled, scaled, first, high, wide, wide, 1, works, block, c.fp32, c.fp32, 0,
                     second, 32, 32, 32 * all_wide, w(kEpsilon), 32 * wide},
         .run_at =
             [&](CoreCoord core) {
               Words args = {wide};
               if (works == 1)
                 args.insert(args.end(), {in_first(core) == workers - 1 ? last : each, stages,
                                          c.two_stages && index(core) < workers ? 1U : 0U});
               return args;
             },
         .defines = defines,
         .fp32_dst = c.fp32});
  };
  working.insert(working.begin(), sender[0]);
  compute_and_write(working, 1);
  compute_and_write(other, 0);
  operation.run();

  const Numbers got = together(bench_->local_words(out), high, wide, all_wide);
  const unsigned size = 32 * all_wide;
  for (unsigned row = 0; row < 32 * high; ++row) {
    const auto value = [&](unsigned i) { return x(row, i) + (c.added ? y(row, i) : 0); };
    double mean = 0, variance = 0;
    for (unsigned i = 0; i < size && !c.root; ++i) mean += value(i) / size;
    for (unsigned i = 0; i < size; ++i) variance += std::pow(value(i) - mean, 2) / size;
    for (unsigned i = 0; i < size; ++i) {
      double expected = (value(i) - mean) / std::sqrt(variance + static_cast<double>(kEpsilon));
      double magnitude = std::abs(expected) + 1;
      if (c.scaled) {
        expected = expected * gamma(0, i) + beta(0, i);
        magnitude *= std::abs(gamma(0, i)) + 1;
      }
      ASSERT_NEAR(got(row, i), expected, c.bound * magnitude) << c.name << ": " << row << ", " << i;
    }
  }
}

TEST_F(PublishedLayerNorm, OverOneRowOfCores) {
  run({.name = "some do not reduce"});
  run({.name = "all reduce", .block_high = 4, .scaled = false});
  run({.name = "uneven", .columns = 3, .block_high = 4, .block_wide = 1});
  run({.name = "fp32", .fp32 = true});
  run({.name = "sum of two", .added = true});
  run({.name = "scales in rows", .row_major_scales = true});
}

TEST_F(PublishedLayerNorm, OfRootMeanSquares) {
  run({.name = "one row", .root = true});
  run({.name = "sum of two", .root = true, .added = true});
  run({.name = "fp32", .block_high = 1, .root = true, .fp32 = true});
}

TEST_F(PublishedLayerNorm, ByWelfordsMethod) {
  run({.name = "one row of cores", .welford = true});
  run({.name = "fp32", .block_high = 4, .fp32 = true, .welford = true});
  run({.name = "sum of two", .block_wide = 3, .added = true, .welford = true});
  run({.name = "two stages", .columns = 3, .rows = 2, .two_stages = true, .welford = true});
}

TEST_F(PublishedLayerNorm, InTwoStages) {
  run({.name = "one row of tiles", .columns = 3, .rows = 2, .block_high = 1, .two_stages = true});
  run({.name = "three rows of tiles",
       .columns = 2,
       .rows = 2,
       .block_high = 3,
       .two_stages = true});
  run({.name = "root", .columns = 2, .rows = 3, .two_stages = true, .root = true});
}

}  // namespace
}  // namespace tvp::test
