// Whole convolutions, compared within 5 % with
// tests/ttnn/perf_tests/operations/conv/test_conv2d_device_perf.py.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/conv_times.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;

constexpr Stored kBfp8{true};
constexpr Grid kGrid{8, 8};
constexpr unsigned kWindow = 3;

class PublishedConvTimes : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }
};

/// The first convolution of SDXL's decoder: two rows of an image of 128 x 128 pixels per core, 4
/// channels, 512 filters. The test gives the image in tiles, so its channels are padded to 32
/// (get_input_channels_alignment). A row of the window is three tiles wide. One processor gathers
/// pixels (is_split_reader_viable). Each of the three rows is multiplied for the whole output,
/// which is packed and read back in between.
TEST_F(PublishedConvTimes, OfFewChannels) {
  constexpr unsigned kSide = 128, kChannels = 4, kPadded = 32, kFilters = 512, kOut = kFilters / 32;
  constexpr unsigned kRows = kSide / 64, kTiles = kRows * kSide / 32, kBlock = kWindow * kTiles;
  constexpr unsigned kWide = kSide + kWindow - 1, kStick = 2 * kPadded, kCores = 64;
  constexpr unsigned kPages = kWindow * kOut;
  constexpr std::size_t kPart = std::size_t{kRows + kWindow - 1} * kWide * kPadded;

  // The image with a border of zeros, and the part of a core.
  std::uniform_real_distribution<float> of(-1, 1);
  Words image(std::size_t{kWide} * kWide * kPadded / 2);
  const auto at = [](unsigned y, unsigned x, unsigned channel) {
    return (std::size_t{y} * kWide + x) * kPadded + channel;
  };
  for (unsigned y = 1; y <= kSide; ++y)
    for (unsigned x = 1; x <= kSide; ++x)
      for (unsigned i = 0; i < kChannels; ++i)
        set_datum16(image, at(y, x, i), to_bf16(of(random_)));
  Words parts;
  for (unsigned core = 0; core < kCores; ++core) {
    const auto from = image.begin() + static_cast<std::ptrdiff_t>(at(core * kRows, 0, 0) / 2);
    parts.insert(parts.end(), from, from + kPart / 2);
  }
  Numbers numbers(kWindow * kWindow, kOut);
  for (unsigned y = 0; y < kWindow; ++y)
    for (unsigned x = 0; x < kWindow; ++x)
      for (unsigned i = 0; i < kChannels; ++i)
        for (unsigned filter = 0; filter < kFilters; ++filter)
          numbers.set((y * kWindow + x) * kPadded + i, filter, of(random_));
  const Numbers weights = kBfp8.load(kBfp8.store(numbers), kOut);
  const Numbers biases = stored(1, kOut, -2, 2, kBfp8);
  const CoreRangeSet cores(CoreRange({0, 0}, {kGrid.wide - 1, kGrid.high - 1}));
  const auto in = bench_->local(parts, cores);
  const auto out = bench_->local(Words(std::size_t{kCores} * kTiles * kOut * 512), cores);
  const auto weight = tensor(weights, kBfp8), bias = tensor(biases, kBfp8);
  // First pixels of the windows of a row of the result, one run each.
  Words runs;
  for (unsigned core = 0; core < kCores; ++core) {
    runs.push_back(kRows);
    for (unsigned row = 0; row < kRows; ++row)
      runs.push_back(row * kWide | (row * kWide + kSide - 1) << 16);
    runs.resize(std::size_t{8} * (core + 1));
  }
  const auto indices = bench_->tensor(runs, 32);

  enum : std::uint8_t {
    kWeights,
    kPartials,
    kAct,
    kSecond,
    kTilized,
    kBias,
    kResult,
    kIndices,
    kScratch,
    kIn
  };
  Operation operation(*bench_);
  operation.on(cores);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  const Operation::Defines defines{{"CONFIG_TENSOR_IN_DRAM", "1"}};
  Words writes = {kWeights, kBias,   1,    kSecond, kIn,    kIndices, kWindow, kPages,
                  1,        kWindow, kOut, kOut,    kPages, kOut,     kOut,    1,
                  1,        1,       1,    0,       0,      0,        kStick,  kWindow,
                  kWide,    0,       0,    1,       1,      1,        kWindow};
  writes.resize(39);
  const CoreCoord first = bench_->noc({0, 0}), last = bench_->noc({kGrid.wide - 1, kGrid.high - 1});
  std::vector<CoreCoord> others = cores.cores();
  others.erase(others.begin());
  kLaunches.describe(
      operation, "of_few_channels",
      TVP_VALUES(cores, kPages, out, kBlock, kOut, kResult, kIndices, kTiles, kScratch, kIn, in,
                 kStick, kWindow, kWide, indices, kGrid.wide, defines, writes, weight, bias,
                 first.x, first.y, last.x, last.y, kCores, sent, got_it)
          .with("sender", CoreCoord{0, 0})
          .with("receivers", CoreRangeSet(others)));
  operation.run();
  expect_as_on_silicon("of few channels", 67000);

  const Words got = bench_->local_words(out);
  for (unsigned y = 0; y < kSide; ++y) {
    for (unsigned x = 0; x < kSide; ++x) {
      const std::size_t core = y / kRows, pixel = std::size_t{y % kRows} * kSide + x;
      for (unsigned filter = 0; filter < kFilters; ++filter) {
        double sum = biases(0, filter);
        for (unsigned i = 0; i < kWindow * kWindow * kChannels; ++i) {
          const unsigned row = i / kChannels / kWindow, column = i / kChannels % kWindow,
                         channel = i % kChannels;
          sum += double{f(from_bf16(datum16(image, at(y + row, x + column, channel))))} *
                 weights((row * kWindow + column) * kPadded + channel, filter);
        }
        const std::size_t place = ((core * kTiles + pixel / 32) * kOut + filter / 32) * 1024 +
                                  place_in_tile(pixel % 32, filter % 32);
        ASSERT_NEAR(double{f(from_bf16(datum16(got, place)))}, sum, 0.3)
            << y << ", " << x << ", " << filter;
      }
    }
  }
}

/// A convolution of Segformer: an image of 8 x 8 pixels with 576 channels, one filter per channel.
/// The groups become rows of weights that are mostly zeros. Each of 18 cores has 32 channels and
/// reads all weights of its filters. Every core's window goes to all others, block by block. The
/// rectangle includes idle cores of the last row.
TEST_F(PublishedConvTimes, OfManyChannels) {
  constexpr unsigned kSide = 8, kTiles = 18, kOutSide = kSide - kWindow + 1, kHigh = 2;
  constexpr unsigned kPixels = kOutSide * kOutSide, kWidth = kWindow * kWindow;
  constexpr unsigned kBlock = kHigh * kWidth, kAll = 24;
  std::uniform_real_distribution<float> of(-1, 1);
  Words image(std::size_t{kAll} * kSide * kSide * 16);
  const auto at = [](unsigned y, unsigned x, unsigned channel) {
    return ((std::size_t{channel} / 32 * kSide + y) * kSide + x) * 32 + channel % 32;
  };
  for (std::size_t i = 0; i < 2 * image.size(); ++i) set_datum16(image, i, to_bf16(of(random_)));
  Numbers weights(kWidth * kTiles, kTiles);
  for (unsigned place = 0; place < kWidth; ++place)
    for (unsigned i = 0; i < 32 * kTiles; ++i) weights.set(place * 32 * kTiles + i, i, of(random_));
  constexpr Stored kBf16{false};
  const Numbers biases = stored(1, kTiles, -2, 2, kBf16);
  const auto weight = tensor(weights, kBf16), bias = tensor(biases, kBf16);
  Words runs = {kOutSide};
  for (unsigned row = 0; row < kOutSide; ++row)
    runs.push_back(row * kSide | (row * kSide + kOutSide - 1) << 16);
  runs.resize(8);
  const auto indices = bench_->tensor(runs, 32);

  std::vector<CoreCoord> each;
  for (unsigned i = 0; i < kTiles; ++i) each.push_back({i % kGrid.wide, i / kGrid.wide});
  const CoreRangeSet cores(each), all(CoreRange({0, 0}, {kGrid.wide - 1, 2}));
  const auto in = bench_->local(image, all);
  const auto out = bench_->local(Words(std::size_t{kAll} * kHigh * 512), all);
  enum : std::uint8_t {
    kWeights,
    kPartials,
    kAct,
    kSecond,
    kTilized,
    kBias,
    kRows,
    kResult,
    kIndices,
    kScratch,
    kIn
  };
  Operation operation(*bench_);
  operation.on(all);
  const Word ready = operation.semaphore(0), valid = operation.semaphore(0);
  // On NoC 1 the rectangle begins where it ends on NoC 0.
  const CoreCoord from = bench_->noc({kGrid.wide - 1, 2}), to = bench_->noc({0, 0});
  Words places;
  for (unsigned x = 0; x < kGrid.wide; ++x) places.push_back(count(bench_->noc({x, 0}).x));
  for (unsigned y = 0; y < kGrid.high; ++y) places.push_back(count(bench_->noc({0, y}).y));
  kLaunches.describe(operation, "of_many_channels",
                     TVP_VALUES(all, kWidth, out, kBlock, kResult, kIndices, kScratch, kIn, in,
                                kSide, kWindow, kHigh, kTiles, ready, valid, from.x, from.y, to.x,
                                to.y, kAll, indices, cores, weight, bias, kGrid.wide)
                         .with("writer_args", [&](CoreCoord core) {
                           Words args = {count(core.x), count(core.y), kGrid.wide};
                           args.insert(args.end(), places.begin(), places.end());
                           return args;
                         }));
  operation.run();
  expect_as_on_silicon("of many channels", 74000);

  const Words got = bench_->local_words(out);
  for (unsigned pixel = 0; pixel < kPixels; ++pixel) {
    const unsigned y = pixel / kOutSide, x = pixel % kOutSide;
    for (unsigned i = 0; i < 32 * kTiles; ++i) {
      double sum = biases(0, i);
      for (unsigned place = 0; place < kWidth; ++place)
        sum +=
            double{f(from_bf16(datum16(image, at(y + place / kWindow, x + place % kWindow, i))))} *
            weights(place * 32 * kTiles + i, i);
      const std::size_t where =
          (std::size_t{i} / 32 * kHigh + pixel / 32) * 1024 + place_in_tile(pixel % 32, i % 32);
      ASSERT_NEAR(double{f(from_bf16(datum16(got, where)))}, sum, 0.3) << pixel << ", " << i;
    }
  }
}

}  // namespace
}  // namespace tvp::test
