// Images whose patches become channels, and halves of rows that change places, by kernels of
// tt-metal's tree, unchanged: where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const std::string kOps = "ttnn/cpp/ttnn/operations/";
const std::string kKernels = kOps + "data_movement/fold/device/kernels/dataflow/";
constexpr Word kImages = 2, kHigh = 4;
constexpr Word kStride = 2, kPatch = kStride * kStride;

class PublishedFold : public PublishedTest {
 protected:
  void rows_of(Word channels);
};

/// Which pixel of the images lies at `part` of a patch, patches row by row.
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
  Operation(*bench_)
      .buffer(0, 2, aligned * kPatch)
      .buffer(1, 1, stick * kPatch)
      .reader(kKernels + "reader_dram2cb_for_rm_input.cpp",
              {.compile = compile, .tensors = {in}, .run = {address(in), 0, 0}})
      .writer(kKernels + "writer_cb2dram_for_rm_input.cpp",
              {.compile = compile, .tensors = {out}, .run = {address(out), 0}})
      .run();
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

// Rows of 40 pixels are two tiles, the second of which is filled up.
TEST_F(PublishedFold, Tiles) {
  constexpr Word kWide = 40, kAcross = 2, kDeep = 3, kRows = kImages * kHigh;
  constexpr Word kPatches = kRows * kWide / kPatch, kStick = 64 * kDeep;
  const Numbers image = random(std::size_t{kRows} * kAcross, kDeep, -1, 1);
  const auto in = tensor(image), out = bench_->result(kPatches * kPatch, kStick);
  Operation(*bench_)
      .buffer(0, kDeep)
      .buffer(1, kDeep)
      .reader(kKernels + "reader_dram2cb_tiled.cpp",
              {.compile = {kDeep, kAcross, 0}, .tensors = {in}, .run = {address(in), 0, kRows}})
      .compute(kOps + "data_movement/untilize/device/kernels/compute/pack_untilize.cpp",
               {.compile = {kRows * kAcross, kDeep, 0, 1}})
      .writer(kKernels + "writer_cb2dram_for_tiled_input.cpp",
              {.compile = {kWide, kStride, kStride, kStick, kStick, kDeep, kAcross, 2, 1},
               .tensors = {out},
               .run = {address(out), 0, kRows, 0, 0}})
      .run();
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
  const std::string kernels =
      kOps + "experimental/transformer/rotate_half/device/kernels/dataflow/";
  constexpr Word kRows = 3, kHalf = 2;
  const Numbers x = random(kRows, std::size_t{2} * kHalf, -1, 1);
  const auto in = tensor(x), out = result(x.tiles());
  Operation(*bench_)
      .buffer(0, 2)
      .buffer(24, 2)
      .buffer(1, 1)
      .buffer(16, 2)
      .reader(kernels + "reader_rotate_half_interleaved_start_id.cpp",
              {.compile = {24, 0, 1, to_bf16(-1)},
               .tensors = {in},
               .run = {address(in), kRows, kHalf, 0}})
      .compute(kOps + "data_movement/bcast/device/kernels/compute/bcast_hw.cpp",
               {.run = {1, 1, kRows * kHalf},
                .defines = {{"BCAST_OP", "mul_tiles_bcast"},
                            {"BCAST_LLKOP", "ELWMUL"},
                            {"BCAST_DIM", "BroadcastType::SCALAR"},
                            {"BCAST_SCALAR", "1"}}})
      .writer(kernels + "writer_rotate_half_interleaved_start_id.cpp",
              {.compile = {24, 16}, .tensors = {out}, .run = {address(out), kRows, kHalf, 0}})
      .run();
  check(read(out, std::size_t{2} * kHalf), 0, [&](auto row, auto column) {
    return column < 32 * kHalf ? -x(row, column + 32 * kHalf) : x(row, column - 32 * kHalf);
  });
}

}  // namespace
}  // namespace tvp::test
