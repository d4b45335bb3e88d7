#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "sw/runtime/block_float.h"
#include "tests/system/benches/operation_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {

/// Numbers in tiles of BF16, by row and column of a matrix that is `wide` tiles wide.
class Numbers {
 public:
  Numbers(std::size_t high, std::size_t wide) : wide_(wide), words_(high * wide * 512) {}
  Numbers(std::size_t wide, Words words) : wide_(wide), words_(std::move(words)) {}

  std::size_t rows() const { return words_.size() / 512 / wide_ * 32; }
  std::size_t columns() const { return 32 * wide_; }
  std::size_t tiles() const { return words_.size() / 512; }
  const Words& words() const { return words_; }
  double operator()(std::size_t row, std::size_t column) const {
    return static_cast<double>(f(from_bf16(datum16(words_, place(row, column)))));
  }
  /// The number as a whole number, for tiles of whole numbers.
  Word bits(std::size_t row, std::size_t column) const {
    return datum16(words_, place(row, column));
  }
  void set(std::size_t row, std::size_t column, float value) {
    set_datum16(words_, place(row, column), to_bf16(value));
  }

 private:
  std::size_t place(std::size_t row, std::size_t column) const {
    return (row / 32 * wide_ + column / 32) * 1024 + place_in_tile(row % 32, column % 32);
  }

  std::size_t wide_;
  Words words_;
};

/// Format of numbers in memory: tiles of BF16 or of BFP8.
struct Stored {
  bool bfp8;
  Word bytes() const { return bfp8 ? 1088 : 2048; }
  runtime::DataFormat format() const {
    return bfp8 ? runtime::DataFormat::Bfp8_b : runtime::DataFormat::Float16_b;
  }
  Words store(const Numbers& numbers) const {
    if (!bfp8) return numbers.words();
    std::vector<float> faces;
    for (std::size_t i = 0; i < 2 * numbers.words().size(); ++i)
      faces.push_back(f(from_bf16(datum16(numbers.words(), i))));
    return runtime::pack_as_bfp8_tiles(faces, false, false);
  }
  Numbers load(const Words& words, std::size_t wide) const {
    if (!bfp8) return {wide, words};
    const auto values = runtime::unpack_bfp8_tiles_into_float_vec(words, false, false);
    Words made(values.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) set_datum16(made, i, to_bf16(values[i]));
    return {wide, made};
  }
};

/// Runs operations of tt-metal's tree on numbers; skipped without TT_METAL_HOME.
class PublishedTest : public testing::Test {
 protected:
  using Expected = std::function<double(std::size_t, std::size_t)>;

  static void SetUpTestSuite() { bench_ = std::make_unique<OperationBench>(); }
  static void TearDownTestSuite() { bench_.reset(); }
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/ttnn/cpp"))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }
  /// A device with a fault cannot run further tests.
  void TearDown() override {
    if (!HasFailure()) return;
    bench_.reset();
    bench_ = std::make_unique<OperationBench>();
  }

  Numbers random(std::size_t high, std::size_t wide, float low, float top) {
    Numbers made(high, wide);
    std::uniform_real_distribution<float> of(low, top);
    for (std::size_t r = 0; r < made.rows(); ++r)
      for (std::size_t c = 0; c < made.columns(); ++c) made.set(r, c, of(random_));
    return made;
  }
  static OperationBench::Tensor tensor(const Numbers& numbers) {
    return bench_->tensor(numbers.words(), 2048);
  }
  static OperationBench::Tensor result(std::size_t tiles) {
    return bench_->result(static_cast<Word>(tiles), 2048);
  }
  static Numbers read(const OperationBench::Tensor& from, std::size_t wide) {
    return {wide, bench_->words(from)};
  }
  /// Checks that each result is within `bound` times (|expected| + 1).
  static void check(const Numbers& got, double bound, const Expected& expected,
                    const std::string& name = {}) {
    for (std::size_t r = 0; r < got.rows(); ++r) {
      for (std::size_t c = 0; c < got.columns(); ++c) {
        const double wanted = expected(r, c);
        ASSERT_NEAR(got(r, c), wanted, bound * (std::abs(wanted) + 1)) << name << r << ", " << c;
      }
    }
  }
  static Word count(std::size_t value) { return static_cast<Word>(value); }

  static inline std::unique_ptr<OperationBench> bench_;
  std::mt19937 random_{5};
};

}  // namespace tvp::test
