// An image in tiles becomes rows with a border, in L1.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/halo.toml");

struct Case {
  unsigned high, wide, channels;
  Word border;  ///< a BF16 number
};

class PublishedHalo : public PublishedTest {
 protected:
  void run(const Case& c);
};

/// 16-bit numbers as words.
Words halves(const std::vector<Word>& values) {
  Words words((values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) set_datum16(words, i, values[i]);
  return words;
}

void PublishedHalo::run(const Case& c) {
  const unsigned pixels = c.high * c.wide, wide_tiles = c.channels / 32;
  const unsigned blocks = (pixels + 31) / 32, tiles = blocks * wide_tiles;
  const unsigned bytes = 2 * c.channels, out_wide = c.wide + 2, outs = (c.high + 2) * out_wide;
  Words image(512 * std::size_t{tiles});
  const auto place = [&](std::size_t pixel, std::size_t channel) {
    return (pixel / 32 * wide_tiles + channel / 32) * 1024 +
           place_in_tile(pixel % 32, channel % 32);
  };
  for (std::size_t i = 0; i < 2 * image.size(); ++i)
    set_datum16(image, i, (static_cast<Word>(random_()) & 0xBFFF) | 0x80);
  const auto in = bench_->local(image);
  const auto out = bench_->local(Words(std::size_t{outs} * c.channels / 2, 0xEEEEEEEE));

  // Pieces of rows of the image by core. No piece crosses the end of a block of 32 pixels.
  std::vector<Word> pieces[2];
  for (unsigned y = 0; y < c.high; ++y) {
    for (unsigned x = 0; x < c.wide;) {
      const unsigned from = y * c.wide + x;
      const unsigned size = std::min(c.wide - x, 32 - from % 32);
      auto& list = pieces[from / 32 % 2];
      list.insert(list.end(), {from, (y + 1) * out_wide + 1 + x, size});
      x += size;
    }
  }
  const runtime::CoreCoord here = bench_->mesh().device(0).worker_core_from_logical_core({0, 0});
  const auto gather = [&](const std::vector<Word>& list) {
    std::vector<Word> config = {list.empty() ? 0U : 1U, static_cast<Word>(here.x),
                                static_cast<Word>(here.y), static_cast<Word>(list.size() / 3)};
    config.insert(config.end(), list.begin(), list.end());
    return bench_->local(halves(config));
  };
  const auto first = gather(pieces[0]), second = gather(pieces[1]);
  // The row above, the end of each row with the beginning of the next one, the row below.
  std::vector<Word> borders = {0, out_wide + 1};
  for (unsigned y = 1; y < c.high; ++y) borders.insert(borders.end(), {(y + 1) * out_wide - 1, 2});
  borders.insert(borders.end(), {(c.high + 1) * out_wide - 1, out_wide + 1, 0, 0});
  const auto border = bench_->local(halves(borders));

  enum : std::uint8_t { kIn, kBorder, kFirst, kSecond, kOut, kPad, kRows0 = 16, kRows1 };

  const auto arguments = [&](Word borders_from, Word gather_from, Word rows, Word start) {
    return Words{borders_from, gather_from, kIn,   rows, kOut, kPad, c.border,
                 tiles,        bytes,       0,     0,    0,    0,    0,
                 32,           wide_tiles,  start, 2};
  };
  kLaunches.run(*bench_, "run",
                TVP_VALUES(in, border, first, second, out, bytes, wide_tiles, blocks)
                    .with("writer_compile_args", arguments(kBorder, kFirst, kRows0, 0))
                    .with("reader_compile_args", arguments(0, kSecond, kRows1, 1)));

  const Words got = bench_->local_words(out);
  for (unsigned y = 0; y < c.high + 2; ++y) {
    for (unsigned x = 0; x < out_wide; ++x) {
      const bool outside = y == 0 || x == 0 || y > c.high || x > c.wide;
      for (unsigned channel = 0; channel < c.channels; ++channel) {
        const Word expected =
            outside ? c.border : datum16(image, place((y - 1) * c.wide + x - 1, channel));
        ASSERT_EQ(datum16(got, (std::size_t{y} * out_wide + x) * c.channels + channel), expected)
            << c.high << "x" << c.wide << ", " << c.channels << ": " << y << ", " << x << ", "
            << channel;
      }
    }
  }
}

TEST_F(PublishedHalo, AroundImages) {
  run({.high = 4, .wide = 8, .channels = 32, .border = 0});
  run({.high = 9, .wide = 10, .channels = 64, .border = 0});
  run({.high = 9, .wide = 10, .channels = 64, .border = 0xFF80});
  run({.high = 7, .wide = 14, .channels = 288, .border = 0});  // more tiles per row than DST holds
}

}  // namespace
}  // namespace tvp::test
