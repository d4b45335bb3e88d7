// Convolutions on a grid of cores. A row of cores has an image; a column has some of its channels
// and some of the filters. Each core multicasts its part of every block along its row, the first
// core of a column the weights down the column.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;
using runtime::NOC;

const LaunchFile kLaunches("images/grid_conv.toml");
const std::string kKernels = "ttnn/cpp/ttnn/operations/conv/conv2d/device/kernels/";
constexpr unsigned kWindow = 3, kOwn = 32;  ///< channels per column of cores

struct Case {
  unsigned columns = 2, rows = 2;
  unsigned filter_tiles = 2;  ///< per column of cores
  unsigned high = 8, wide = 8;
  unsigned block_high = 1;  ///< tiles that are multiplied at once
  unsigned stride = 1, dilation = 1;
  bool bias = false, untilized = false, accumulate_in_l1 = false, fp32 = false;
};

class PublishedGridConv : public PublishedTest {
 protected:
  void run(const Case& c);
};

void PublishedGridConv::run(const Case& c) {
  const unsigned reach = (kWindow - 1) * c.dilation + 1;
  const unsigned in_high = (c.high - 1) * c.stride + reach,
                 in_wide = (c.wide - 1) * c.stride + reach;
  const unsigned channels = kOwn * c.columns, pixels = c.high * c.wide;
  const unsigned filters = 32 * c.filter_tiles * c.columns, width = kWindow * kWindow;
  const unsigned rounds = pixels / 32 / c.block_high, block = c.block_high * width;
  const unsigned cores_in_all = c.columns * c.rows;

  const Numbers biases = random(1, filters / 32, -2, 2);
  std::uniform_real_distribution<float> of(-1, 1);
  Words images(std::size_t{cores_in_all} * in_high * in_wide * kOwn / 2);
  for (std::size_t i = 0; i < 2 * images.size(); ++i) set_datum16(images, i, to_bf16(of(random_)));
  // Rows of weights are ordered by block of channels, place in the window, channel.
  const Numbers weights = random(width * c.columns, filters / 32, -1, 1);
  const auto weight = tensor(weights), bias = tensor(biases);
  const CoreRange cores({0, 0}, {c.columns - 1, c.rows - 1});
  const auto in = bench_->local(images, cores);
  const std::size_t each = std::size_t{pixels} * 32 * c.filter_tiles;
  const auto out = bench_->local(Words(cores_in_all * each / 2, 0xEEEEEEEE), cores);
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
  for (unsigned i = 0; i < cores_in_all; ++i) lists.insert(lists.end(), list.begin(), list.end());
  const auto indices = bench_->local(lists, cores);

  enum : std::uint8_t { kAct, kWeights, kBias, kIn, kIndices, kTilized, kRows, kArray, kNone };
  constexpr std::uint8_t kOut = 16, kPartials = 24;
  const DataFormat sums = c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b;
  Operation operation(*bench_);
  operation.on(cores);
  const Word act_sender = operation.semaphore(0), act_receiver = operation.semaphore(0);
  const Word weight_sender = operation.semaphore(0), weight_receiver = operation.semaphore(0);
  operation.buffer(kAct, 2 * block).buffer(kTilized, block).buffer(kRows, block);
  operation.buffer(kWeights, 2 * width * c.filter_tiles).buffer(kBias, c.filter_tiles);
  operation.buffer(kIn, in, DataFormat::Float16_b, 2 * kOwn).buffer(kArray, 1, 32);
  operation.buffer(kIndices, indices, DataFormat::UInt16);
  operation.buffer(kOut, out, DataFormat::Float16_b, 2048);
  operation.buffer(kPartials, c.block_high * c.filter_tiles, c.fp32 ? 4096 : 2048, sums);
  kLaunches.describe(operation, "reader",
                     TVP_VALUES(cores, c.dilation, c.stride, kOwn, kWindow, block, in_wide, rounds,
                                c.columns, act_sender, act_receiver)
                         .with("reader_args", [&](CoreCoord core) {
                           // On NoC 1 the rectangle begins where it ends on NoC 0.
                           const CoreCoord from = bench_->noc({c.columns - 1, core.y}),
                                           to = bench_->noc({0, core.y});
                           Words args = {count(from.x),
                                         count(from.y),
                                         count(to.x),
                                         count(to.y),
                                         count(core.x),
                                         count(to.y),
                                         1,
                                         1,
                                         0};
                           for (unsigned x = 0; x < c.columns; ++x)
                             args.push_back(count(bench_->noc({x, core.y}).x));
                           return args;
                         }));
  const Word with_bias = c.bias;
  const Words writes = {kWeights,
                        kBias,
                        0,
                        kNone,
                        kIn,
                        kIndices,
                        1,
                        width * c.filter_tiles,
                        c.columns,
                        width,
                        c.filter_tiles,
                        filters / 32,
                        filters / 32 * width,
                        c.filter_tiles,
                        c.filter_tiles,
                        rounds,
                        1,
                        c.columns,
                        with_bias,
                        0,
                        0,
                        0,
                        2 * kOwn,
                        kWindow,
                        in_wide,
                        0,
                        0,
                        c.dilation,
                        c.dilation,
                        c.stride,
                        kWindow,
                        0,
                        0,
                        0,
                        0,
                        0};
  Operation::Defines skip;
  if (c.rows == 1) skip["SKIP_MCAST"] = "1";
  operation.on(CoreRange({0, 0}, {c.columns - 1, 0}))
      .writer(kKernels + "writer_tiled_out_2d_mcast_sender_conv_weights_tiled_col_to_rm_blocks.cpp",
              {.compile = writes,
               .tensors = {weight, bias},
               .run_at =
                   [&](CoreCoord core) {
                     const CoreCoord from = bench_->noc({core.x, c.rows == 1 ? 0U : 1U}),
                                     to = bench_->noc({core.x, c.rows - 1});
                     const Word first = count(core.x) * c.filter_tiles;
                     return Words{
                         address(weight), address(bias),   first,       first,      count(from.x),
                         count(from.y),   count(to.x),     count(to.y), c.rows - 1, c.rows - 1,
                         weight_sender,   weight_receiver, 1,           0};
                   },
               .defines = skip,
               .noc = NOC::NOC_0});
  if (c.rows > 1)
    operation.on(CoreRange({0, 1}, {c.columns - 1, c.rows - 1}))
        .writer(
            kKernels + "writer_tiled_out_2d_mcast_receiver_conv_weights_tiled_col_to_rm_blocks.cpp",
            {.compile = writes,
             .run_at =
                 [&](CoreCoord core) {
                   const CoreCoord sender = bench_->noc({core.x, 0});
                   return Words{count(sender.x), count(sender.y), weight_sender, weight_receiver,
                                1};
                 },
             .noc = NOC::NOC_0});
  const Word untilized = c.untilized, in_l1 = c.accumulate_in_l1;
  kLaunches.describe(operation, "compute",
                     TVP_VALUES(cores, c.fp32, width, c.block_high, block, c.filter_tiles, rounds,
                                c.columns, untilized, with_bias, in_l1));
  operation.run();

  const Words got = bench_->local_words(out);
  const double bound = c.fp32 ? 0.02 : 0.04 * std::sqrt(9.0 / 4 * channels);
  for (unsigned image = 0; image < c.rows; ++image) {
    for (unsigned pixel = 0; pixel < pixels; ++pixel) {
      for (unsigned filter = 0; filter < filters; ++filter) {
        double sum = c.bias ? biases(0, filter) : 0;
        for (unsigned y = 0; y < kWindow; ++y) {
          for (unsigned x = 0; x < kWindow; ++x) {
            const unsigned row = pixel / c.wide * c.stride + y * c.dilation;
            const unsigned column = pixel % c.wide * c.stride + x * c.dilation;
            for (unsigned channel = 0; channel < channels; ++channel) {
              const std::size_t core = image * c.columns + channel / kOwn;
              const std::size_t at =
                  ((core * in_high + row) * in_wide + column) * kOwn + channel % kOwn;
              sum +=
                  static_cast<double>(f(from_bf16(datum16(images, at)))) *
                  weights((channel / kOwn * width + kWindow * y + x) * 32 + channel % kOwn, filter);
            }
          }
        }
        const unsigned here = filter % (32 * c.filter_tiles);
        const std::size_t place =
            c.untilized ? std::size_t{pixel} * 32 * c.filter_tiles + here
                        : (std::size_t{pixel} / 32 * c.filter_tiles + here / 32) * 1024 +
                              place_in_tile(pixel % 32, here % 32);
        const std::size_t core = image * c.columns + filter / (32 * c.filter_tiles);
        const auto value = static_cast<double>(f(from_bf16(datum16(got, core * each + place))));
        ASSERT_NEAR(value, sum, bound * (std::abs(sum) + 1))
            << "image " << image << ", pixel " << pixel << ", filter " << filter;
      }
    }
  }
}

TEST_F(PublishedGridConv, OfImagesAndChannels) {
  run({});
  run({.columns = 3, .rows = 2, .filter_tiles = 1, .block_high = 2, .bias = true});
  run({.columns = 2, .rows = 1, .stride = 2, .dilation = 2});
}

TEST_F(PublishedGridConv, WithSumsInL1) {
  run({.rows = 3, .untilized = true, .accumulate_in_l1 = true, .fp32 = true});
}

}  // namespace
}  // namespace tvp::test
