// Patches of images become channels; halves of rows are exchanged.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/fold.toml");

constexpr Word kImages = 2, kHigh = 4;
constexpr Word kStride = 2, kPatch = kStride * kStride;

class PublishedFold : public PublishedTest {
 protected:
  void rows_of(Word channels);
};

/// Index of the pixel at `part` of a patch, with patches row by row.
std::size_t pixel(std::size_t patch, std::size_t part, std::size_t wide) {
  const std::size_t patches = wide / kStride;
  const std::size_t row = patch / patches * kStride + part / kStride;
  return row * wide + patch % patches * kStride + part % kStride;
}

void PublishedFold::rows_of(Word channels) {
  constexpr Word kWide = 6, kPixels = kImages * kHigh * kWide;
  const Word stick = 2 * channels, aligned = (stick + 31) / 32 * 32;
  Words image(kPixels * channels / 2);
  for (Word& word : image) word = static_cast<Word>(random_());
  const auto in = bench_->tensor(image, stick);
  const auto out = bench_->result(kPixels / kPatch, stick * kPatch);
  const Words compile = {stick,           0, aligned, kStride, kStride, kWide, kPixels / kPatch, 1,
                         aligned == stick};
  kLaunches.run(*bench_, "rows_of", TVP_VALUES(aligned, kPatch, stick, compile, in, out));
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < std::size_t{kPixels} * channels; ++i) {
    const std::size_t place = i / channels;
    ASSERT_EQ(
        datum16(got, i),
        datum16(image, pixel(place / kPatch, place % kPatch, kWide) * channels + i % channels))
        << channels << " channels, " << i;
  }
}

TEST_F(PublishedFold, Rows) {
  rows_of(16);
  rows_of(12);
}

// Rows of 40 pixels are two tiles, the second one padded.
TEST_F(PublishedFold, Tiles) {
  constexpr Word kWide = 40, kAcross = 2, kDeep = 3, kRows = kImages * kHigh;
  constexpr Word kPatches = kRows * kWide / kPatch, kStick = 64 * kDeep;
  const Numbers image = random(std::size_t{kRows} * kAcross, kDeep, -1, 1);
  const auto in = tensor(image), out = bench_->result(kPatches * kPatch, kStick);
  kLaunches.run(*bench_, "tiles",
                TVP_VALUES(kDeep, kAcross, in, kRows, kWide, kStride, kStick, out));
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < std::size_t{kPatches} * kPatch * 32 * kDeep; ++i) {
    const std::size_t place = i / (32 * kDeep);
    const std::size_t from = pixel(place / kPatch, place % kPatch, kWide);
    ASSERT_EQ(datum16(got, i),
              image.bits(from / kWide * 32 * kAcross + from % kWide, i % (32 * kDeep)))
        << i;
  }
}

TEST_F(PublishedFold, RotatedHalves) {
  constexpr Word kRows = 3, kHalf = 2;
  const Numbers x = random(kRows, std::size_t{2} * kHalf, -1, 1);
  const auto in = tensor(x), out = result(x.tiles());
  kLaunches.run(*bench_, "rotated_halves", TVP_VALUES(to_bf16(-1), in, kRows, kHalf, out));
  check(read(out, std::size_t{2} * kHalf), 0, [&](auto row, auto column) {
    return column < 32 * kHalf ? -x(row, column + 32 * kHalf) : x(row, column - 32 * kHalf);
  });
}

}  // namespace
}  // namespace tvp::test
