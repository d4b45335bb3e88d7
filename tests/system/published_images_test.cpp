// Operations of tt-metal's tree on images that lie as depth by height by channels: sums over all
// above and before. Unchanged, where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;

const std::string kSums =
    "ttnn/cpp/ttnn/operations/experimental/reduction/integral_image/device/kernels/";

class PublishedImages : public PublishedTest {
 protected:
  void TearDown() override {
    if (bench_) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }

  void integral(Word depth, Word block, Word height);
};

/// A core for each 32 channels, and blocks of so many rows of depth. Counts that BF16 has exactly.
void PublishedImages::integral(Word depth, Word block, Word height) {
  constexpr Word kChannels = 64, kWide = kChannels / 32;
  const Word high = height / 32;
  Numbers x(depth * high, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r)
    for (std::size_t c = 0; c < x.columns(); ++c) x.set(r, c, random_() % 4 == 0 ? 1.0F : 0.0F);
  const auto in = tensor(x), out = result(depth * high * kWide);
  Operation operation(*bench_);
  operation.on(CoreRange{CoreCoord{0, 0}, CoreCoord{kWide - 1, 0}});
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 2, 8})
    operation.buffer(cb, 2);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{1, 3, 4, 5, 7, 9})
    operation.buffer(cb, block);
  const Words compile = {0,  1,  2,     3,         4,      5,     7, 8,     9,
                         32, 32, block, kChannels, height, depth, 1, kWide, 1};
  operation
      .reader(kSums + "intimg_reader.cpp",
              {.compile = compile, .tensors = {in, out}, .run = {address(in)}})
      .compute(kSums + "intimg_compute.cpp", {.compile = compile})
      .writer(kSums + "intimg_writer.cpp",
              {.compile = compile, .tensors = {in, out}, .run = {address(out)}});
  operation.run();
  const Numbers got = read(out, kWide);
  for (std::size_t c = 0; c < kChannels; ++c) {
    std::vector<double> before(height);  // of smaller depth, in rows up to this
    for (std::size_t d = 0; d < depth; ++d) {
      double row = 0;
      for (std::size_t h = 0; h < height; ++h) {
        row += x(d * height + h, c);
        before[h] += row;
        ASSERT_EQ(got(d * height + h, c), before[h]) << d << ", " << h << ", " << c;
      }
    }
  }
}

TEST_F(PublishedImages, SumsOfOneBlock) { integral(3, 4, 32); }
/// A last block of less depth is read from elsewhere (intimg_reader.cpp).
TEST_F(PublishedImages, SumsOverBlocks) { integral(6, 2, 64); }

}  // namespace
}  // namespace tvp::test
