// Pooling over an image in L1, compared with loops in double precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/pool.toml");

using runtime::DataFormat;

enum class Out { kRows, kTiles, kBlockTiles };

struct Case {
  std::string name{};
  bool average = false;
  unsigned kernel_h = 0, kernel_w = 0, channels = 0, stride = 1, dilation = 1;
  unsigned high = 7, wide = 9;
  Out out = Out::kRows;
  bool scalars = false;  ///< each result has its own scalar
};

unsigned up(unsigned value, unsigned to) { return (value + to - 1) / to * to; }

class PublishedPool : public PublishedTest {
 protected:
  /// BF16 numbers row by row, two per word.
  Words image(const Case& c, float low, float top) {
    std::uniform_real_distribution<float> of(low, top);
    Words words(std::size_t{c.high} * c.wide * c.channels / 2);
    for (std::size_t i = 0; i < 2 * words.size(); ++i) set_datum16(words, i, to_bf16(of(random_)));
    return words;
  }
  void run(const Case& c);
};

void PublishedPool::run(const Case& c) {
  const unsigned window = c.kernel_h * c.kernel_w;
  const unsigned tiles = up(c.channels, 32) / 32;
  const bool partial = c.channels % 32 != 0 && c.channels % 32 <= 16;
  const unsigned rows_at_once = partial ? 16 : 32;
  const bool large = window > rows_at_once;
  const unsigned tiles_at_once = c.average && large ? 4 : 8;
  const bool wide_reduction = tiles > tiles_at_once;
  const unsigned rows = window <= 16 ? window : 32;
  const unsigned in_size = std::min(tiles, tiles_at_once) * 32 * rows;
  const unsigned blocks = wide_reduction ? up(tiles, tiles_at_once) / tiles_at_once : 1;
  const unsigned bytes = 2 * c.channels;
  const unsigned leftover = wide_reduction && tiles % tiles_at_once != 0
                                ? tiles % tiles_at_once * 64
                                : up(c.channels, 32) * 2;
  const unsigned reach_h = (c.kernel_h - 1) * c.dilation + 1;
  const unsigned reach_w = (c.kernel_w - 1) * c.dilation + 1;
  const unsigned out_h = (c.high - reach_h) / c.stride + 1,
                 out_w = (c.wide - reach_w) / c.stride + 1;
  const unsigned outs = out_h * out_w;
  const bool tiled = c.out != Out::kRows, block = c.out == Out::kBlockTiles;
  const unsigned out_page = block ? 1088 : tiled ? 2048 : 32;
  const unsigned out_pages = tiled ? up(outs, 32) / 32 * tiles : outs * (up(c.channels, 16) / 16);

  const Words pixels = image(c, -3, 5);
  const auto shard = bench_->local(pixels);
  // First and last window of each row of results.
  Words segments = {out_h};
  for (unsigned y = 0; y < out_h; ++y) {
    const unsigned start = y * c.stride * c.wide;
    segments.push_back(start | (start + (out_w - 1) * c.stride) << 16);
  }
  const auto indices = bench_->local(segments);
  // Three 16-bit values per segment: first result, scalar, end of results.
  const auto scalar_of = [&](unsigned out) {
    if (!c.average) return Word{0x3F80};
    return w(1.0F / static_cast<float>(c.scalars ? window - out % 3 : window)) >> 16;
  };
  const Word first_scalar = scalar_of(0) << 16;
  std::vector<Word> halves;
  for (unsigned out = 0; out < outs; ++out)
    halves.insert(halves.end(), {out, scalar_of(out), out + 1});
  Words config((halves.size() + 1) / 2);
  for (std::size_t i = 0; i < halves.size(); ++i) set_datum16(config, i, halves[i]);
  const auto scalars = bench_->local(config);
  const auto out = bench_->local(Words(out_page * out_pages / 4, 0xEEEEEEEE));

  const unsigned in_page = up(in_size, 1024) * 2;

  kLaunches.run(*bench_, "run",
                TVP_VALUES(tiled, shard, indices, in_page, scalars, out, out_page, tiles, outs,
                           c.average, large, block, blocks, bytes, c.channels, c.dilation, c.high,
                           c.kernel_h, c.kernel_w, c.scalars, c.stride, c.wide, first_scalar,
                           in_size, leftover, reach_h, reach_w, rows_at_once, window)
                    .with("format", block ? DataFormat::Bfp8_b : DataFormat::Float16_b)
                    .with("kernel", std::string(c.average ? "PoolType::SUM" : "PoolType::MAX")));

  const Words got = bench_->local_words(out);
  const auto result = [&](unsigned at, unsigned channel) {
    if (!tiled)
      return static_cast<double>(f(from_bf16(datum16(got, at * (up(c.channels, 16)) + channel))));
    const std::size_t tile = at / 32 * tiles + channel / 32;
    const std::size_t place = place_in_tile(at % 32, channel % 32);
    if (!block) return static_cast<double>(f(from_bf16(datum16(got, 1024 * tile + place))));
    // 64 exponents, then signs and magnitudes of 7 bits.
    const auto byte = [&](std::size_t i) { return got[i / 4] >> (8 * (i % 4)) & 0xFF; };
    const Word number = byte(1088 * tile + 64 + place);
    const double magnitude =
        std::ldexp(number & 0x7F, static_cast<int>(byte(1088 * tile + place / 16)) - 127 - 6);
    return (number & 0x80) != 0 ? -magnitude : magnitude;
  };
  for (unsigned y = 0; y < out_h; ++y) {
    for (unsigned x = 0; x < out_w; ++x) {
      for (unsigned channel = 0; channel < c.channels; ++channel) {
        const unsigned at = y * out_w + x;
        double most = -std::numeric_limits<double>::infinity(), sum = 0, size = 0;
        for (unsigned h = 0; h < c.kernel_h; ++h) {
          for (unsigned v = 0; v < c.kernel_w; ++v) {
            const unsigned pixel =
                (y * c.stride + h * c.dilation) * c.wide + x * c.stride + v * c.dilation;
            const double value = static_cast<double>(
                f(from_bf16(datum16(pixels, std::size_t{pixel} * c.channels + channel))));
            most = std::max(most, value);
            sum += value;
            size += std::abs(value);
          }
        }
        const double scalar = static_cast<double>(f(scalar_of(at) << 16));
        const double expected = c.average ? sum * scalar : most;
        // tt-metal rounds twice to BFP8 by default: to seven digits, half of 1/32 below 4, then for
        // an exponent of 4, half of 1/16.
        const double bound = (c.average ? size * scalar / 64 : 0) + (block ? 6.0 / 128 : 0);
        ASSERT_NEAR(result(at, channel), expected, bound)
            << c.name << " " << y << ", " << x << ", channel " << channel;
      }
    }
  }
}

TEST_F(PublishedPool, Windows) {
  for (const bool average : {false, true}) {
    const auto window = [&](const std::string& name, unsigned high, unsigned wide,
                            unsigned channels, Case c = {}) {
      c.name = (average ? "average " : "largest ") + name;
      c.average = average;
      c.kernel_h = high;
      c.kernel_w = wide;
      c.channels = channels;
      run(c);
    };
    window("3x3", 3, 3, 32);
    window("2x2 apart", 2, 2, 64, {.stride = 2});
    window("3x2, 48 channels", 3, 2, 48);
    window("16 channels, spread", 3, 3, 16, {.dilation = 2});
    window("5x5", 5, 5, 64);
    window("288 channels", 3, 3, 288, {.high = 4, .wide = 5});
    window("6x6", 6, 6, 32);
    window("7x7, 16 channels", 7, 7, 16, {.high = 9});
    window("1x1", 1, 1, 32, {.high = 1, .wide = 1});
  }
}

TEST_F(PublishedPool, AveragesByNumbersOfTheirOwn) {
  run({.name = "own",
       .average = true,
       .kernel_h = 2,
       .kernel_w = 3,
       .channels = 32,
       .scalars = true});
}

TEST_F(PublishedPool, ResultsInTiles) {
  for (const bool average : {false, true}) {
    const std::string kind = average ? "average" : "largest";
    for (const Out out : {Out::kTiles, Out::kBlockTiles})
      run({.name = kind,
           .average = average,
           .kernel_h = 3,
           .kernel_w = 3,
           .channels = 64,
           .out = out});
  }
}

/// The maximum of each window and its index in the image, which is never padding.
class PublishedPoolIndices : public PublishedPool {
 protected:
  void run_with_indices(const Case& c);
};

void PublishedPoolIndices::run_with_indices(const Case& c) {
  const unsigned window = c.kernel_h * c.kernel_w;
  const unsigned tiles = up(c.channels, 32) / 32;
  const bool partial = c.channels % 32 != 0 && c.channels % 32 <= 16;
  const unsigned rows_at_once = partial ? 16 : 32;
  const bool large = window > rows_at_once;
  const unsigned bytes = 2 * c.channels, leftover = tiles > 1 ? 64 : up(c.channels, 32) * 2;
  const unsigned reach_h = (c.kernel_h - 1) * c.dilation + 1;
  const unsigned reach_w = (c.kernel_w - 1) * c.dilation + 1;
  const unsigned out_h = (c.high - reach_h) / c.stride + 1,
                 out_w = (c.wide - reach_w) / c.stride + 1;
  const unsigned outs = out_h * out_w, faces = up(c.channels, 16) / 16;

  // All numbers of a window differ.
  Words pixels = image(c, -3, 5);
  for (unsigned pixel = 0; pixel < c.high * c.wide; ++pixel) {
    for (unsigned channel = 0; channel < c.channels; ++channel) {
      const unsigned value = (pixel * 89 + channel * 31) % 251;
      set_datum16(pixels, std::size_t{pixel} * c.channels + channel,
                  to_bf16(static_cast<float>(value) - 125));
    }
  }
  const auto shard = bench_->local(pixels);
  Words segments = {out_h};
  for (unsigned y = 0; y < out_h; ++y) {
    const unsigned start = y * c.stride * c.wide;
    segments.push_back(start | (start + (out_w - 1) * c.stride) << 16);
  }
  const auto indices = bench_->local(segments);
  const auto out = bench_->local(Words(8 * faces * outs, 0xEEEEEEEE));
  const auto out_index = bench_->local(Words(8 * faces * outs, 0xEEEEEEEE));

  // Increments of indices, in 16 bits.
  const auto cut = [](unsigned value) { return value & 0xFFFF; };
  const unsigned at_once = std::min(c.kernel_w, rows_at_once);
  const unsigned last_offset =
      large ? (up(c.kernel_w, at_once) / at_once - 1) * at_once * c.dilation : 0;
  const unsigned correction = large ? (c.kernel_h - 1) * c.dilation * c.wide + last_offset : 0;
  const Word right = cut(c.stride - correction);
  const Word down = cut(c.wide * c.stride + (1 - out_w) * c.stride - correction);
  const Word first = cut((1 - out_h) * c.stride * c.wide + (1 - out_w) * c.stride - correction);
  const Word right_within = large ? c.dilation * at_once : 0;
  const Word down_within = large ? cut(c.dilation * c.wide - last_offset) : 0;

  const Words run = {outs, 0, 0, 0};
  kLaunches.run(
      *bench_, "run_with_indices",
      TVP_VALUES(shard, indices, out, out_index, run, bytes, c.channels, c.dilation, c.high,
                 c.kernel_h, c.kernel_w, c.stride, c.wide, down, down_within, first, leftover, outs,
                 reach_h, reach_w, right, right_within, rows_at_once, tiles, window));

  const Words got = bench_->local_words(out), where = bench_->local_words(out_index);
  for (unsigned at = 0; at < outs; ++at) {
    for (unsigned channel = 0; channel < c.channels; ++channel) {
      float most = -1000;
      unsigned index = 0;
      for (unsigned h = 0; h < c.kernel_h; ++h) {
        for (unsigned v = 0; v < c.kernel_w; ++v) {
          const unsigned pixel = (at / out_w * c.stride + h * c.dilation) * c.wide +
                                 at % out_w * c.stride + v * c.dilation;
          const float value =
              f(from_bf16(datum16(pixels, std::size_t{pixel} * c.channels + channel)));
          if (value <= most) continue;
          most = value;
          index = pixel;
        }
      }
      const std::size_t place = std::size_t{at} * 16 * faces + channel;
      ASSERT_EQ(f(from_bf16(datum16(got, place))), most) << c.name << " " << at << ", " << channel;
      ASSERT_EQ(datum16(where, place), index) << c.name << " " << at << ", " << channel;
    }
  }
}

TEST_F(PublishedPoolIndices, OfTheLargest) {
  const auto run = [this](const std::string& name, unsigned high, unsigned wide, unsigned channels,
                          unsigned stride = 1, unsigned dilation = 1) {
    run_with_indices({.name = name,
                      .average = false,
                      .kernel_h = high,
                      .kernel_w = wide,
                      .channels = channels,
                      .stride = stride,
                      .dilation = dilation});
  };
  run("3x3", 3, 3, 32);
  run("2x2 apart", 2, 2, 64, 2);
  run("16 channels, spread", 3, 3, 16, 1, 2);
  run("5x5", 5, 5, 32);
  run("6x6", 6, 6, 32);
  run("7x5, 96 channels", 7, 5, 96);
}

}  // namespace
}  // namespace tvp::test
