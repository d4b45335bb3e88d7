// Reductions and their effect on the rest of Dst.

#include <cmath>
#include <limits>
#include <string>

#include "tests/firmware/ops_bench.h"

namespace tvp::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Largest relative rounding error of BF16.
constexpr double kBf16 = 0x1p-8;

/// The shape of a reduction's result: one row, one column or one datum; the rest is zero.
enum class Along { kRow, kColumn, kBoth };
Tile reduced(const std::vector<Tile>& tiles, unsigned first, unsigned last, Along along, bool max,
             double scaler) {
  Tile result(32);
  std::vector<double> value(32 * 32, max ? -kInfinity : 0.0);
  const auto place = [along](unsigned r, unsigned c) {
    return along == Along::kRow ? r * 32 : along == Along::kColumn ? c : 0;
  };
  for (unsigned i = first; i <= last; ++i)
    for (unsigned r = 0; r < 32; ++r)
      for (unsigned c = 0; c < 32; ++c) {
        double& v = value[place(r, c)];
        const double x = tiles[i].at(r, c);
        v = max ? std::max(v, x) : v + x * scaler * (along == Along::kBoth ? scaler : 1.0);
      }
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned c = 0; c < 32; ++c)
      result.at(r, c) = place(r, c) == r * 32 + c ? static_cast<float>(value[place(r, c)]) : 0;
  return result;
}

TEST(LlkReduce, ReducesAlongRowsColumnsAndBoth) {
  Values values(20);
  struct Reduction {
    const char* name;
    Op op;
    Along along;
    bool max, all;
  };
  const Reduction reductions[] = {
      {"sum along rows", Op::kReduceSumRow, Along::kRow, false, false},
      {"sum along columns", Op::kReduceSumColumn, Along::kColumn, false, false},
      {"sum of all", Op::kReduceSumScalar, Along::kBoth, false, false},
      {"maximum along rows", Op::kReduceMaxRow, Along::kRow, true, false},
      {"maximum along columns", Op::kReduceMaxColumn, Along::kColumn, true, false},
      {"maximum of all", Op::kReduceMaxScalar, Along::kBoth, true, false},
      {"maximum along rows of tiles", Op::kReduceAllMaxRow, Along::kRow, true, true},
      {"sum of all of tiles", Op::kReduceAllSumScalar, Along::kBoth, false, true},
  };
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    for (const Reduction& reduction : reductions)
      for (const bool whole_scaler : {false, true}) {
        SCOPED_TRACE(std::string(variant.name) + ", " + reduction.name);
        std::vector<Tile> a = values.tiles(32, 4, -2, 2);
        for (float& v : a[1].values) v = -std::abs(v) - 1;  // makes the maximum negative
        a[2].at(5, 3) = -1e30f;
        a[2].at(17, 30) = reduction.max ? 1e30f : 100.0f;
        if (reduction.max) a[3].at(31, 31) = kInfinity;
        if (!reduction.max) a[2].at(5, 3) = -100.0f;
        const float scaler = reduction.max ? 1.0f : 0.375f;
        std::vector<Tile> b(4, Tile(32));
        for (unsigned r = 0; r < 32; ++r)
          for (unsigned c = 0; c < 32; ++c)
            if (whole_scaler || r % 16 == 0) b[0].at(r, c) = scaler;
        const std::vector<Tile> out = run(variant, {.op = reduction.op}, a, b);
        for (unsigned i = 0; i < a.size(); ++i) {
          const Tile expected =
              reduced(a, reduction.all ? 0 : i, i, reduction.along, reduction.max, scaler);
          // Sums in 16 bits round with each block of rows and each phase: 2 faces or 8 blocks, with
          // 4 phases each. Partial sums are below 64 times the operands' size.
          const double bound = reduction.max                     ? 0
                               : !variant.fp32_dst               ? 2.5
                               : reduction.along == Along::kBoth ? 0.35
                                                                 : 1e-4;
          for (unsigned r = 0; r < 32; ++r)
            for (unsigned c = 0; c < 32; ++c) {
              // The result is exact, infinities included, or within the bound.
              if (out[i].at(r, c) == expected.at(r, c)) continue;
              const double allowed =
                  expected.at(r, c) == 0 ? 0 : bound + kBf16 * std::abs(expected.at(r, c));
              ASSERT_NEAR(out[i].at(r, c), expected.at(r, c), allowed)
                  << "tile " << i << " (" << r << ", " << c << ")";
            }
        }
      }
  }
}

TEST(LlkReduce, LeavesZerosBesideReductions) {
  Values values(24);
  for (const Variant& variant : kVariants)
    for (const Op op : {Op::kReduceRowThenNegate, Op::kReduceColumnThenNegate,
                        Op::kReduceScalarThenNegate, Op::kReduceMaxScalarThenNegate}) {
      if (variant.rows != 32) continue;
      SCOPED_TRACE(std::string(variant.name) + ", " + std::to_string(int(op)));
      const std::vector<Tile> a = values.tiles(32, 3, 1, 2);
      std::vector<Tile> ones(3, Tile(32));
      for (Tile& tile : ones)
        for (float& each : tile.values) each = 1;
      const std::vector<Tile> out = run(variant, {.op = op}, a, ones);
      for (unsigned i = 0; i < a.size(); ++i)
        for (unsigned r = 0; r < 32; ++r)
          for (unsigned c = 0; c < 32; ++c) {
            double expected = 0;
            for (unsigned k = 0; k < 32; ++k) {
              if (op == Op::kReduceRowThenNegate && c == 0) expected -= a[i].at(r, k);
              if (op == Op::kReduceColumnThenNegate && r == 0)
                expected = std::fmin(expected, -a[i].at(k, c));
              for (unsigned l = 0; l < 32 && op >= Op::kReduceScalarThenNegate && r + c == 0; ++l)
                expected = op == Op::kReduceScalarThenNegate ? expected - a[i].at(k, l)
                                                             : std::fmin(expected, -a[i].at(k, l));
            }
            if (op == Op::kReduceRowThenNegate && c > 0 && c < 16)
              continue;  // these columns sum up further results
            if (op >= Op::kReduceScalarThenNegate && r == 0 && c > 0 && c < 16) continue;
            ASSERT_NEAR(out[i].at(r, c), expected, 0.02 * std::fabs(expected))
                << "tile " << i << " (" << r << ", " << c << ")";
          }
    }
}

TEST(LlkReduce, FindsTheLargestOfRowsOfTiles) {
  Values values(25);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(32, 3, -2, 2);
    std::vector<Tile> ones(3, Tile(32));
    for (Tile& tile : ones)
      for (float& each : tile.values) each = 1;
    const std::vector<Tile> out = run(variant, {.op = Op::kBlockMaxRow}, a, ones);
    for (unsigned r = 0; r < 32; ++r) {
      float largest = -2;
      for (const Tile& tile : a)
        for (unsigned c = 0; c < 32; ++c) largest = std::fmax(largest, tile.at(r, c));
      for (const Tile& tile : out) ASSERT_EQ(tile.at(r, 0), largest) << r;
    }
  }
}

TEST(LlkReduce, LeavesOtherTilesOfDstAlone) {
  Values values(26);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> ones = values.tiles(variant.rows, 3, 1, 1);
    const std::vector<Tile> out = run(variant, {.op = Op::kCopyBesideReductions}, a, ones);
    for (unsigned i = 0; i < a.size(); ++i) EXPECT_EQ(out[i].values, a[i].values) << i;
  }
}

}  // namespace
}  // namespace tvp::test
