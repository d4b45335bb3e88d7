// Softmax and its gradient over rows, columns and tiles.

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kMoreh = "ttnn/cpp/ttnn/operations/moreh/";
constexpr std::size_t kHigh = 3, kWide = 2;
constexpr double kRounded = 0x1p-7;

enum class Along { kRows, kColumns, kTiles };
enum class Of { kSoftmax, kSoftmin, kLogSoftmax };

struct Case {
  Along along;
  bool large;  ///< kernels that keep no whole row or column
  Of of = Of::kSoftmax;
  unsigned last = 32;  ///< rows or columns of the last tile without padding
  bool fp32 = false;
};

class PublishedSoftmax : public PublishedTest {
 protected:
  /// Coordinates of all elements that are summed with an element.
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;
  static Places added(const Case& c, std::size_t row, std::size_t column) {
    Places places;
    if (c.along == Along::kRows)
      for (std::size_t i = 0; i < 32 * (kWide - 1) + c.last; ++i) places.emplace_back(row, i);
    if (c.along == Along::kColumns)
      for (std::size_t i = 0; i < 32 * (kHigh - 1) + c.last; ++i) places.emplace_back(i, column);
    if (c.along == Along::kTiles)
      for (std::size_t i = 0; i < kHigh; ++i) places.emplace_back(row % 32 + 32 * i, column);
    return places;
  }
  static bool counts(const Case& c, std::size_t row, std::size_t column) {
    if (c.along == Along::kRows) return column < 32 * (kWide - 1) + c.last;
    return c.along == Along::kTiles || row < 32 * (kHigh - 1) + c.last;
  }
  static std::string suffix(const Case& c) {
    const std::string along = c.along == Along::kRows      ? "w"
                              : c.along == Along::kColumns ? "h"
                                                           : "c";
    return along + (c.large ? "_large" : "");
  }
  static std::string name(const Case& c) {
    return suffix(c) + " " + std::to_string(static_cast<int>(c.of)) + (c.fp32 ? " fp32 " : " ");
  }
  static Operation::Defines defines(const Case& c) {
    Operation::Defines made{{c.of == Of::kSoftmin ? "SOFTMIN" : "SOFTMAX", "1"}};
    if (c.of == Of::kLogSoftmax) made["LOG"] = "1";
    if (c.fp32) made["FP32_DEST_ACC_EN"] = "1";
    return made;
  }
  /// The arguments for a kernel's work, after the addresses of its tensors.
  static Words work(const Case& c, bool of_reader) {
    Words words;
    if (c.along == Along::kRows) words = {kHigh, 0, kWide};
    if (c.along == Along::kColumns) words = {kWide, 0, kHigh, kWide};
    if (c.along == Along::kTiles) return {kWide, 0, kHigh * kWide, kWide, kHigh};
    if (of_reader) words.insert(words.end(), {w(1.0F), c.last});
    return words;
  }
  static Words counted(const Case& c) {
    if (c.along == Along::kRows) return {kHigh, kWide};
    return {kWide, kHigh};
  }
  /// Pages of a buffer, such that a single push never wraps.
  static Word pages(const Case& c) {
    if (c.large) return 2;
    return count(c.along == Along::kRows ? kWide : kHigh);
  }
  static void buffers(Operation& operation, const Case& c,
                      std::initializer_list<std::uint8_t> outer,
                      std::initializer_list<std::uint8_t> inner) {
    for (const std::uint8_t cb : outer) operation.buffer(cb, pages(c));
    for (const std::uint8_t cb : inner)
      operation.buffer(cb, pages(c), c.fp32 ? 4096 : 2048,
                       c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b);
  }
  static void check_counting(const Case& c, const Numbers& got, double bound,
                             const Expected& expected) {
    for (std::size_t row = 0; row < got.rows(); ++row) {
      for (std::size_t column = 0; column < got.columns(); ++column) {
        if (!counts(c, row, column)) continue;
        const double wanted = expected(row, column);
        ASSERT_NEAR(got(row, column), wanted, bound * (std::abs(wanted) + 1))
            << name(c) << row << ", " << column;
      }
    }
  }

  void forward(const Case& c);
  void backward(const Case& c);
};

void PublishedSoftmax::forward(const Case& c) {
  const std::string kernels = kMoreh + "moreh_softmax/device/kernels/", of = suffix(c) + ".cpp";
  const Numbers x = random(kHigh, kWide, -4, 4);
  const auto in = tensor(x), out = result(x.tiles());
  Operation operation(*bench_);
  buffers(operation, c, {0, 1, 2, 16}, {24, 25, 26, 27, 28});
  Words reader = work(c, true), writer = work(c, false);
  reader.insert(reader.begin(), address(in));
  writer.insert(writer.begin(), address(out));
  operation
      .reader(kernels + "reader_moreh_softmax_" + of,
              {.compile = c.along == Along::kTiles ? Words{} : Words{0},
               .tensors = {in},
               .run = reader})
      .compute(kernels + "moreh_softmax_" + of,
               {.compile = counted(c), .defines = defines(c), .fp32_dst = c.fp32})
      .writer(kernels + "writer_moreh_softmax_" + of, {.tensors = {out}, .run = writer})
      .run();
  const double sign = c.of == Of::kSoftmin ? -1 : 1;
  check_counting(c, read(out, kWide), kRounded, [&](auto row, auto column) {
    double sum = 0;
    for (const auto& [r, k] : added(c, row, column)) sum += std::exp(sign * x(r, k));
    const double part = std::exp(sign * x(row, column)) / sum;
    return c.of == Of::kLogSoftmax ? std::log(part) : part;
  });
}

void PublishedSoftmax::backward(const Case& c) {
  const std::string kernels = kMoreh + "moreh_softmax_backward/device/kernels/";
  const std::string of = suffix(c) + ".cpp";
  const std::string along = c.along == Along::kRows ? "w" : c.along == Along::kColumns ? "h" : "c";
  const Numbers y =
      c.of == Of::kLogSoftmax ? random(kHigh, kWide, -5, -1) : random(kHigh, kWide, 0, 1);
  const Numbers dy = random(kHigh, kWide, -2, 2);
  const auto y_in = tensor(y), dy_in = tensor(dy), out = result(y.tiles());
  Operation operation(*bench_);
  buffers(operation, c, {0, 1, 2, 3, 16}, {24, 25, 26, 27});
  Words reader = work(c, true), writer = work(c, false);
  reader.insert(reader.begin(), {address(y_in), address(dy_in)});
  writer.insert(writer.begin(), address(out));
  operation
      .reader(kernels + "reader_moreh_softmax_backward_" +
                  (c.along == Along::kTiles ? std::string("c.cpp") : of),
              {.tensors = {y_in, dy_in}, .run = reader, .defines = defines(c)})
      .compute(kernels + "moreh_softmax_backward_" + of,
               {.compile = counted(c), .defines = defines(c), .fp32_dst = c.fp32})
      .writer(kernels + "writer_moreh_softmax_backward_" + along + ".cpp",
              {.tensors = {out}, .run = writer})
      .run();
  check_counting(c, read(out, kWide), 8 * kRounded, [&](auto row, auto column) {
    double sum = 0;
    for (const auto& [r, k] : added(c, row, column))
      sum += c.of == Of::kLogSoftmax ? dy(r, k) : y(r, k) * dy(r, k);
    if (c.of == Of::kLogSoftmax) return dy(row, column) - std::exp(y(row, column)) * sum;
    return (c.of == Of::kSoftmin ? -1 : 1) * y(row, column) * (dy(row, column) - sum);
  });
}

TEST_F(PublishedSoftmax, AlongRows) {
  forward({Along::kRows, false, Of::kSoftmin});
  forward({Along::kRows, true, Of::kSoftmax, 20});
  forward({Along::kRows, true, Of::kLogSoftmax, 7, true});
}

TEST_F(PublishedSoftmax, AlongColumns) {
  forward({Along::kColumns, false, Of::kSoftmax, 13});
  forward({Along::kColumns, false, Of::kLogSoftmax, 32, true});
  // Softmin is left out: its kernel subtracts the maximum from all tiles but the last.
  forward({Along::kColumns, true, Of::kSoftmax, 30});
}

TEST_F(PublishedSoftmax, AlongTiles) {
  forward({Along::kTiles, true, Of::kSoftmax});
  forward({Along::kTiles, true, Of::kLogSoftmax});
}

TEST_F(PublishedSoftmax, GradientsAlongRows) {
  backward({Along::kRows, false, Of::kSoftmax, 20});
  backward({Along::kRows, false, Of::kLogSoftmax, 32});
  backward({Along::kRows, true, Of::kSoftmin, 9, true});
  backward({Along::kRows, true, Of::kLogSoftmax, 9});
}

TEST_F(PublishedSoftmax, GradientsAlongColumns) {
  backward({Along::kColumns, false, Of::kSoftmax, 20, true});
  backward({Along::kColumns, false, Of::kLogSoftmax, 20});
  backward({Along::kColumns, true, Of::kSoftmax, 3});
  backward({Along::kColumns, true, Of::kLogSoftmax, 32, true});
}

TEST_F(PublishedSoftmax, GradientsAlongTiles) {
  backward({Along::kTiles, true, Of::kSoftmin});
  backward({Along::kTiles, true, Of::kLogSoftmax});
}

}  // namespace
}  // namespace tvp::test
