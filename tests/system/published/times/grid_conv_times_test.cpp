// Whole convolutions on a grid of cores, compared within 5 and 1.5 % with
// tests/ttnn/perf_tests/operations/conv/test_conv2d_device_perf.py and
// models/demos/stable_diffusion_xl_base/tests/test_sdxl_op_unit_test_perf.py.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::DataFormat;

const LaunchFile kLaunches("times/grid_conv_times.toml");
const std::string kKernels = "ttnn/cpp/ttnn/operations/conv/conv2d/device/kernels/";
constexpr Stored kBfp8{true};
constexpr unsigned kWindow = 3, kPlaces = kWindow * kWindow, kRows = 8, kHigh = 4;

/// A row of cores has four rows of an image 32 pixels wide, which is four tiles. A column has some
/// tiles of its channels. The first `outs` columns also have filters.
struct Case {
  unsigned columns, own, outs, filters, stride, block_high;
  bool fp32, accumulate_in_l1, in_dram;  ///< in_dram: lists of pixels are in DRAM

  unsigned in_high() const { return (kHigh - 1) * stride + kWindow; }
  unsigned in_wide() const { return 31 * stride + kWindow; }
  unsigned width() const { return kWindow * own; }
  unsigned block() const { return block_high * width(); }
  unsigned pages() const { return width() * filters; }
  unsigned stick() const { return 64 * own; }
  unsigned sub_wide() const { return filters; }
};

/// Both data movement processors gather a row of the window, half of a block each. It goes to the
/// cores with filters in the row. The first core of a column multicasts weights down.
class PublishedGridConvTimes : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }
  void run(const Case& c, const std::string& name, double silicon);
  /// First pixels of windows, for both halves of a block in turn.
  static Words runs(const Case& c) {
    Words list;
    for (unsigned row = 0; row < kHigh; ++row) {
      if (row % (c.block_high / 2) == 0) list.push_back(c.block_high / 2);
      const unsigned begin = row * c.stride * c.in_wide();
      list.push_back(begin | (begin + 31 * c.stride) << 16);
    }
    list.resize(c.in_dram ? 8 : 16);  // the kernel reads a word after the list
    return list;
  }
  static Words repeated(const Words& words, unsigned times) {
    Words all;
    for (unsigned i = 0; i < times; ++i) all.insert(all.end(), words.begin(), words.end());
    return all;
  }
};

void PublishedGridConvTimes::run(const Case& c, const std::string& name, double silicon) {
  const unsigned tiles = c.columns * c.own, all_filters = c.outs * c.filters;
  const unsigned half = c.block() / 2, rounds = kHigh / c.block_high;
  const CoreRange cores({0, 0}, {c.columns - 1, kRows - 1});
  std::uniform_real_distribution<float> of(-1, 1);
  const std::size_t part = std::size_t{c.in_high()} * c.in_wide() * c.own * 32;
  Words image(c.columns * kRows * part / 2);
  for (std::size_t i = 0; i < 2 * image.size(); ++i) set_datum16(image, i, to_bf16(of(random_)));
  // All weights of a filter are equal, so the order of blocks does not matter.
  const Numbers biases = stored(1, all_filters, -2, 2, kBfp8),
                filters = stored(1, all_filters, -1, 1, kBfp8);
  Numbers all(std::size_t{kPlaces} * tiles, all_filters);
  for (std::size_t row = 0; row < all.rows(); ++row)
    for (unsigned i = 0; i < 32 * all_filters; ++i)
      all.set(row, i, static_cast<float>(filters(0, i)));
  const auto weight = tensor(all, kBfp8), bias = tensor(biases, kBfp8);
  const auto indices = c.in_dram ? bench_->tensor(repeated(runs(c), kRows), 32)
                                 : bench_->local(repeated(runs(c), c.columns * kRows), cores);
  const auto in = bench_->local(image, cores);
  const auto out =
      bench_->local(Words(std::size_t{c.columns} * kRows * kHigh * c.filters * 512), cores);
  enum : std::uint8_t {
    kWeights,
    kPartials,
    kAct,
    kTilized,
    kBias,
    kResult,
    kIndices,
    kScratch,
    kIn
  };
  Operation operation(*bench_);
  operation.on(cores)
      .buffer(kWeights, 2 * c.pages(), 1088, DataFormat::Bfp8_b)
      .buffer(kPartials, out, DataFormat::Float16_b, 2048)
      .buffer(kAct, 2 * c.block())
      .buffer(kTilized, c.block())
      .buffer(kBias, c.filters, 1088, DataFormat::Bfp8_b)
      .buffer(kResult, out, DataFormat::Float16_b, 2048)
      .buffer(kScratch, 1, 64)
      .buffer(kIn, in, DataFormat::Float16_b, c.stick());
  if (c.in_dram) {
    operation.buffer(kIndices, 1, 64 * kHigh, DataFormat::UInt16);
  } else {
    operation.buffer(kIndices, indices, DataFormat::UInt16);
  }
  const Word ready = operation.semaphore(0), valid = operation.semaphore(0);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  const Word reserved = operation.semaphore(0), written = operation.semaphore(0);
  Operation::Defines defines{{"SPLIT_READER", "1"}};
  if (c.in_dram) defines["CONFIG_TENSOR_IN_DRAM"] = "1";
  Words reads = {1,         1,         c.stride,   c.stick(),   kWindow, kWindow,
                 c.block(), kWindow,   kWindow,    c.in_wide(), 0,       rounds,
                 c.block(), c.columns, c.outs - 1, c.outs - 1,  ready,   valid,
                 2048,      0,         0,          kAct,        kIn,     kIndices,
                 kTilized,  kAct,      kScratch,   1,           0};
  if (c.in_dram) {
    reads.insert(reads.end(), {address(indices), 32});
  } else {
    reads.insert(reads.end(), {0, 0, 0});
  }
  Operation::Arguments reading{
      .compile = reads,
      .after = {1, reserved, written},
      .run_at =
          [&](CoreCoord core) {
            // On NoC 1 the rectangle begins where it ends on NoC 0.
            const CoreCoord from = bench_->noc({c.outs - 1, core.y}), to = bench_->noc({0, core.y});
            Words args = {count(from.x), count(from.y),   count(to.x), count(to.y),  count(core.x),
                          count(to.y),   core.x < c.outs, 1,           count(core.y)};
            for (unsigned x = 0; x < c.columns; ++x)
              args.push_back(count(bench_->noc({x, core.y}).x));
            return args;
          },
      .defines = defines,
      .noc = runtime::NOC::NOC_1};
  if (c.in_dram) reading.tensors = {indices};
  operation.reader(
      kKernels + "reader_conv_activations_2d_mcast_padded_with_halo_3x3_weights_v2.cpp", reading);
  // The buffer holds two blocks. The number of columns is the distance between two of the core's
  // own blocks.
  const Words writes = {kWeights,
                        kBias,
                        1,
                        kAct,
                        kIn,
                        kIndices,
                        kWindow,
                        c.pages(),
                        c.columns,
                        c.width(),
                        c.filters,
                        all_filters,
                        all_filters * c.width(),
                        c.filters,
                        c.filters,
                        rounds,
                        1,
                        c.outs,
                        1,
                        1,
                        0,
                        half,
                        c.stick(),
                        kWindow,
                        c.in_wide(),
                        0,
                        0,
                        1,
                        1,
                        c.stride,
                        kWindow,
                        1,
                        reserved,
                        written,
                        2048 * half,
                        2048 * half * (c.columns % 2 == 0 ? 3 : 1)};
  std::vector<CoreCoord> senders;
  for (unsigned x = 0; x < c.columns; ++x)
    for (unsigned y = 0; y < (x < c.outs ? 1 : kRows); ++y) senders.push_back({x, y});
  operation.on(CoreRangeSet(senders))
      .writer(kKernels + "writer_tiled_out_2d_mcast_sender_conv_weights_tiled_col_to_rm_blocks.cpp",
              {.compile = writes,
               .tensors = {weight, bias},
               .run_at =
                   [&](CoreCoord core) {
                     // Cores without filters only gather.
                     if (core.x >= c.outs)
                       return Words{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sent, got_it, 1, 1};
                     const CoreCoord from = bench_->noc({core.x, 1}),
                                     to = bench_->noc({core.x, kRows - 1});
                     const Word first = count(core.x) * c.filters;
                     return Words{address(weight),
                                  address(bias),
                                  first,
                                  first,
                                  count(from.x),
                                  count(from.y),
                                  count(to.x),
                                  count(to.y),
                                  kRows - 1,
                                  kRows - 1,
                                  sent,
                                  got_it,
                                  1,
                                  0};
                   },
               .defines = defines,
               .noc = runtime::NOC::NOC_0});
  operation.on(CoreRange({0, 1}, {c.outs - 1, kRows - 1}))
      .writer(
          kKernels + "writer_tiled_out_2d_mcast_receiver_conv_weights_tiled_col_to_rm_blocks.cpp",
          {.compile = writes,
           .tensors = {weight, bias},
           .run_at =
               [&](CoreCoord core) {
                 const CoreCoord sender = bench_->noc({core.x, 0});
                 return Words{count(sender.x), count(sender.y), sent, got_it, 1};
               },
           .defines = defines,
           .noc = runtime::NOC::NOC_0});
  const Word some_rest = c.outs < c.columns;
  kLaunches.describe(
      operation, "compute",
      TVP_VALUES(cores, c.outs, c.fp32, c.width(), c.block_high, c.block(), c.pages(), c.filters,
                 rounds, kWindow, c.columns, c.sub_wide(), some_rest, c.accumulate_in_l1));
  operation.run();
  expect_as_on_silicon(name, silicon);

  const Words got = bench_->local_words(out);
  // Each block rounds sums in L1 to BF16.
  const double bound = c.accumulate_in_l1 ? 8 : 0.8;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned pixel = 0; pixel < kHigh * 32; pixel += 7) {
      double pixels = 0;
      for (unsigned column = 0; column < c.columns; ++column) {
        for (unsigned place = 0; place < kPlaces; ++place) {
          const unsigned y = pixel / 32 * c.stride + place / kWindow,
                         x = pixel % 32 * c.stride + place % kWindow;
          const std::size_t at =
              (row * c.columns + column) * part + (std::size_t{y} * c.in_wide() + x) * c.own * 32;
          for (unsigned i = 0; i < 32 * c.own; ++i)
            pixels += double{f(from_bf16(datum16(image, at + i)))};
        }
      }
      for (unsigned i = 0; i < 32 * all_filters; ++i) {
        const std::size_t core = row * c.columns + i / 32 / c.filters;
        const std::size_t where =
            ((core * kHigh + pixel / 32) * c.filters + i / 32 % c.filters) * 1024 +
            place_in_tile(pixel % 32, i % 32);
        const double sum = pixels * filters(0, i) + biases(0, i);
        ASSERT_NEAR(double{f(from_bf16(datum16(got, where)))}, sum, 0.02 * std::abs(sum) + bound)
            << row << ", " << pixel << ", " << i;
      }
    }
  }
}

/// A convolution of SDXL that halves an image of 64 x 64 pixels, with 640 channels and 640 filters.
/// The last column has a padding tile. Sums have 32 bits and are kept in 16.
TEST_F(PublishedGridConvTimes, HalvesAnImage) {
  run({.columns = 7,
       .own = 3,
       .outs = 7,
       .filters = 3,
       .stride = 2,
       .block_high = 4,
       .fp32 = true,
       .accumulate_in_l1 = false,
       .in_dram = true},
      "of a grid", 115000);
}

/// A convolution of SDXL with 2560 channels of 32 x 32 pixels and 1280 filters, in five of eight
/// columns.
TEST_F(PublishedGridConvTimes, OfManyChannels) {
  run({.columns = 8,
       .own = 10,
       .outs = 5,
       .filters = 8,
       .stride = 1,
       .block_high = 2,
       .fp32 = false,
       .accumulate_in_l1 = true,
       .in_dram = false},
      "of many channels", 1025500);
}

}  // namespace
}  // namespace tvp::test
