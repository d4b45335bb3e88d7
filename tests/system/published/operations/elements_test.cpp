// Operations on single elements of tensors.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/elements.toml");

using runtime::CoreCoord;
using runtime::CoreRange;

class PublishedElements : public PublishedTest {
 protected:
  static constexpr Word kCores = 2;
  const CoreRange where_{{0, 0}, {kCores - 1, 0}};

  Words indices(std::size_t many, Word below) {
    Words made(many);
    std::uniform_int_distribution<Word> of(0, below - 1);
    for (Word& word : made) word = of(random_);
    return made;
  }
};

TEST_F(PublishedElements, IsIn) {
  constexpr Word kMany = 300, kTests = 90, kChunk = 64, kChunks = 5, kEach = 3;
  for (const bool invert : {false, true}) {
    const Words elements = indices(kMany, 200), tests = indices(kTests, 200);
    const auto in = bench_->tensor(elements, kMany * 4), of = bench_->tensor(tests, kTests * 4),
               out = bench_->result(1, kMany * 4);
    const Words compile{address(in), address(of), address(out), 0, 1, 2, kMany,
                        kTests,      kChunk,      Word{invert}, 4};
    const auto chunks = [&](CoreCoord core) {
      return Words{core.x == 0 ? kEach : kChunks - kEach, core.x == 0 ? 0 : kEach};
    };
    kLaunches.run(*bench_, "is_in", TVP_VALUES(where_, kChunk, compile, in, of, out, chunks));
    const std::set<Word> found(tests.begin(), tests.end());
    const Words got = bench_->words(out);
    for (Word i = 0; i < kMany; ++i)
      ASSERT_EQ(got[i], found.contains(elements[i]) != invert ? ~Word{0} : 0)
          << invert << ": " << i;
  }
}

TEST_F(PublishedElements, Scatter) {
  constexpr Word kRows = 6, kWide = 80, kIndices = 48, kChunk = 32, kIndexRows = 4;
  for (const Word reduction : {0U, 1U, 4U}) {  // the last one, the sum, the largest
    const Words data = indices(kRows * kWide, 1000), from = indices(kIndexRows * kIndices, 1000),
                to = indices(kIndexRows * kIndices, kWide);
    const auto in = bench_->tensor(data, kWide * 4), index = bench_->tensor(to, kIndices * 4),
               source = bench_->tensor(from, kIndices * 4), out = bench_->result(kRows, kWide * 4);
    const Words compile{address(in),
                        address(index),
                        address(source),
                        address(out),
                        0,
                        1,
                        2,
                        3,
                        kWide,
                        kIndices,
                        kIndices,
                        kWide,
                        kWide * 4,
                        kIndices * 4,
                        kIndices * 4,
                        kWide * 4,
                        2};
    const auto first = [](CoreCoord core) { return count(core.x) * kRows / kCores; };
    kLaunches.run(*bench_, "scatter",
                  TVP_VALUES(where_, kChunk, compile, in, index, source, out, first, kRows, kCores,
                             reduction, kIndexRows));
    Words wanted = data;
    for (Word r = 0; r < kIndexRows; ++r) {
      for (Word i = 0; i < kIndices; ++i) {
        Word& at_index = wanted[r * kWide + to[r * kIndices + i]];
        const Word value = from[r * kIndices + i];
        at_index = reduction == 0   ? value
                   : reduction == 1 ? at_index + value
                                    : std::max(at_index, value);
      }
    }
    EXPECT_EQ(bench_->words(out), wanted) << reduction;
  }
}

TEST_F(PublishedElements, RunningSumsAndProducts) {
  // Along the first of three dimensions: 5 x 3 x 2 tiles.
  constexpr Word kLong = 5, kBelow = 6, kEach = kBelow / kCores;
  for (const bool product : {false, true}) {
    for (const bool back : {false, true}) {
      const Numbers x = random(kLong, kBelow, product ? 0.5F : -2.0F, product ? 1.5F : 2.0F);
      const auto in = tensor(x), out = result(kLong * kBelow);
      const auto part = [&](CoreCoord core, Word base, bool reads) {
        const Word from = count(core.x) * kEach;
        Words run{base, kEach, kLong, kBelow, from, from / kBelow, from % kBelow, Word{back}};
        if (reads) run.push_back(Word{product});
        return run;
      };
      kLaunches.run(
          *bench_, "running_sums_and_products",
          TVP_VALUES(where_, in, kEach, kLong, product, out)
              .with("reader_args", [&](CoreCoord core) { return part(core, address(in), true); })
              .with("writer_args",
                    [&](CoreCoord core) { return part(core, address(out), false); }));
      check(
          read(out, kBelow), 0.03,
          [&](std::size_t r, std::size_t c) {
            double total = product ? 1 : 0;
            for (std::size_t k = 0; k < kLong; ++k) {
              if (back ? k < r / 32 : k > r / 32) continue;
              const double value = x(k * 32 + r % 32, c);
              total = product ? total * value : total + value;
            }
            return total;
          },
          product ? "product: " : "sum: ");
    }
  }
}

TEST_F(PublishedElements, Rotate) {
  // Rows of pixels with 20 channels; numbers have 16 fractional bits.
  constexpr Word kHigh = 9, kWide = 13, kPixels = kHigh * kWide, kWords = 10, kBytes = 4 * kWords;
  constexpr Word kAligned = 64, kBatch = 4, kPages = 8, kFill = 0x3F80;
  constexpr double kAngle = 0.6, kX = (kWide - 1) / 2.0, kY = (kHigh - 1) / 2.0;
  const auto fixed = [](double v) { return static_cast<Word>(std::lround(v * 65536)); };
  const Words pixels = indices(kPixels * kWords, 0x7FFFFFFF);
  const auto in = bench_->tensor(pixels, kBytes), out = bench_->result(kPixels, kBytes);
  const auto part = [&](CoreCoord core) {
    const Word half = kPixels / kCores;
    return Words{core.x == 0 ? half : kPixels - half, core.x == 0 ? 0 : half};
  };
  const Words turn{fixed(std::cos(kAngle)), fixed(std::sin(kAngle)), fixed(kX), fixed(kY)};
  kLaunches.run(*bench_, "rotate",
                TVP_VALUES(where_, kAligned, kPages, kHigh, kWide, kWords, kBytes, kBatch, in, part,
                           turn, kFill, out));
  const Words got = bench_->words(out);
  for (Word y = 0; y < kHigh; ++y) {
    for (Word x = 0; x < kWide; ++x) {
      const double from_x = (x - kX) * std::cos(kAngle) - (y - kY) * std::sin(kAngle) + kX,
                   from_y = (x - kX) * std::sin(kAngle) + (y - kY) * std::cos(kAngle) + kY;
      const long near_x = std::lround(from_x), near_y = std::lround(from_y);
      // If a point is equally near to another pixel, the kernel may take that one.
      if (std::abs(std::abs(from_x - std::floor(from_x)) - 0.5) < 0.002 ||
          std::abs(std::abs(from_y - std::floor(from_y)) - 0.5) < 0.002)
        continue;
      const bool there = near_x >= 0 && near_x < long{kWide} && near_y >= 0 && near_y < long{kHigh};
      for (Word w = 0; w < kWords; ++w)
        ASSERT_EQ(got[(y * kWide + x) * kWords + w],
                  there ? pixels[static_cast<Word>(near_y * long{kWide} + near_x) * kWords + w]
                        : kFill * 0x10001)
            << x << ", " << y << ", " << w;
    }
  }
}

}  // namespace
}  // namespace tvp::test
