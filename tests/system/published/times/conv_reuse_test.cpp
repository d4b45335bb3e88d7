// A convolution whose readers reuse what they gathered for the row of pixels before, by kernels of
// tt-metal's tree unchanged, set up as its factory does, and how long it takes beside what the
// tree's tests/ttnn/perf_tests/operations/conv/test_conv2d_device_perf.py holds silicon to, within
// 5 %: where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::DataFormat;

const std::string kKernels = "ttnn/cpp/ttnn/operations/conv/conv2d/device/kernels/";
constexpr Stored kBfp8{true};
constexpr unsigned kWindow = 3, kPlaces = kWindow * kWindow, kCores = 64;

/// The first one of a U-Net, of 1056 x 160 pixels with 4 channels, which are padded to 32, and 16
/// filters. A core has 83 tiles of pixels in a row, those of the last one end within them; one
/// processor gathers the first 42 tiles, the other one the rest.
constexpr unsigned kHigh = 1056, kWide = 160, kChannels = 4, kPadded = 32, kFilters = 16;
constexpr unsigned kTiles = 83, kFirst = 42, kSecondHas = kTiles - kFirst, kPixels = 32 * kTiles;
constexpr unsigned kInWide = kWide + 2, kStick = 2 * kPadded, kLast = kHigh * kWide / 32 % kTiles;
/// Of the image with its border, from the first pixel that a core needs on.
constexpr unsigned kReach = (kPixels / kWide + 3) * kInWide + kInWide;

unsigned place(unsigned pixel) { return pixel / kWide * kInWide + pixel % kWide; }

class PublishedConvReuse : public PublishedTimes {
 protected:
  /// The last core pushes what it does not have without asking for room.
  static void SetUpTestSuite() { set_up("n300_chip\nfaults=warn"); }
  /// Which pixels the windows begin at, for one processor after the other: runs within a row.
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
  // Five tiles of a row of pixels, and for each row what goes on to the next one.
  constexpr unsigned kRow = kWide / 32, kBuffer = kRow * kPlaces + 1, kAgain = kWindow * kStick;
  constexpr unsigned kBlock = kTiles * kPlaces, kRowOf = 1088 * kPlaces;
  Operation operation(*bench_);
  operation.on(cores)
      .buffer(kWeights, kPlaces, 1088, DataFormat::Bfp8_b)
      .buffer(kPartials, out, DataFormat::Bfp8_b, 1088)
      .buffer(kAct, kBuffer)
      .buffer(kSecond, kBuffer)
      .buffer(kTilized, kBlock, 1088, DataFormat::Bfp8_b)
      .buffer(kBias, 1, 1088, DataFormat::Bfp8_b)
      .buffer(kResult, out, DataFormat::Bfp8_b, 1088)
      .buffer(kIndices, 1, 2 * kPixels, DataFormat::UInt16)
      .buffer(kScratch, 1, 64)
      .buffer(kIn, in, DataFormat::Float16_b, kStick);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  const Operation::Defines defines{
      {"CONFIG_TENSOR_IN_DRAM", "1"}, {"SPLIT_READER", "1"}, {"ACTIVATION_REUSE", "1"}};
  const Words reuse = {kBuffer, kPlaces, 0, kRow, kWide, kAgain, 1, 0};
  operation.reader(kKernels + "reader_conv_activations_padded_with_halo_3x3_weights_v2.cpp",
                   {.compile = {1,
                                1,
                                1,
                                kStick,
                                1,
                                kPlaces,
                                kFirst * kPlaces,
                                kWindow,
                                kWindow,
                                kInWide,
                                0,
                                1,
                                kBlock,
                                1,
                                7,
                                7,
                                0,
                                0,
                                1088,
                                0,
                                0,
                                kAct,
                                kIn,
                                kIndices,
                                kTilized,
                                0,
                                kScratch,
                                1,
                                1,
                                address(indices),
                                128},
                    .tensors = {indices},
                    .after = reuse,
                    .run_at = [&](CoreCoord core) -> Words {
                      return {count(core.x + core.y * 8), 0};
                    },
                    .defines = defines,
                    .noc = runtime::NOC::NOC_1});
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
  operation.on(CoreCoord{0, 0})
      .writer(kKernels +
                  "reader_writer_tiled_out_1d_mcast_sender_conv_weights_tiled_col_to_rm_blocks.cpp",
              {.compile = writes,
               .tensors = {weight, bias},
               .run = {address(weight), address(bias), 0, 0, count(first.x), count(first.y),
                       count(last.x), count(last.y), kCores - 1, kCores - 1, sent, got_it, 0},
               .defines = defines,
               .noc = runtime::NOC::NOC_0});
  std::vector<CoreCoord> others = cores.cores();
  others.erase(others.begin());
  operation.on(CoreRangeSet(others))
      .writer(
          kKernels +
              "reader_writer_tiled_out_1d_mcast_receiver_conv_weights_tiled_col_to_rm_blocks.cpp",
          {.compile = writes,
           .tensors = {weight, bias},
           .run_at =
               [&](CoreCoord core) {
                 const bool ends = core.x == 7 && core.y == 7;
                 return Words{0,    count(first.x), count(first.y),
                              sent, got_it,         ends ? kTiles - kLast : 0};
               },
           .defines = defines,
           .noc = runtime::NOC::NOC_0});
  operation.on(cores).compute(kKernels + "conv_bmm_tilize.cpp",
                              {.compile = {kPlaces,
                                           kTiles,
                                           kBlock,
                                           kPlaces,
                                           kTiles,
                                           1,
                                           kPlaces,
                                           1,
                                           1,
                                           1,
                                           1,
                                           1,
                                           1,
                                           1,
                                           1,
                                           0,
                                           1,
                                           kBias,
                                           kAct,
                                           kWeights,
                                           0,
                                           kSecond,
                                           kPartials,
                                           kTilized,
                                           kResult,
                                           0,
                                           1,
                                           1,
                                           0,
                                           0,
                                           1,
                                           0,
                                           1,
                                           1,
                                           1,
                                           kRow,
                                           kAgain / 16,
                                           kRowOf / 16,
                                           kRowOf * kFirst / 16,
                                           0},
                               .defines = {{"SPLIT_READER", "1"}},
                               .approximate = true,
                               .fidelity = runtime::MathFidelity::LoFi,
                               .optimization = runtime::KernelBuildOptLevel::O3});
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
