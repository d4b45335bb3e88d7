// A convolution whose readers reuse data of the previous row of pixels. Reference, within 5 %:
// tests/ttnn/perf_tests/operations/conv/test_conv2d_device_perf.py.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/conv_reuse.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;

constexpr Stored kBfp8{true};
constexpr unsigned kWindow = 3, kPlaces = kWindow * kWindow, kCores = 64;

/// The first convolution of a U-Net: 1056 x 160 pixels with 4 channels, which are padded to 32, and
/// 16 filters. A core has 83 tiles of pixels in a row; the last core has fewer. One processor
/// gathers the first 42 tiles, the other one the rest.
constexpr unsigned kHigh = 1056, kWide = 160, kChannels = 4, kPadded = 32, kFilters = 16;
constexpr unsigned kTiles = 83, kFirst = 42, kSecondHas = kTiles - kFirst, kPixels = 32 * kTiles;
constexpr unsigned kInWide = kWide + 2, kStick = 2 * kPadded, kLast = kHigh * kWide / 32 % kTiles;
/// Pixels of the image with its border that a core needs.
constexpr unsigned kReach = (kPixels / kWide + 3) * kInWide + kInWide;

unsigned place(unsigned pixel) { return pixel / kWide * kInWide + pixel % kWide; }

class PublishedConvReuse : public PublishedTimes {
 protected:
  /// The last core pushes pages without a cb_reserve_back.
  static void SetUpTestSuite() { set_up("n300_chip\nfaults=warn"); }
  /// First pixels of the windows, for both processors in turn. A run is within a row.
  static Words runs(unsigned core) {
    Words list;
    const unsigned from = core * kPixels, all = std::min(kPixels, kHigh * kWide - from);
    for (const auto& [begin, end] : {std::pair{0U, 32 * kFirst}, std::pair{32 * kFirst, all}}) {
      const std::size_t number = list.size();
      list.push_back(0);
      for (unsigned at = begin; at < end; ++list[number]) {
        const unsigned next = std::min(((from + at) / kWide + 1) * kWide - from, end);
        list.push_back((place(from + at) - place(from)) | (place(from + next - 1) - place(from))
                                                              << 16);
        at = next;
      }
    }
    list.resize(32);
    return list;
  }
};

TEST_F(PublishedConvReuse, OfAUNet) {
  std::uniform_real_distribution<float> of(-1, 1);
  Words image(std::size_t{kHigh + 4} * kInWide * kPadded / 2);
  for (unsigned y = 1; y <= kHigh; ++y)
    for (unsigned x = 1; x <= kWide; ++x)
      for (unsigned i = 0; i < kChannels; ++i)
        set_datum16(image, (std::size_t{y} * kInWide + x) * kPadded + i, to_bf16(of(random_)));
  image.resize(image.size() + std::size_t{kReach} * kPadded);
  Words parts, lists;
  for (unsigned core = 0; core < kCores; ++core) {
    const auto from = image.begin() + std::ptrdiff_t{place(core * kPixels)} * kPadded / 2;
    parts.insert(parts.end(), from, from + std::ptrdiff_t{kReach} * kPadded / 2);
    const Words list = runs(core);
    lists.insert(lists.end(), list.begin(), list.end());
  }
  Numbers numbers(kPlaces, 1);
  for (unsigned at = 0; at < kPlaces; ++at)
    for (unsigned i = 0; i < kChannels; ++i)
      for (unsigned filter = 0; filter < kFilters; ++filter)
        numbers.set(at * kPadded + i, filter, of(random_));
  const Numbers weights = kBfp8.load(kBfp8.store(numbers), 1);
  const Numbers biases = stored(1, 1, -2, 2, kBfp8);
  const auto weight = tensor(weights, kBfp8), bias = tensor(biases, kBfp8);
  const auto indices = bench_->tensor(lists, 128);
  const CoreRangeSet cores(CoreRange({0, 0}, {7, 7}));
  const auto in = bench_->local(parts, cores);
  const auto out = bench_->local(Words(std::size_t{kCores} * kTiles * 272), cores);

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
  // Five tiles of a row of pixels, and for each row the data that the next one reuses.
  constexpr unsigned kRow = kWide / 32, kBuffer = kRow * kPlaces + 1, kAgain = kWindow * kStick;
  constexpr unsigned kBlock = kTiles * kPlaces, kRowOf = 1088 * kPlaces;
  Operation operation(*bench_);
  operation.on(cores);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  const Operation::Defines defines{
      {"CONFIG_TENSOR_IN_DRAM", "1"}, {"SPLIT_READER", "1"}, {"ACTIVATION_REUSE", "1"}};
  const Words reuse = {kBuffer, kPlaces, 0, kRow, kWide, kAgain, 1, 0};
  Words writes = {kWeights, kBias,
                  1,        kSecond,
                  kIn,      kIndices,
                  1,        kPlaces,
                  1,        kPlaces,
                  1,        1,
                  kPlaces,  1,
                  1,        1,
                  1,        1,
                  1,        1,
                  1,        kSecondHas * kPlaces,
                  kStick,   kWindow,
                  kInWide,  0,
                  0,        1,
                  1,        1,
                  kWindow};
  writes.insert(writes.end(), reuse.begin(), reuse.end());
  const CoreCoord first = bench_->noc({0, 0}), last = bench_->noc({7, 7});
  std::vector<CoreCoord> others = cores.cores();
  others.erase(others.begin());
  kLaunches.describe(
      operation, "of_au_net",
      TVP_VALUES(cores, kPlaces, out, kBuffer, kBlock, kPixels, in, kStick, kFirst, kWindow,
                 kInWide, indices, reuse, defines, writes, weight, bias, first.x, first.y, last.x,
                 last.y, kCores, sent, got_it, kTiles, kLast, kRow, kAgain, kRowOf)
          .with("sender", CoreCoord{0, 0})
          .with("receivers", CoreRangeSet(others)));
  operation.run();
  expect_as_on_silicon("of a U-Net", 87000);

  const Numbers got = kBfp8.load(bench_->local_words(out), 1);
  for (unsigned pixel = 0; pixel < kHigh * kWide; pixel += 3) {
    for (unsigned filter = 0; filter < kFilters; ++filter) {
      double sum = biases(0, filter);
      for (unsigned i = 0; i < kPlaces * kChannels; ++i) {
        const unsigned at = i / kChannels, channel = i % kChannels;
        const std::size_t stick = place(pixel) + std::size_t{at / kWindow} * kInWide + at % kWindow;
        sum += double{f(from_bf16(datum16(image, stick * kPadded + channel)))} *
               weights(at * kPadded + channel, filter);
      }
      ASSERT_NEAR(got(pixel, filter), sum, 0.4) << pixel << ", " << filter;
    }
  }
}

}  // namespace
}  // namespace tvp::test
