// Sums of products that cancel below the smallest number of BF16 and FP32, in all builds, compared
// with the oracle.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "models/tensix/coprocessor/matrix/float_sums.h"
#include "tests/unit/tensix/matrix/math_reference.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace vanishing_sums_test {
namespace {

using math_reference::Random;
using matrix_oracle::Datum;
using matrix_oracle::Pair;
using matrix_oracle::Setup;
using matrix_oracle::Src;
using tvp::tensix::coprocessor::Dst;
using tvp::tensix::coprocessor::FloatSums;
using SrcStyle = tvp::tensix::coprocessor::datum::SrcStyle;

constexpr unsigned kColumns = 16;

std::uint32_t cell_of(const Src& x) {
  return (x.negative ? 1u << 18 : 0) | static_cast<std::uint32_t>(x.mantissa) << 8 |
         static_cast<std::uint32_t>(x.exponent);
}

/// Two products of a group cancel to one unit of the group. The group is up to 47 places below the
/// largest product of the instruction, which is the smallest possible exponent of T.
class Vanishing {
 public:
  explicit Vanishing(unsigned seed) : random_(seed) {}

  void expect_oracle(const FloatSums& sums) {
    for (int top = 44; top < 76; ++top) {
      for (unsigned round = 0; round < 24; ++round) {
        fill(top, 40 + static_cast<int>(random_.below(8)));
        for (const bool dst32 : {false, true}) {
          ASSERT_NO_FATAL_FAILURE(check(sums, dst32)) << "largest exponent " << top;
        }
      }
    }
    EXPECT_GT(vanished_, 1000u);
  }

 private:
  void fill(int top, int below) {
    int alpha[2], beta[2];
    do {
      for (int& x : alpha) x = 16 + static_cast<int>(random_.below(16));
      for (int& x : beta) x = 64 + static_cast<int>(random_.below(64));
    } while (std::abs(alpha[0] * beta[0] - alpha[1] * beta[1]) != 1);
    const int high_a = (top + 127) / 2, high_b = top + 127 - high_a;
    a_ = {};
    b_ = {};
    const unsigned group = 8 * random_.below(2);
    for (unsigned k = 0; k < 2; ++k) {
      for (Src& x : a_[group + k])
        x = {random_.below(2) != 0, high_a - below / 2, (alpha[k] - 16) << 6};
      for (auto& row : b_) row[group + k] = {k != 0, high_b - (below + 1) / 2, (beta[k] - 64) << 4};
    }
    for (unsigned j = 0; j < kColumns; ++j) a_[group + 1][j].negative = a_[group][j].negative;
    // One datum of each is larger than the others.
    a_[group][random_.below(kColumns)].exponent = high_a;
    b_[random_.below(8)][group + 1].exponent = high_b;
  }
  void check(const FloatSums& sums, bool dst32) {
    std::array<FloatSums::SrcRow, 16> a;
    std::array<FloatSums::SrcRow, 8> b;
    alignas(64) std::array<Dst::Row, 16> dst{};
    for (unsigned j = 0; j < kColumns; ++j) {
      for (unsigned k = 0; k < 16; ++k) a[k][j] = cell_of(a_[k][j]);
      for (unsigned i = 0; i < 8; ++i) b[i][j] = cell_of(b_[i][j]);
    }
    FloatSums::Product product;
    product.formats = {SrcStyle::kBf16, SrcStyle::kBf16, dst32, 0};
    product.rows = 8;
    product.srca = {&a[0], &a[8]};
    product.srcb = &b[0];
    product.srcb_step = 1;
    product.dst = {&dst[0], dst32 ? &dst[8] : nullptr};
    product.dst_step = 1;
    sums.multiply(product);
    Setup setup;
    setup.dst32 = dst32;
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < kColumns; ++j) {
        std::vector<Pair> pairs;
        for (unsigned k = 0; k < 16; ++k) pairs.push_back({a_[k][j], b_[i][k]});
        const std::uint32_t wanted = Datum(setup).multiply(pairs, 0);
        const std::uint32_t cell = dst[i][j];
        const std::uint32_t high = (cell & 0x8000) | (cell & 0xFF) << 7 | (cell >> 8 & 0x7F);
        ASSERT_EQ(dst32 ? high << 16 | dst[8 + i][j] : high, wanted) << i << ", " << j;
        vanished_ += wanted == 0 ? 1 : 0;
      }
    }
  }

  Random random_;
  std::array<std::array<Src, kColumns>, 16> a_;
  std::array<std::array<Src, kColumns>, 8> b_;
  unsigned vanished_ = 0;
};

TEST(VanishingSums, AreZeroOnEveryMachine) {
  Vanishing(1).expect_oracle(FloatSums::aligned_portable());
}
TEST(VanishingSums, AreZeroWithAvx2) {
  if (FloatSums::aligned_wide<32>() == nullptr) GTEST_SKIP() << "no AVX2 here";
  Vanishing(2).expect_oracle(*FloatSums::aligned_wide<32>());
}
TEST(VanishingSums, AreZeroWithAvx512) {
  if (FloatSums::aligned_wide<64>() == nullptr) GTEST_SKIP() << "no AVX-512 here";
  Vanishing(3).expect_oracle(*FloatSums::aligned_wide<64>());
}

}  // namespace
}  // namespace vanishing_sums_test
