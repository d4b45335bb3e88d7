// A product of matrices with bias and function, compared within 1.5 % with
// models/demos/stable_diffusion_xl_base/tests/test_sdxl_op_unit_test_perf.py.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/feed_forward.toml");

using runtime::CoreCoord;
using runtime::CoreRange;

constexpr Stored kBf16{false}, kBfp8{true};
constexpr unsigned kColumns = 5, kRows = 8, kSubWide = 8;
/// Sizes in tiles: of the matrices, of a core's part, of a block.
constexpr unsigned kM = 32, kK = 40, kN = 160, kHigh = kM / kRows, kWide = kN / kColumns;
constexpr unsigned kShard = kK / kColumns, kInner = 4, kBlocks = kK / kInner;

class PublishedFeedForward : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }
  /// The parts of a matrix that is cut into `high` x `wide` tiles, one after the other.
  static Words shards(const Numbers& matrix, unsigned high, unsigned wide) {
    const std::size_t across = matrix.columns() / 32, down = matrix.rows() / 32;
    Words parts;
    for (std::size_t y = 0; y < down; y += high)
      for (std::size_t x = 0; x < across; x += wide)
        for (unsigned row = 0; row < high; ++row) {
          const auto tile =
              matrix.words().begin() + static_cast<std::ptrdiff_t>(((y + row) * across + x) * 512);
          parts.insert(parts.end(), tile, tile + std::ptrdiff_t{512} * wide);
        }
    return parts;
  }
};

/// The first product of a feed-forward layer of SDXL, 1024 x 1280 by 1280 x 5120, with a GELU.
TEST_F(PublishedFeedForward, OfSdxl) {
  const Numbers a = random(kM, kK, -1, 1), b = stored(kK, kN, -1, 1, kBfp8),
                biases = stored(1, kN, -2, 2, kBfp8);
  const CoreRange cores({0, 0}, {kColumns - 1, kRows - 1});
  const auto left = bench_->local(shards(a, kHigh, kShard), cores);
  const auto right = tensor(b, kBfp8), bias = tensor(biases, kBfp8);
  const auto out = bench_->local(Words(std::size_t{kM} * kN * 512), cores);
  constexpr unsigned kPages = kHigh * kInner, kRight = kWide * kInner, kSubs = kWide / kSubWide;
  Operation operation(*bench_);
  operation.on(cores);
  const Word ready = operation.semaphore(0), valid = operation.semaphore(0);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  const Operation::Defines defines{{"OUT_SHARDED", "1"}, {"FUSE_BIAS", "1"}};
  const Words writes = {1, kN, kSubWide, kN, kWide, kHigh * kN, kSubWide, 1, kSubWide, kM * kN};
  const Words part = {kHigh, 1, 0, kSubs, kSubs, kSubWide, 0, 0};
  Words sends = {1,    kN,     kInner * kN, kWide,     kWide,   kInner, kRight, kBlocks, 1, 1,
                 sent, got_it, kRows - 1,   kRows - 1, kK * kN, 1,      1,      0,       0};
  sends.insert(sends.end(), writes.begin(), writes.end());
  sends.insert(sends.end(), {1, 0, 0});
  Words receives = {kRight, kBlocks, 1, 1, sent, got_it, 1};
  receives.insert(receives.end(), writes.begin(), writes.end());
  receives.insert(receives.end(), {kWide, 0});
  kLaunches.describe(
      operation, "of_sdxl",
      TVP_VALUES(cores, kPages, kRight, left, kWide, out, kBlocks, ready, valid, kColumns, kShard,
                 kHigh, kInner, sends, right, bias, defines, receives, kSubs, kSubWide)
          .with("reader_args",
                [&](CoreCoord core) {
                  const Word row = count(bench_->noc({0, core.y}).y);
                  Words args = {count(core.x), count(bench_->noc({kColumns - 1, core.y}).x), row,
                                count(bench_->noc({0, core.y}).x), row};
                  for (unsigned x = 0; x < kColumns; ++x)
                    args.push_back(count(bench_->noc({x, core.y}).x));
                  args.push_back(row);
                  return args;
                })
          .with("senders", CoreRange({0, 0}, {kColumns - 1, 0}))
          .with("sender_args",
                [&](CoreCoord core) {
                  const CoreCoord next = bench_->noc({core.x, 1}),
                                  last = bench_->noc({core.x, kRows - 1});
                  const Word first = kWide * count(core.x);
                  Words args = {address(right), first, count(next.x), count(next.y), count(last.x),
                                count(last.y),  0,     address(out),  first,         kWide};
                  args.insert(args.end(), part.begin(), part.end());
                  args.insert(args.end(), {address(bias), first});
                  return args;
                })
          .with("receivers", CoreRange({0, 1}, {kColumns - 1, kRows - 1}))
          .with("receiver_args", [&](CoreCoord core) {
            const CoreCoord sender = bench_->noc({core.x, 0});
            Words args = {count(sender.x), count(sender.y), address(out),
                          kWide * count(core.x) + kHigh * count(core.y) * kN, kHigh};
            args.insert(args.end(), part.begin(), part.end());
            return args;
          }));
  operation.run();
  expect_as_on_silicon("feed forward", 238419);

  const Words got = bench_->local_words(out);
  for (unsigned row = 0; row < 32 * kM; row += 37) {
    for (unsigned column = 0; column < 32 * kN; column += 53) {
      double sum = biases(0, column);
      for (unsigned i = 0; i < 32 * kK; ++i) sum += a(row, i) * b(i, column);
      const double wanted = sum / 2 * (1 + std::erf(sum / std::sqrt(2.0)));
      const std::size_t core = row / 32 / kHigh * kColumns + column / 32 / kWide;
      const std::size_t where =
          (core * kHigh * kWide + row / 32 % kHigh * kWide + column / 32 % kWide) * 1024 +
          place_in_tile(row % 32, column % 32);
      ASSERT_NEAR(double{f(from_bf16(datum16(got, where)))}, wanted, 0.03 * std::abs(sum) + 0.5)
          << row << ", " << column;
    }
  }
}

}  // namespace
}  // namespace tvp::test
