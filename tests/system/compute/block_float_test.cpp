// Tiles of block formats that a kernel packs. The expected values are the packers' roundings on
// numbers (ISA Packers/FormatConversion.md); the host's conversion is compared, too.

#include "sw/runtime/block_float.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr std::size_t kTiles = 4;
constexpr std::size_t kDatums = 1024;
constexpr std::size_t kGroup = 16;
using Group = std::array<double, kGroup>;

constexpr const char* kCopy = R"(
#include "compute_kernel_api.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 4);
  cb_reserve_back(16, 4);
  for (uint32_t i = 0; i < 4; ++i) {
    tile_regs_acquire();
    copy_tile(0, i, 0);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
  }
  cb_push_back(16, 4);
  cb_pop_front(0, 4);
}
)";

double unit_of(double x, int digits) { return std::ldexp(1.0, std::ilogb(x) - digits + 1); }
/// Rounds to `digits` binary digits.
double rounded(double x, int digits) {
  if (x == 0) return 0;
  const double unit = unit_of(x, digits);
  return std::copysign(std::floor(std::abs(x) / unit + 0.5) * unit, x);
}
double cut(double x, int digits) {
  return x == 0 ? 0 : std::trunc(x / unit_of(x, digits)) * unit_of(x, digits);
}

/// The values after the last conversion to a shared exponent.
Group packed(const Group& values, int bits) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  Group result{};
  if (largest == 0) return result;
  const double unit = unit_of(largest, 7);
  const double dropped = std::ldexp(1.0, 8 - bits);
  for (std::size_t i = 0; i < kGroup; ++i) {
    const double seven = std::min(std::floor(std::abs(values[i]) / unit + 0.5), 127.0);
    result[i] = std::copysign(std::floor(seven / dropped) * dropped * unit, values[i]);
  }
  return result;
}

class BlockFloat : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/block_float");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  /// Faces of different magnitude; BF16 numbers have eight digits.
  std::vector<float> numbers(bool bf16) {
    std::vector<float> all(kTiles * kDatums);
    for (float& x : all) {
      const auto random = static_cast<Word>(random_());
      const Word mantissa = random >> 9 & ((random & 3) == 0 ? 0x7F0000 : 0x7FFFFF);
      const Word bits = (random & 0x80000000) | (127 - (random >> 2 & 7)) << 23 | mantissa;
      x = f((random & 0xF0) == 0 ? 0 : bf16 ? bits & 0xFFFF0000 : bits);
    }
    return all;
  }
  std::vector<float> of_device(const std::string& name, const std::vector<float>& numbers,
                               bool bf16, DataFormat to, bool precise) {
    Words in(numbers.size() / (bf16 ? 2 : 1));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (bf16) {
        set_datum16(in, i, w(numbers[i]) >> 16);
      } else {
        in[i] = w(numbers[i]);
      }
    }
    TileBench::Options options;
    options.fp32_dst = options.fp32_to_dst = !bf16;
    options.bfp8_pack_precise = precise;
    const bool eight = to == DataFormat::Bfp8_b;
    const auto from = bf16 ? DataFormat::Float16_b : DataFormat::Float32;
    const auto got = bench_->run(name, kCopy, {{0, from, bf16 ? 2048U : 4096U, kTiles, in}},
                                 {{16, to, eight ? 1088U : 576U, kTiles, {}}}, options);
    return eight ? runtime::unpack_bfp8_tiles_into_float_vec(got[0], false, false)
                 : runtime::unpack_bfp4_tiles_into_float_vec(got[0], false, false);
  }
  void expect_packers(const std::string& name, bool bf16, DataFormat to, bool precise) {
    SCOPED_TRACE(name);
    const auto in = numbers(bf16);
    const auto got = of_device(name, in, bf16, to, precise);
    for (std::size_t first = 0; first < in.size(); first += kGroup) {
      Group values{};
      for (std::size_t i = 0; i < kGroup; ++i) {
        const auto x = static_cast<double>(in[first + i]);
        values[i] = precise ? cut(x, 8) : rounded(x, 7);
      }
      const Group expected = packed(values, to == DataFormat::Bfp8_b ? 8 : 4);
      for (std::size_t i = 0; i < kGroup; ++i)
        ASSERT_EQ(static_cast<double>(got[first + i]), expected[i]) << in[first + i];
    }
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{23};
};

TEST_F(BlockFloat, IsRoundedToSevenDigitsAndOnceMore) {
  expect_packers("bf16_to_8", true, DataFormat::Bfp8_b, false);
  expect_packers("bf16_to_4", true, DataFormat::Bfp4_b, false);
  expect_packers("fp32_to_8", false, DataFormat::Bfp8_b, false);
  expect_packers("fp32_to_4", false, DataFormat::Bfp4_b, false);
}

TEST_F(BlockFloat, IsRoundedOnceIfThatIsAskedFor) {
  expect_packers("precise_bf16_to_8", true, DataFormat::Bfp8_b, true);
  expect_packers("precise_fp32_to_8", false, DataFormat::Bfp8_b, true);
  expect_packers("precise_fp32_to_4", false, DataFormat::Bfp4_b, true);
}

// After one rounding, data equal the host's except for ties, which the host rounds to even.
TEST_F(BlockFloat, DiffersFromTheHostAtTies) {
  const auto in = numbers(true);
  const auto got = of_device("beside_host", in, true, DataFormat::Bfp8_b, true);
  const auto host = runtime::unpack_bfp8_tiles_into_float_vec(
      runtime::pack_as_bfp8_tiles(in, false, false), false, false);
  unsigned ties = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (got[i] == host[i]) continue;
    ++ties;
    EXPECT_EQ(std::abs(got[i] - in[i]), std::abs(host[i] - in[i]));
    EXPECT_GT(std::abs(got[i]), std::abs(host[i]));
  }
  EXPECT_GT(ties, in.size() / 50);
  EXPECT_LT(ties, in.size() / 4);
  RecordProperty("ties", static_cast<int>(ties));
}

}  // namespace
}  // namespace tvp::test
