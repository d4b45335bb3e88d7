// Tile operations of firmware/llk on the models of the coprocessor, compared with an evaluation in
// double precision.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/firmware/ops_bench.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace tvp::test {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Largest relative rounding error of BF16.
constexpr double kBf16 = 0x1p-8;

/// Datum of b that the broadcast uses at (row, column).
double operand_b(const Tile& b, unsigned broadcast, unsigned row, unsigned column) {
  switch (broadcast) {
    case 0:
      return b.at(row, column);
    case 1:
      return b.at(row, 0);
    case 2:
      return b.at(0, column);
    default:
      return b.at(0, 0);
  }
}

/// Datums of Dst by the matrix unit's arithmetic, and their BF16 values as packers write them.
class DstOracle {
 public:
  explicit DstOracle(const Variant& variant) { setup_.dst32 = variant.fp32_dst; }

  void elementwise(matrix_oracle::Instruction instruction, float a, float b, unsigned phases) {
    setup_.add_dst = instruction == matrix_oracle::Instruction::kElwmul;
    for (setup_.phase = 0; setup_.phase < phases; ++setup_.phase)
      word_ = matrix_oracle::Datum(setup_).elementwise(instruction, {src(a), src(b)}, word_);
  }
  void multiply(const std::vector<matrix_oracle::Pair>& pairs, unsigned phase) {
    setup_.phase = phase;
    word_ = matrix_oracle::Datum(setup_).multiply(pairs, word_);
  }
  float packed() const {
    // Packers round ties away from zero.
    return std::bit_cast<float>(setup_.dst32 ? (word_ + 0x8000) & 0xFFFF0000 : word_ << 16);
  }
  static matrix_oracle::Src src(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return {bits >> 31 != 0, static_cast<int>(bits >> 23 & 0xFF),
            static_cast<int>(bits >> 13 & 0x3FF)};
  }

 private:
  matrix_oracle::Setup setup_;
  std::uint32_t word_ = 0;
};

TEST(Llk, CopiesBitForBit) {
  Values values(1);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    std::vector<Tile> a = values.tiles(variant.rows, 5, -1e30, 1e30);
    a[1].at(3, 17) = -kInfinity;
    a[2].at(7, 31) = 0x1p-126f;
    const std::vector<Tile> out = run(variant, {.op = Op::kCopy}, a, a);
    for (unsigned i = 0; i < a.size(); ++i) EXPECT_EQ(out[i].values, a[i].values) << "tile " << i;
  }
}

TEST(Llk, RepeatsColumnsRowsAndDatums) {
  Values values(10);
  for (const Variant& variant : kVariants) {
    for (unsigned broadcast = 0; broadcast < 4; ++broadcast) {
      SCOPED_TRACE(std::string(variant.name) + ", broadcast " + std::to_string(broadcast));
      const std::vector<Tile> b = values.tiles(variant.rows, 3, -1e30, 1e30);
      const std::vector<Tile> out = run(variant, {.op = Op::kRepeat, .broadcast = broadcast}, b, b);
      for (unsigned i = 0; i < b.size(); ++i)
        for (unsigned r = 0; r < variant.rows; ++r)
          for (unsigned c = 0; c < 32; ++c)
            ASSERT_EQ(out[i].at(r, c), operand_b(b[i], broadcast, r, c))
                << "tile " << i << " (" << r << ", " << c << ")";
    }
  }
}

TEST(Llk, AddsAndSubtractsWithBroadcast) {
  Values values(2);
  for (const Variant& variant : kVariants) {
    for (const Op op : {Op::kAdd, Op::kSubtract}) {
      for (unsigned broadcast = 0; broadcast < 4; ++broadcast) {
        SCOPED_TRACE(std::string(variant.name) + ", broadcast " + std::to_string(broadcast));
        const std::vector<Tile> a = values.tiles(variant.rows, 3, -100, 100);
        const std::vector<Tile> b = values.tiles(variant.rows, 3, -100, 100);
        const std::vector<Tile> out = run(variant, {.op = op, .broadcast = broadcast}, a, b);
        for (unsigned i = 0; i < a.size(); ++i)
          for (unsigned r = 0; r < variant.rows; ++r)
            for (unsigned c = 0; c < 32; ++c) {
              DstOracle dst(variant);
              dst.elementwise(op == Op::kAdd ? matrix_oracle::Instruction::kElwadd
                                             : matrix_oracle::Instruction::kElwsub,
                              a[i].at(r, c), static_cast<float>(operand_b(b[i], broadcast, r, c)),
                              1);
              ASSERT_EQ(out[i].at(r, c), dst.packed())
                  << "tile " << i << " (" << r << ", " << c << ")";
            }
      }
    }
  }
}

TEST(Llk, MultipliesWithBroadcast) {
  Values values(3);
  for (const Variant& variant : kVariants) {
    for (unsigned broadcast = 0; broadcast < 4; ++broadcast) {
      SCOPED_TRACE(std::string(variant.name) + ", broadcast " + std::to_string(broadcast));
      const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
      const std::vector<Tile> b = values.tiles(variant.rows, 3, -10, 10);
      const std::vector<Tile> out =
          run(variant, {.op = Op::kMultiply, .broadcast = broadcast}, a, b);
      for (unsigned i = 0; i < a.size(); ++i)
        for (unsigned r = 0; r < variant.rows; ++r)
          for (unsigned c = 0; c < 32; ++c) {
            DstOracle dst(variant);
            dst.elementwise(matrix_oracle::Instruction::kElwmul, a[i].at(r, c),
                            static_cast<float>(operand_b(b[i], broadcast, r, c)), 4);
            ASSERT_EQ(out[i].at(r, c), dst.packed())
                << "tile " << i << " (" << r << ", " << c << ")";
          }
    }
  }
}

TEST(Llk, AddsProductsUpInDst) {
  Values values(4);
  for (const Variant& variant : kVariants) {
    if (!variant.fp32_dst) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> b = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> out = run(variant, {.op = Op::kMultiplyAccumulate}, a, b);
    for (unsigned i = 0; i < a.size(); ++i) {
      const Tile& other = b[i == 0 ? 1 : 0];
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          const double expected = a[i].at(r, c) * (double{b[i].at(r, 0)} + other.at(r, 0));
          ASSERT_NEAR(out[i].at(r, c), expected, 1.001 * kBf16 * std::abs(expected) + 1e-4);
        }
    }
  }
}

TEST(Llk, MultipliesMatrices) {
  Values values(5);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(32, 2, -1, 1);
    const std::vector<Tile> b = values.tiles(32, 2, -1, 1);
    const std::vector<Tile> out = run(variant, {.op = Op::kMatmul}, a, b);
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned r = 0; r < 32; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          // The order of the halves of the inner dimension is not specified.
          float packed[2];
          for (unsigned order = 0; order < 2; ++order) {
            DstOracle dst(variant);
            for (unsigned step = 0; step < 8; ++step) {
              const unsigned first = 16 * ((step + order) % 2);
              std::vector<matrix_oracle::Pair> pairs;
              for (unsigned k = first; k < first + 16; ++k)
                pairs.push_back({DstOracle::src(b[i].at(k, c)), DstOracle::src(a[i].at(r, k))});
              dst.multiply(pairs, step / 2);
            }
            packed[order] = dst.packed();
          }
          ASSERT_TRUE(out[i].at(r, c) == packed[0] || out[i].at(r, c) == packed[1])
              << "(" << r << ", " << c << "): " << out[i].at(r, c) << " instead of " << packed[0];
        }
  }
}

TEST(Llk, FindsTheLargestOfEachColumn) {
  Values values(6);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(32, 2, -100, -1);
    const std::vector<Tile> ones(2, [] {
      Tile tile(32);
      for (float& value : tile.values) value = 1;
      return tile;
    }());
    const std::vector<Tile> out = run(variant, {.op = Op::kMaxColumns}, a, ones);
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned c = 0; c < 32; ++c) {
        float expected = -kInfinity;
        for (unsigned r = 0; r < 32; ++r) expected = std::max(expected, a[i].at(r, c));
        ASSERT_EQ(out[i].at(0, c), expected) << "column " << c;
      }
  }
}

TEST(Llk, Exponential) {
  Values values(7);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    std::vector<Tile> a = values.tiles(variant.rows, 3, -87, 88);
    for (float& value : a[1].values) value = values.next(-2, 2);
    a[2].at(0, 0) = -kInfinity;
    a[2].at(0, 1) = -1000;
    a[2].at(0, 2) = 0;
    a[2].at(0, 3) = 89;
    a[2].at(0, 4) = kInfinity;
    const bool fp32 = variant.fp32_dst;
    const std::vector<Tile> out = run(variant, {.op = Op::kExp, .out = fp32 ? 18u : 16u}, a, a);
    double worst = 0;
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          const float x = a[i].at(r, c);
          if (x < -87) {
            EXPECT_EQ(out[i].at(r, c), 0) << x;
          } else if (x >= 88.5f) {
            EXPECT_EQ(out[i].at(r, c), kInfinity) << x;
          } else {
            const double expected = std::exp(double{x});
            worst = std::max(worst, std::abs(out[i].at(r, c) / expected - 1));
          }
        }
    EXPECT_LT(worst, fp32 ? 1e-5 : 1.01 * kBf16);
    EXPECT_GT(worst, 1e-9) << "the result was not computed by the program";
    EXPECT_EQ(out[2].at(0, 2), 1);
  }
}

/// The coefficients of sfpu.h are optimal: over all reduced f, the error reaches its bound of
/// 8.3e-6 equally on both sides (Chebyshev). Any other coefficient exceeds the bound, or stays
/// below it on one side. FP32 adds three roundings of 2^-24.
TEST(Llk, ExponentialHasTheSmallestLargestError) {
  constexpr double kBound = 8.27e-6;
  constexpr double kRounding = 3 * 0x1p-24;
  const double half = std::log(2.0) / 2;
  for (const Variant& variant : kVariants) {
    if (!variant.fp32_dst) continue;
    SCOPED_TRACE(variant.name);
    std::vector<Tile> a(4, Tile(variant.rows));
    const auto count = static_cast<double>(4 * 32 * variant.rows - 1);
    double at = 0;
    for (Tile& tile : a)
      for (float& value : tile.values)
        value = workloads::sdpa::round_bf16(half * (2 * at++ / count - 1));
    const std::vector<Tile> out = run(variant, {.op = Op::kExp, .out = 18u}, a, a);
    double highest = 0;
    double lowest = 0;
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned at_value = 0; at_value < a[i].values.size(); ++at_value) {
        const double x = a[i].values[at_value];
        if (std::abs(x) > half) continue;
        const double error = out[i].values[at_value] / std::exp(x) - 1;
        highest = std::max(highest, error);
        lowest = std::min(lowest, error);
      }
    EXPECT_LT(highest, kBound + kRounding);
    EXPECT_GT(lowest, -kBound - kRounding);
    EXPECT_NEAR(highest, -lowest, 2 * kRounding);
  }
}

TEST(Llk, Reciprocal) {
  Values values(8);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    std::vector<Tile> a = values.tiles(variant.rows, 2, -100, 100);
    for (unsigned i = 0; i < 32; ++i)
      a[1].at(0, i) = std::ldexp(values.next(1, 2), static_cast<int>(i) * 8 - 125);
    a[1].at(1, 0) = 0;
    a[1].at(1, 1) = kInfinity;
    a[1].at(1, 2) = 0x1p126f;
    const bool fp32 = variant.fp32_dst;
    const std::vector<Tile> out =
        run(variant, {.op = Op::kReciprocal, .out = fp32 ? 18u : 16u}, a, a);
    double worst = 0;
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          const double x = a[i].at(r, c);
          if (x == 0) {
            EXPECT_EQ(out[i].at(r, c), kInfinity);
          } else if (std::abs(x) >= 0x1p126) {
            EXPECT_EQ(out[i].at(r, c), 0) << x;
          } else {
            worst = std::max(worst, std::abs(out[i].at(r, c) * x - 1));
          }
        }
    EXPECT_LT(worst, fp32 ? 0x1p-22 : 1.01 * kBf16);
  }
}

TEST(Llk, LargerOfTwoTiles) {
  Values values(9);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    std::vector<Tile> a = values.tiles(variant.rows, 2, -5, 5);
    std::vector<Tile> b = values.tiles(variant.rows, 2, -5, 5);
    a[0].at(0, 0) = -kInfinity;
    a[0].at(1, 5) = b[0].at(1, 5) = -kInfinity;
    const std::vector<Tile> out = run(variant, {.op = Op::kMax}, a, b);
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c)
          ASSERT_EQ(out[i].at(r, c), std::max(a[i].at(r, c), b[i].at(r, c)));
  }
}

// VectorMode::R computes the upper faces, VectorMode::C the left ones (tt-metal).
TEST(Llk, VectorModesTakeFacesOfATile) {
  constexpr int kRows = 1;
  constexpr int kColumns = 2;
  Values values(10);
  for (const Variant& variant : kVariants) {
    for (const int mode : {kRows, kColumns}) {
      SCOPED_TRACE(std::string(variant.name) + ", mode " + std::to_string(mode));
      const std::vector<Tile> a = values.tiles(variant.rows, 1, 1, 5);
      const std::vector<Tile> b = values.tiles(variant.rows, 1, 1, 5);
      const std::vector<Tile> out = run(variant, {.op = Op::kMax, .vector_mode = mode}, a, b);
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          const bool taken = mode == kRows ? r < 16 : c < 16;
          const float larger = std::max(a[0].at(r, c), b[0].at(r, c));
          ASSERT_EQ(out[0].at(r, c), taken ? larger : 0) << r << ", " << c;
        }
    }
  }
}

TEST(Llk, RectifiesSquaresAndNegates) {
  Values values(11);
  for (const Variant& variant : kVariants) {
    for (const Op op : {Op::kRelu, Op::kSquare, Op::kNegative}) {
      SCOPED_TRACE(std::string(variant.name) + ", op " + std::to_string(static_cast<int>(op)));
      std::vector<Tile> a = values.tiles(variant.rows, 3, -50, 50);
      a[1].at(0, 0) = kInfinity;
      a[1].at(7, 31) = -kInfinity;
      a[2].at(3, 3) = 0;
      const bool fp32 = variant.fp32_dst;
      const std::vector<Tile> out = run(variant, {.op = op, .out = fp32 ? 18u : 16u}, a, a);
      for (unsigned i = 0; i < a.size(); ++i)
        for (unsigned r = 0; r < variant.rows; ++r)
          for (unsigned c = 0; c < 32; ++c) {
            const double x = a[i].at(r, c);
            const float result = out[i].at(r, c);
            if (op == Op::kRelu) {
              ASSERT_EQ(result, x > 0 ? x : 0) << x;
            } else if (op == Op::kNegative) {
              ASSERT_EQ(result, -x) << x;
            } else if (fp32 || std::isinf(x)) {
              ASSERT_EQ(result, x * x) << x;  // two mantissas of 8 bits are exact in 24
            } else {
              ASSERT_NEAR(result, x * x, kBf16 * x * x) << x;
            }
          }
    }
  }
}

TEST(Llk, TransposesTiles) {
  Values values(21);
  for (const Variant& variant : kVariants)
    for (const Op op : {Op::kTranspose, Op::kTransposeByCopy}) {
      if (variant.rows != 32) continue;
      SCOPED_TRACE(std::string(variant.name) + ", " + std::to_string(int(op)));
      std::vector<Tile> a = values.tiles(32, 3, -1e30, 1e30);
      a[0].at(3, 20) = kInfinity;
      const std::vector<Tile> out = run(variant, {.op = op}, a, a);
      for (unsigned i = 0; i < a.size(); ++i)
        for (unsigned r = 0; r < 32; ++r)
          for (unsigned c = 0; c < 32; ++c)
            ASSERT_EQ(out[i].at(r, c), a[i].at(c, r))
                << "tile " << i << " (" << r << ", " << c << ")";
    }
}

TEST(Llk, AddsARowOfChoice) {
  Values values(23);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> b = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> out = run(variant, {.op = Op::kAddRow}, a, b);
    for (unsigned i = 0; i < a.size(); ++i)
      for (unsigned r = 0; r < variant.rows; ++r)
        for (unsigned c = 0; c < 32; ++c) {
          const double expected = a[i].at(r, c) + b[i].at(variant.rows == 32 ? 21 : 5, c);
          ASSERT_NEAR(out[i].at(r, c), expected, 0x1p-7 * std::fabs(expected))
              << "tile " << i << " (" << r << ", " << c << ")";
        }
  }
}

TEST(Llk, TakesAnOperandFromDst) {
  Values values(22);
  for (const Variant& variant : kVariants)
    for (const Op op : {Op::kReuseAdd, Op::kReuseSubtract, Op::kReuseMultiply}) {
      SCOPED_TRACE(std::string(variant.name) + ", " + std::to_string(int(op)));
      const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
      const std::vector<Tile> b = values.tiles(variant.rows, 3, -10, 10);
      const std::vector<Tile> out = run(variant, {.op = op}, a, b);
      for (unsigned i = 0; i < a.size(); ++i)
        for (std::size_t at = 0; at < a[i].values.size(); ++at) {
          const double x = a[i].values[at], y = b[i].values[at], sum = x + y;
          const double expected = op == Op::kReuseAdd        ? sum + y
                                  : op == Op::kReuseSubtract ? y - sum
                                                             : sum * y;
          // The sum in Dst has 8 bits, or the 11 of a source register. Each of four phases rounds.
          const double of_sum = std::abs(sum) * (variant.fp32_dst ? 0x1p-10 : 0x1p-8) *
                                (op == Op::kReuseMultiply ? std::abs(y) : 1);
          ASSERT_NEAR(out[i].values[at], expected,
                      of_sum + (variant.fp32_dst ? 1.01 : 4) * kBf16 * std::abs(expected) + 1e-4)
              << "tile " << i << " datum " << at;
        }
    }
}

TEST(Llk, PacksWithRelu) {
  Values values(23);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> out = run(variant, {.op = Op::kPackRelu}, a, a);
    for (unsigned i = 0; i < a.size(); ++i)
      for (std::size_t at = 0; at < a[i].values.size(); ++at)
        ASSERT_EQ(out[i].values[at], std::max(a[i].values[at], 0.0f));
  }
}

/// Index in L1 of each datum of a row-major matrix of `across` tiles side by side. The tiles are
/// those of write_bf16() and read_bf16().
struct RowMajor {
  unsigned rows, across;
  std::pair<unsigned, std::size_t> at(unsigned tile, unsigned row, unsigned column) const {
    const std::size_t index =
        std::size_t{tile / across * rows + row} * across * 32 + tile % across * 32 + column;
    return {static_cast<unsigned>(index / (rows * 32)), index % (rows * 32)};
  }
};

TEST(Llk, TurnsRowsIntoTilesAndBack) {
  Values values(24);
  for (const Variant& variant : kVariants)
    for (const Op op : {Op::kTilize, Op::kUntilize, Op::kPackUntilize}) {
      SCOPED_TRACE(std::string(variant.name) + ", " + std::to_string(int(op)));
      const std::vector<Tile> a = values.tiles(variant.rows, 4, -1e30, 1e30);
      const std::vector<Tile> out = run(variant, {.op = op}, a, a);
      const RowMajor matrix{variant.rows, op == Op::kUntilize ? 4u : 2u};
      // Datums of a tile in the order of L1.
      const auto in_l1 = [&](const Tile& tile, std::size_t index) {
        for (unsigned r = 0; r < variant.rows; ++r)
          for (unsigned c = 0; c < 32; ++c)
            if (tile.place(r, c) == index) return tile.at(r, c);
        return 0.0f;
      };
      // pack_untilize packs tiles 0 and 1 as the left column, 2 and 3 as the right one.
      const unsigned left_first[] = {0, 2, 1, 3};
      for (unsigned i = 0; i < a.size(); ++i)
        for (unsigned r = 0; r < variant.rows; ++r)
          for (unsigned c = 0; c < 32; ++c) {
            const auto [tile, index] = matrix.at(i, r, c);
            if (op == Op::kTilize) {
              ASSERT_EQ(out[i].at(r, c), in_l1(a[tile], index)) << i << ": " << r << ", " << c;
            } else {
              const unsigned from = op == Op::kUntilize ? i : left_first[i];
              ASSERT_EQ(in_l1(out[tile], index), a[from].at(r, c)) << i << ": " << r << ", " << c;
            }
          }
    }
}

}  // namespace
}  // namespace tvp::test
