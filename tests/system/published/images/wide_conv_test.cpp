// Convolutions of an image whose channels are spread over the L1 of several cores. Each core sends
// its part of every block to all others.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/wide_conv.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

constexpr unsigned kWindow = 3;

struct Case {
  unsigned cores = 2;
  unsigned blocks = 1;        ///< blocks of 32 channels per core
  unsigned filter_tiles = 2;  ///< per core
  unsigned high = 8, wide = 8;
  unsigned block_high = 2;  ///< tiles that are multiplied at once
  unsigned stride = 1, dilation = 1;
  bool bias = false, rows = false, accumulate_in_l1 = false, fp32 = false;
};

class PublishedWideConv : public PublishedTest {
 protected:
  void run(const Case& c);
};

void PublishedWideConv::run(const Case& c) {
  const unsigned reach = (kWindow - 1) * c.dilation + 1;
  const unsigned in_high = (c.high - 1) * c.stride + reach,
                 in_wide = (c.wide - 1) * c.stride + reach;
  const unsigned own = 32 * c.blocks, channels = own * c.cores, pixels = c.high * c.wide;
  const unsigned filters = 32 * c.filter_tiles * c.cores, width = kWindow * kWindow;
  const unsigned rounds = pixels / 32 / c.block_high, block = c.block_high * width;

  const Numbers biases = random(1, filters / 32, -2, 2);
  std::uniform_real_distribution<float> of(-1, 1);
  Words images(std::size_t{c.cores} * in_high * in_wide * own / 2);
  for (std::size_t i = 0; i < 2 * images.size(); ++i) set_datum16(images, i, to_bf16(of(random_)));
  const Numbers weights = random(width * channels / 32, filters / 32, -1, 1);
  const auto weight = tensor(weights), bias = tensor(biases);
  const CoreRange cores({0, 0}, {c.cores - 1, 0});
  const auto in = bench_->local(images, cores);
  const auto out = bench_->local(
      Words(std::size_t{c.cores} * pixels * filters / c.cores / 2, 0xEEEEEEEE), cores);
  Words list;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned end = 32 * c.block_high * (round + 1);
    Words runs;
    for (unsigned at = 32 * c.block_high * round; at < end;) {
      const unsigned next = std::min((at / c.wide + 1) * c.wide, end);
      const unsigned begin = at / c.wide * c.stride * in_wide + at % c.wide * c.stride;
      runs.push_back(begin | (begin + (next - at - 1) * c.stride) << 16);
      at = next;
    }
    list.push_back(count(runs.size()));
    list.insert(list.end(), runs.begin(), runs.end());
  }
  list.resize((list.size() + 7) / 8 * 8);
  Words lists;
  for (unsigned i = 0; i < c.cores; ++i) lists.insert(lists.end(), list.begin(), list.end());
  const auto indices = bench_->local(lists, cores);

  enum : std::uint8_t { kAct, kWeights, kBias, kIn, kIndices, kTilized, kRows, kArray };
  constexpr std::uint8_t kOut = 16, kPartials = 24;
  const DataFormat sums = c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b;
  Operation operation(*bench_);
  operation.on(cores);
  const Word ready = operation.semaphore(0), valid = operation.semaphore(0);
  // On NoC 1 the rectangle begins where it ends on NoC 0.
  const CoreCoord from = bench_->noc({c.cores - 1, 0}), to = bench_->noc({0, 0});
  Words lookup;
  for (unsigned x = 0; x < c.cores; ++x) lookup.push_back(count(bench_->noc({x, 0}).x));
  lookup.push_back(count(to.y));
  kLaunches.describe(
      operation, "run",
      TVP_VALUES(cores, block, width, c.filter_tiles, in, own, indices, kOut, out, kPartials, sums,
                 c.fp32, c.block_high, c.stride, c.dilation, in_wide, kWindow, c.cores, rounds,
                 c.blocks, ready, valid, from.x, from.y, to.x, to.y, filters, channels, c.bias,
                 weight, bias, c.rows, c.accumulate_in_l1)
          .with("writer_args", [&](CoreCoord core) {
            Words args = {count(core.x), 0, c.cores};
            args.insert(args.end(), lookup.begin(), lookup.end());
            return args;
          }));
  operation.run();

  const Words got = bench_->local_words(out);
  const auto pixel_at = [&](unsigned row, unsigned column, unsigned channel) {
    const std::size_t at =
        ((std::size_t{channel} / own * in_high + row) * in_wide + column) * own + channel % own;
    return static_cast<double>(f(from_bf16(datum16(images, at))));
  };
  const double bound = c.fp32 ? 0.02 : 0.04 * std::sqrt(9.0 / 4 * channels);
  const std::size_t each = std::size_t{pixels} * 32 * c.filter_tiles;
  for (unsigned pixel = 0; pixel < pixels; ++pixel) {
    for (unsigned filter = 0; filter < filters; ++filter) {
      double sum = c.bias ? biases(0, filter) : 0;
      for (unsigned y = 0; y < kWindow; ++y)
        for (unsigned x = 0; x < kWindow; ++x)
          for (unsigned channel = 0; channel < channels; ++channel)
            sum += pixel_at(pixel / c.wide * c.stride + y * c.dilation,
                            pixel % c.wide * c.stride + x * c.dilation, channel) *
                   weights((kWindow * y + x) * channels + channel, filter);
      const unsigned here = filter % (32 * c.filter_tiles);
      const std::size_t place =
          c.rows ? std::size_t{pixel} * 32 * c.filter_tiles + here
                 : (std::size_t{pixel} / 32 * c.filter_tiles + here / 32) * 1024 +
                       place_in_tile(pixel % 32, here % 32);
      const std::size_t core = filter / (32 * c.filter_tiles);
      const auto value = static_cast<double>(f(from_bf16(datum16(got, core * each + place))));
      ASSERT_NEAR(value, sum, bound * (std::abs(sum) + 1))
          << "pixel " << pixel << ", filter " << filter;
    }
  }
}

TEST_F(PublishedWideConv, OfAnImageOnSeveralCores) {
  run({});
  run({.cores = 4, .filter_tiles = 1, .block_high = 1, .bias = true});
}

TEST_F(PublishedWideConv, InBlocksOfChannels) {
  run({.blocks = 2, .block_high = 1, .dilation = 2, .rows = true});
  run({.blocks = 2, .stride = 2, .bias = true, .accumulate_in_l1 = true, .fp32 = true});
}

}  // namespace
}  // namespace tvp::test
