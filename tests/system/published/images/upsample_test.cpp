// Upsampling of images.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/upsample.toml");

const std::string kKernels = "ttnn/cpp/ttnn/operations/pool/upsample/device/kernels/";

/// Pixels row by row, with `channels` channels.
class Image {
 public:
  Image(std::size_t high, std::size_t wide, std::size_t channels)
      : wide_(wide), channels_(channels), words_(high * wide * channels / 2) {}
  Image(std::size_t wide, std::size_t channels, Words words)
      : wide_(wide), channels_(channels), words_(std::move(words)) {}

  const Words& words() const { return words_; }
  double operator()(std::size_t y, std::size_t x, std::size_t channel) const {
    return static_cast<double>(
        f(from_bf16(datum16(words_, (y * wide_ + x) * channels_ + channel))));
  }
  void set(std::size_t y, std::size_t x, std::size_t channel, float value) {
    set_datum16(words_, (y * wide_ + x) * channels_ + channel, to_bf16(value));
  }

 private:
  std::size_t wide_, channels_;
  Words words_;
};

class PublishedUpsample : public PublishedTest {
 protected:
  static constexpr std::size_t kHigh = 4, kWide = 3;

  Image random_image(std::size_t high, std::size_t wide, std::size_t channels) {
    Image made(high, wide, channels);
    std::uniform_real_distribution<float> of(-2, 2);
    for (std::size_t y = 0; y < high; ++y)
      for (std::size_t x = 0; x < wide; ++x)
        for (std::size_t c = 0; c < channels; ++c) made.set(y, x, c, of(random_));
    return made;
  }
  /// The host truncates, so a sample on a pixel takes the pixels above and before.
  static Word fixed(double value) { return static_cast<Word>(value * 65536); }
  void bilinear(unsigned channels, unsigned scale_h, unsigned scale_w);
};

// The image is in L1 with a frame of one pixel that is never read. NCRISC and BRISC compute every
// second pixel each.
void PublishedUpsample::bilinear(unsigned channels, unsigned scale_h, unsigned scale_w) {
  const unsigned out_high = kHigh * scale_h, out_wide = kWide * scale_w;
  const unsigned stick = 2 * channels, block = std::min(stick, 512U);
  const unsigned blocks = (channels + 255) / 256, tiles = channels / 32;
  const Image in = random_image(kHigh + 2, kWide + 2, channels);
  const auto halo = bench_->local(in.words());
  const auto out = bench_->local(Words(out_high * out_wide * channels / 2));

  const auto arguments = [&](Word cb, Word scalars, bool reader) {
    return Words{stick,
                 scale_h,
                 scale_w,
                 kWide,
                 out_wide,
                 kHigh,
                 0,
                 cb,
                 scalars,
                 fixed(1.0 / scale_h),
                 fixed(1.0 / scale_w),
                 fixed(0.5 / scale_h + 0.5),
                 fixed(0.5 / scale_w + 0.5),
                 reader,
                 blocks,
                 block};
  };
  const std::string source = kKernels + "dataflow/reader_bilinear_multi_core_sharded.cpp";
  const Words part = {0, 0, out_high * out_wide};
  kLaunches.run(*bench_, "bilinear",
                TVP_VALUES(halo, stick, block, out, source, part, tiles, blocks, out_high, out_wide)
                    .with("reader_compile_args", arguments(1, 3, true))
                    .with("writer_compile_args", arguments(2, 4, false)));
  const Image got(out_wide, channels, bench_->local_words(out));
  for (unsigned y = 0; y < out_high; ++y) {
    for (unsigned x = 0; x < out_wide; ++x) {
      const double at_y = (y + 0.5) / scale_h + 0.5, at_x = (x + 0.5) / scale_w + 0.5;
      const auto low_y = static_cast<std::size_t>(at_y), low_x = static_cast<std::size_t>(at_x);
      const std::size_t y1 = std::max<std::size_t>(low_y, 1), y2 = std::min(low_y + 1, kHigh);
      const std::size_t x1 = std::max<std::size_t>(low_x, 1), x2 = std::min(low_x + 1, kWide);
      const double dy = at_y - static_cast<double>(low_y), dx = at_x - static_cast<double>(low_x);
      for (unsigned c = 0; c < channels; ++c) {
        const double expected = (1 - dy) * ((1 - dx) * in(y1, x1, c) + dx * in(y1, x2, c)) +
                                dy * ((1 - dx) * in(y2, x1, c) + dx * in(y2, x2, c));
        ASSERT_NEAR(got(y, x, c), expected, 0.03) << y << ", " << x << ", channel " << c;
      }
    }
  }
}

TEST_F(PublishedUpsample, Bilinear) {
  bilinear(64, 2, 2);
  bilinear(32, 3, 2);
}

// More channels than are reduced at once, with a last block of another size.
TEST_F(PublishedUpsample, BilinearInBlocksOfChannels) { bilinear(288, 2, 2); }

TEST_F(PublishedUpsample, NearestByWholeFactors) {
  constexpr unsigned kChannels = 32, kStick = 2 * kChannels, kPixels = kHigh * kWide;
  const Image in = random_image(kHigh, kWide, kChannels);
  const auto from = bench_->tensor(in.words(), kStick);
  const auto to = bench_->result(kPixels * 6, kStick);
  kLaunches.run(*bench_, "nearest_by_whole_factors",
                TVP_VALUES(kStick, from, kPixels, kHigh, kWide, to));
  const Image got(3 * kWide, kChannels, bench_->words(to));
  for (std::size_t y = 0; y < 2 * kHigh; ++y)
    for (std::size_t x = 0; x < 3 * kWide; ++x)
      for (std::size_t c = 0; c < kChannels; ++c)
        ASSERT_EQ(got(y, x, c), in(y / 2, x / 3, c)) << y << ", " << x << ", channel " << c;
}

TEST_F(PublishedUpsample, NearestByAnyFactors) {
  constexpr unsigned kChannels = 32, kStick = 2 * kChannels, kOutHigh = 6, kOutWide = 5;
  const Image in = random_image(kHigh, kWide, kChannels);
  const auto from = bench_->tensor(in.words(), kStick);
  const auto to = bench_->result(kOutHigh * kOutWide, kStick);
  Operation(*bench_)
      .buffer(0, 2, kStick)
      .reader(kKernels + "dataflow/reader_upsample_nearest_float.cpp",
              {.compile = {0, kStick, kHigh, kWide, kOutHigh, kOutWide, 1,
                           fixed(double{kHigh} / kOutHigh), fixed(double{kWide} / kOutWide)},
               .tensors = {from},
               .run = {address(from), kOutHigh * kOutWide, 0}})
      .writer(
          kKernels + "dataflow/writer_upsample_nearest_float.cpp",
          {.compile = {0, kStick}, .tensors = {to}, .run = {address(to), kOutHigh * kOutWide, 0}})
      .run();
  // The factors are truncated, so a sample on a pixel takes the previous one.
  const std::size_t high = fixed(double{kHigh} / kOutHigh), wide = fixed(double{kWide} / kOutWide);
  const Image got(kOutWide, kChannels, bench_->words(to));
  for (std::size_t y = 0; y < kOutHigh; ++y)
    for (std::size_t x = 0; x < kOutWide; ++x)
      for (std::size_t c = 0; c < kChannels; ++c)
        ASSERT_EQ(got(y, x, c), in(y * high >> 16, x * wide >> 16, c)) << y << ", " << x;
}

}  // namespace
}  // namespace tvp::test
