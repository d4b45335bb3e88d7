// Published operations that look at single elements, whole, unchanged, where TT_METAL_HOME names a
// tree (of February 2026).

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const std::string kOperations = "ttnn/cpp/ttnn/operations/";

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
    const std::string at = kOperations + "experimental/isin/device/kernels/dataflow/";
    const auto chunks = [&](CoreCoord core) {
      return std::pair<Word, Word>{core.x == 0 ? kEach : kChunks - kEach, core.x == 0 ? 0 : kEach};
    };
    Operation operation(*bench_);
    operation.on(where_);
    for (std::uint8_t cb = 0; cb < 3; ++cb) operation.buffer(cb, 1, kChunk * 4, DataFormat::UInt32);
    operation
        .reader(at + "isin_reader.cpp", {.compile = compile,
                                         .tensors = {in, of, out},
                                         .run_at =
                                             [&](CoreCoord core) {
                                               const auto [many, from] = chunks(core);
                                               return Words{address(in), address(of), many, from};
                                             }})
        .writer(at + "isin_writer.cpp", {.compile = compile,
                                         .tensors = {in, of, out},
                                         .run_at =
                                             [&](CoreCoord core) {
                                               const auto [many, from] = chunks(core);
                                               return Words{address(out), many, from};
                                             }})
        .run();
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
    const std::string at = kOperations + "data_movement/scatter/device/kernels/dataflow/";
    const auto first = [](CoreCoord core) { return count(core.x) * kRows / kCores; };
    Operation operation(*bench_);
    operation.on(where_);
    for (std::uint8_t cb = 0; cb < 4; ++cb) operation.buffer(cb, 1, kChunk * 4, DataFormat::UInt32);
    operation
        .reader(at + "reader_scatter.cpp",
                {.compile = compile,
                 .tensors = {in, index, source, out},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in),    address(index), address(source), first(core),
                                    kRows / kCores, kChunk,         kChunk,          kChunk,
                                    reduction,      kRows,          kIndexRows};
                     }})
        .writer(at + "writer_scatter.cpp",
                {.compile = compile,
                 .tensors = {in, index, source, out},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), first(core), kRows / kCores, kChunk};
                     }})
        .run();
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
      const std::string at = kOperations + "reduction/accumulation/device/kernels/";
      const auto part = [&](CoreCoord core, Word base, bool reads) {
        const Word from = count(core.x) * kEach;
        Words run{base, kEach, kLong, kBelow, from, from / kBelow, from % kBelow, Word{back}};
        if (reads) run.push_back(Word{product});
        return run;
      };
      Operation operation(*bench_);
      operation.on(where_);
      for (std::uint8_t cb = 0; cb < 4; ++cb) operation.buffer(cb, 4);
      operation
          .reader(at + "dataflow/accumulation_reader.cpp",
                  {.tensors = {in},
                   .run_at = [&](CoreCoord core) { return part(core, address(in), true); }})
          .compute(at + "compute/accumulation_compute.cpp", {.run = {kEach, kLong, Word{product}}})
          .writer(at + "dataflow/accumulation_writer.cpp",
                  {.tensors = {out},
                   .run_at = [&](CoreCoord core) { return part(core, address(out), false); }})
          .run();
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
  // Rows of pixels of 20 channels; numbers of 16 bits behind the point.
  constexpr Word kHigh = 9, kWide = 13, kPixels = kHigh * kWide, kWords = 10, kBytes = 4 * kWords;
  constexpr Word kAligned = 64, kBatch = 4, kPages = 8, kFill = 0x3F80;
  constexpr double kAngle = 0.6, kX = (kWide - 1) / 2.0, kY = (kHigh - 1) / 2.0;
  const auto fixed = [](double v) { return static_cast<Word>(std::lround(v * 65536)); };
  const Words pixels = indices(kPixels * kWords, 0x7FFFFFFF);
  const auto in = bench_->tensor(pixels, kBytes), out = bench_->result(kPixels, kBytes);
  const auto part = [&](CoreCoord core) {
    const Word half = kPixels / kCores;
    return std::pair<Word, Word>{core.x == 0 ? half : kPixels - half, core.x == 0 ? 0 : half};
  };
  const std::string at = kOperations + "pool/rotate/device/kernels/dataflow/";
  Operation(*bench_)
      .on(where_)
      .buffer(0, 1, kAligned)
      .buffer(1, 2 * kPages, kAligned)
      .reader(
          at + "reader_rotate_nearest_interleaved.cpp",
          {.compile = {1, kAligned, 1, kHigh, kWide, 2 * kWords, kPages, 0, kBytes, 0, kBatch},
           .tensors = {in},
           .run_at =
               [&](CoreCoord core) {
                 const auto [many, from] = part(core);
                 return Words{
                     address(in), many,      from, fixed(std::cos(kAngle)), fixed(std::sin(kAngle)),
                     fixed(kX),   fixed(kY), kFill};
               }})
      .writer(at + "writer_rotate_nearest_interleaved.cpp",
              {.compile = {1, kAligned, kPages, kBatch},
               .tensors = {out},
               .run_at =
                   [&](CoreCoord core) {
                     const auto [many, from] = part(core);
                     return Words{address(out), many, from};
                   }})
      .run();
  const Words got = bench_->words(out);
  for (Word y = 0; y < kHigh; ++y) {
    for (Word x = 0; x < kWide; ++x) {
      const double from_x = (x - kX) * std::cos(kAngle) - (y - kY) * std::sin(kAngle) + kX,
                   from_y = (x - kX) * std::sin(kAngle) + (y - kY) * std::cos(kAngle) + kY;
      const long near_x = std::lround(from_x), near_y = std::lround(from_y);
      // Where it is as near to another one the kernel may take that.
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
