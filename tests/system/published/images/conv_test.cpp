// Convolutions of images in the L1 of several cores.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const LaunchFile kLaunches("images/conv.toml");
const std::string kKernels = "ttnn/cpp/ttnn/operations/conv/conv2d/device/kernels/";

struct Case {
  std::string name;
  unsigned channels = 32, filters = 64;
  unsigned high = 8, wide = 16;  ///< size of the result
  unsigned stride = 1, dilation = 1;
  unsigned cores = 2;
  unsigned block_high = 2;  ///< tiles that are multiplied at once
  bool bias = false, accumulate_in_l1 = false, fp32 = false;
  bool rows = false;      ///< output in rows, otherwise in tiles
  bool split = false;     ///< both data movement processors read
  bool in_place = false;  ///< sums are in the memory of the result
  std::string activation{};
};

class PublishedConv : public PublishedTest {
 protected:
  void run(const Case& c);
};

constexpr unsigned kWindow = 3;

void PublishedConv::run(const Case& c) {
  const unsigned reach = (kWindow - 1) * c.dilation + 1;
  const unsigned in_high = (c.high - 1) * c.stride + reach,
                 in_wide = (c.wide - 1) * c.stride + reach;
  const unsigned pixels = c.high * c.wide, blocks = pixels / 32 / c.block_high;
  const unsigned stick = 2 * c.channels, filters = c.filters / 32;
  // A row of the window is a whole number of tiles.
  const unsigned width = (kWindow * c.channels + 31) / 32, filler = 64 * width - kWindow * stick;

  std::uniform_real_distribution<float> of(-1, 1);
  Words images(std::size_t{c.cores} * in_high * in_wide * c.channels / 2);
  for (std::size_t i = 0; i < 2 * images.size(); ++i) set_datum16(images, i, to_bf16(of(random_)));
  Numbers weights(kWindow * width, filters);
  for (unsigned y = 0; y < kWindow; ++y)
    for (unsigned i = 0; i < kWindow * c.channels; ++i)
      for (unsigned filter = 0; filter < c.filters; ++filter)
        weights.set(32 * width * y + i, filter, of(random_));
  const Numbers biases = random(1, filters, -2, 2);
  const CoreRange cores({0, 0}, {c.cores - 1, 0});
  const auto in = bench_->local(images, cores);
  const auto out =
      bench_->local(Words(std::size_t{c.cores} * pixels * c.filters / 2, 0xEEEEEEEE), cores);
  const auto weight = tensor(weights), bias = tensor(biases);

  // Runs of pixels that form a block, by their first pixels in the image.
  const unsigned second = c.split ? c.block_high / 2 : 0, first = c.block_high - second;
  Words list;
  const auto runs_of = [&](unsigned from, unsigned tiles) {
    Words runs;
    for (unsigned at = from; at < from + 32 * tiles;) {
      const unsigned end = std::min((at / c.wide + 1) * c.wide, from + 32 * tiles);
      const unsigned begin = at / c.wide * c.stride * in_wide + at % c.wide * c.stride;
      runs.push_back(begin | (begin + (end - at - 1) * c.stride) << 16);
      at = end;
    }
    list.push_back(count(runs.size()));
    list.insert(list.end(), runs.begin(), runs.end());
  };
  for (unsigned block = 0; block < blocks; ++block) {
    runs_of(32 * c.block_high * block, first);
    if (c.split) runs_of(32 * (c.block_high * block + first), second);
  }
  list.resize((list.size() + 7) / 8 * 8);
  Words lists;
  for (unsigned i = 0; i < c.cores; ++i) lists.insert(lists.end(), list.begin(), list.end());
  const auto indices = bench_->local(lists, cores);

  enum : std::uint8_t {
    kAct,
    kWeights,
    kBias,
    kSecond,
    kIn,
    kIndices,
    kTilized,
    kOut = 16,
    kPartials = 24
  };
  const DataFormat sums = c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b;
  const unsigned block = c.block_high * width;
  Operation operation(*bench_);
  operation.on(cores);
  const Word sent = operation.semaphore(0), got_it = operation.semaphore(0);
  operation.buffer(kAct, 2 * first * width);
  if (second != 0) operation.buffer(kSecond, 2 * second * width);
  operation.buffer(kWeights, kWindow * width * filters).buffer(kBias, filters);
  operation.buffer(kIn, in, DataFormat::Float16_b, stick);
  operation.buffer(kIndices, indices, DataFormat::UInt16);
  operation.buffer(kTilized, block);
  if (c.in_place) {
    operation.shared_buffer({kOut, kPartials}, out, DataFormat::Float16_b, 2048);
  } else {
    operation.buffer(kOut, out, DataFormat::Float16_b, 2048);
    operation.buffer(kPartials, c.block_high * filters, c.fp32 ? 4096 : 2048, sums);
  }
  const Word split = c.split, zeros = filler == 0 ? 0 : 1, with_bias = c.bias;
  Words reads = {c.dilation,    c.dilation, c.stride, stick,   kWindow, kWindow,
                 first * width, kWindow,    kWindow,  in_wide, filler,  blocks};
  reads.resize(20);
  reads.insert(reads.end(), {zeros, kAct, kIn, kIndices, 0, 0, 0, split, 0});
  reads.resize(40);
  operation.reader(kKernels + "reader_conv_activations_padded_with_halo_3x3_weights_v2.cpp",
                   {.compile = reads, .run = {0, 0}, .noc = runtime::NOC::NOC_1});
  Words writes = {
      kWeights,        kBias,    0,       kSecond, kIn,       kIndices,        kWindow,
      width * filters, 1,        width,   filters, filters,   width * filters, 0,
      filters,         blocks,   0,       0,       with_bias, split,           0,
      second * width,  stick,    kWindow, in_wide, filler,    zeros,           c.dilation,
      c.dilation,      c.stride, kWindow};
  writes.resize(39);
  const CoreCoord here = bench_->noc({0, 0}), from = bench_->noc({1, 0}),
                  to = bench_->noc({c.cores - 1, 0});
  Operation::Defines skip;
  if (c.cores == 1) skip["SKIP_MCAST"] = "1";
  operation.on(CoreCoord{0, 0})
      .writer(kKernels +
                  "reader_writer_tiled_out_1d_mcast_sender_conv_weights_tiled_col_to_rm_blocks.cpp",
              {.compile = writes,
               .tensors = {weight, bias},
               .run = {address(weight), address(bias), 0, 0, from.x, from.y, to.x, to.y,
                       c.cores - 1, c.cores - 1, sent, got_it},
               .defines = skip,
               .noc = runtime::NOC::NOC_0});
  if (c.cores > 1)
    operation.on(CoreRange({1, 0}, {c.cores - 1, 0}))
        .writer(
            kKernels +
                "reader_writer_tiled_out_1d_mcast_receiver_conv_weights_tiled_col_to_rm_blocks.cpp",
            {.compile = writes,
             .run = {0, here.x, here.y, sent, got_it},
             .noc = runtime::NOC::NOC_0});
  Operation::Defines defines;
  if (c.split) defines["SPLIT_READER"] = "1";
  if (c.activation == "silu" || c.activation == "gelu") {
    defines["SFPU_OP_INIT_ACTIVATION"] = c.activation + "_tile_init();";
    defines["SFPU_OP_FUNC_ACTIVATION"] = c.activation + "_tile(i);";
    defines["SFPU_OP_GELU_INCLUDE"] = "1";
  }
  const Word relu = c.activation == "relu", rows = c.rows, in_l1 = c.accumulate_in_l1;
  kLaunches.describe(operation, "compute",
                     TVP_VALUES(cores, defines, c.fp32, width, c.block_high, block, filters, blocks,
                                kWindow, rows, c.in_place, relu, in_l1, with_bias, split));
  operation.run();

  const Words got = bench_->local_words(out);
  const double bound = c.fp32 ? 0.02 : 0.03 * std::sqrt(9.0 / 4 * c.channels);
  for (unsigned image = 0; image < c.cores; ++image) {
    for (unsigned pixel = 0; pixel < pixels; ++pixel) {
      for (unsigned filter = 0; filter < c.filters; ++filter) {
        double sum = c.bias ? biases(0, filter) : 0;
        for (unsigned y = 0; y < kWindow; ++y) {
          for (unsigned x = 0; x < kWindow; ++x) {
            const unsigned row = pixel / c.wide * c.stride + y * c.dilation;
            const unsigned column = pixel % c.wide * c.stride + x * c.dilation;
            const std::size_t at =
                ((std::size_t{image} * in_high + row) * in_wide + column) * c.channels;
            for (unsigned i = 0; i < c.channels; ++i)
              sum += static_cast<double>(f(from_bf16(datum16(images, at + i)))) *
                     weights(32 * width * y + x * c.channels + i, filter);
          }
        }
        if (c.activation == "relu") sum = std::max(sum, 0.0);
        if (c.activation == "silu") sum = sum / (1 + std::exp(-sum));
        if (c.activation == "gelu") sum = sum / 2 * (1 + std::erf(sum / std::sqrt(2)));
        const std::size_t place = c.rows
                                      ? std::size_t{pixel} * c.filters + filter
                                      : (std::size_t{pixel} / 32 * filters + filter / 32) * 1024 +
                                            place_in_tile(pixel % 32, filter % 32);
        const auto value = static_cast<double>(
            f(from_bf16(datum16(got, std::size_t{image} * pixels * c.filters + place))));
        ASSERT_NEAR(value, sum, bound * (std::abs(sum) + 1))
            << c.name << " image " << image << ", pixel " << pixel << ", filter " << filter;
      }
    }
  }
}

TEST_F(PublishedConv, OfImagesOnSeveralCores) {
  run({.name = "plain"});
  run({.name = "one core", .cores = 1});
  run({.name = "rows that end within tiles", .high = 8, .wide = 12, .block_high = 1});
  run({.name = "few channels", .channels = 16, .cores = 3});
  run({.name = "many channels", .channels = 64, .filters = 32});
  run({.name = "strides", .stride = 2});
  run({.name = "dilated", .dilation = 2});
}

TEST_F(PublishedConv, WithBias) {
  run({.name = "bias", .bias = true});
  run({.name = "relu", .bias = true, .activation = "relu"});
  run({.name = "silu", .bias = true, .activation = "silu"});
  run({.name = "sums in L1", .bias = true, .accumulate_in_l1 = true, .fp32 = true});
}

TEST_F(PublishedConv, WithSumsInL1) {
  run({.name = "BF16", .accumulate_in_l1 = true});
  run({.name = "FP32", .accumulate_in_l1 = true, .fp32 = true});
  run({.name = "relu", .accumulate_in_l1 = true, .activation = "relu"});
  run({.name = "in place", .in_place = true});
  run({.name = "in place, in L1", .accumulate_in_l1 = true, .in_place = true});
}

TEST_F(PublishedConv, ToRows) {
  run({.name = "rows", .rows = true});
  run({.name = "all",
       .bias = true,
       .accumulate_in_l1 = true,
       .fp32 = true,
       .rows = true,
       .activation = "relu"});
}

TEST_F(PublishedConv, WithTwoReaders) {
  run({.name = "even", .split = true});
  run({.name = "uneven", .high = 12, .block_high = 3, .bias = true, .split = true});
}

}  // namespace
}  // namespace tvp::test
