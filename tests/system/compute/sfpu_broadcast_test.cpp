// The vector unit combines tiles with the first row or column of another tile, copies top rows of
// two tiles, and hashes a circular buffer.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr const char* kKernel = R"(
#include "api/compute/compute_kernel_api.h"
#include "api/compute/sfpu/sfpu_binary_bcast.h"
template <typename F> void one(F function) {
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  function();
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
}
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 6);
  sfpu_bcast_init<BroadcastType::COL>();
  one([] { sfpu_add_bcast_col(0, 1); });
  one([] { sfpu_sub_bcast_col(0, 1); });
  one([] { sfpu_mul_bcast_col(0, 1); });
  sfpu_bcast_row_init();
  one([] { sfpu_add_bcast_row(0, 1); });
  one([] { sfpu_sub_bcast_row(0, 1); });
  one([] { sfpu_mul_bcast_row(0, 1); });
  cb_push_back(16, 6);
}
)";

constexpr const char* kTopRows = R"(
#include "api/compute/compute_kernel_api.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  sfpu_add_top_row_init();
  sfpu_add_top_row<DataFormat::FORMAT>(0, 1, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
}
)";

constexpr const char* kHash = R"(
#define DEBUG_CB_HASH 1
#include "api/compute/common.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/debug/cb_hash.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  tile_regs_acquire();
  cb_reserve_back(16, 1);
  hash_cb_sfpu(0, 3);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}
)";

class SfpuBroadcast : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/sfpu_broadcast");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  /// Numbers with more bits than the matrix unit's sources, or BF16.
  Matrix numbers(bool wide) {
    std::uniform_real_distribution<float> of(-4, 4);
    return each([&](auto, auto) { return wide ? w(of(random_)) : to_bf16(of(random_)); });
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{5};
};

TEST_F(SfpuBroadcast, RowsAndColumnsOfAnotherTile) {
  for (const bool wide : {true, false}) {
    const Matrix a = numbers(wide), b = numbers(wide);
    Words in = wide ? tile32(a) : tile16(a);
    const Words second = wide ? tile32(b) : tile16(b);
    in.insert(in.end(), second.begin(), second.end());
    const DataFormat format = wide ? DataFormat::Float32 : DataFormat::Float16_b;
    const Word bytes = wide ? 4096 : 2048;
    TileBench::Options options;
    options.fp32_dst = options.fp32_to_dst = wide;
    const auto got = bench_->run(wide ? "fp32" : "bf16", kKernel, {{0, format, bytes, 2, in}},
                                 {{16, format, bytes, 6, {}}}, options)[0];
    const auto value = [&](const Matrix& m, std::size_t r, std::size_t c) {
      return wide ? f(m[r][c]) : f(from_bf16(m[r][c]));
    };
    for (unsigned k = 0; k < 6; ++k) {
      const Words tile(got.begin() + k * bytes / 4, got.begin() + (k + 1) * bytes / 4);
      const Matrix m = matrix(tile);
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c) {
          const float x = value(a, r, c), y = k < 3 ? value(b, r, 0) : value(b, 0, c);
          const float expected = k % 3 == 0 ? x + y : k % 3 == 1 ? x - y : x * y;
          const double most = wide ? std::ldexp(std::fabs(expected), -23) + 1e-30
                                   : std::ldexp(std::fabs(expected), -8) + 1e-30;
          ASSERT_NEAR(value(m, r, c), expected, most)
              << (wide ? "FP32" : "BF16") << " of call " << k << ", " << r << ", " << c;
        }
    }
  }
}

TEST_F(SfpuBroadcast, TopRowsOfTwoTiles) {
  const auto run = [&](const std::string& format, DataFormat of, const Matrix& a, const Matrix& b) {
    Words in = tile32(a);
    const Words second = tile32(b);
    in.insert(in.end(), second.begin(), second.end());
    std::string text = kTopRows;
    text.replace(text.find("FORMAT"), 6, format);
    TileBench::Options options;
    options.fp32_dst = options.fp32_to_dst = true;
    return matrix(bench_->run("top_rows_" + format, text, {{0, of, 4096, 2, in}},
                              {{16, of, 4096, 1, {}}}, options)[0]);
  };
  const Matrix x = numbers(true), y = numbers(true);
  const Matrix sum = run("Float32", DataFormat::Float32, x, y);
  const auto any = [&](auto, auto) { return static_cast<Word>(random_()) >> 2; };
  const Matrix i = each(any), j = each(any);
  const Matrix whole = run("Int32", DataFormat::Int32, i, j);
  const Matrix natural = run("UInt32", DataFormat::UInt32, i, j);
  for (std::size_t c = 0; c < 32; ++c) {
    EXPECT_EQ(f(sum[0][c]), f(x[0][c]) + f(y[0][c])) << c;
    EXPECT_EQ(whole[0][c], i[0][c] + j[0][c]) << c;
    EXPECT_EQ(natural[0][c], i[0][c] + j[0][c]) << c;
  }
}

/// A vector has four rows of every other one of 16 datums.
TEST_F(SfpuBroadcast, HashOfTilesOnTheVectorUnit) {
  constexpr unsigned kTiles = 3;
  std::vector<Matrix> tiles;
  Words in;
  for (unsigned i = 0; i < kTiles; ++i) {
    tiles.push_back(each([&](auto, auto) { return static_cast<Word>(random_()) >> 1; }));
    const Words words = tile32(tiles.back());
    in.insert(in.end(), words.begin(), words.end());
  }
  Word hash[4][8];
  for (auto& row : hash)
    for (Word& h : row) h = 0x1C9DC5;
  for (const Matrix& tile : tiles)
    for (unsigned face = 0; face < 4; ++face)
      for (unsigned rows = 0; rows < 16; rows += 4)
        for (unsigned odd = 0; odd < 2; ++odd)
          for (unsigned r = 0; r < 4; ++r)
            for (unsigned c = 0; c < 8; ++c) {
              const Word word = tile[face / 2 * 16 + rows + r][face % 2 * 16 + 2 * c + odd];
              hash[r][c] = ((hash[r][c] ^ word) * 0x193) & 0x7FFFFF;
            }
  for (const bool wide : {true, false}) {  // integers stay exact in either DST
    TileBench::Options options;
    options.fp32_dst = options.fp32_to_dst = wide;
    const Matrix got = matrix(bench_->run("hash", kHash, {{0, DataFormat::Int32, 4096, kTiles, in}},
                                          {{16, DataFormat::Int32, 4096, 1, {}}}, options)[0]);
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c) {
        const bool lane = r < 4 && c < 16 && c % 2 == 0;
        EXPECT_EQ(got[r][c], lane ? hash[r][c / 2] : 0) << wide << ": " << r << ", " << c;
      }
  }
}

}  // namespace
}  // namespace tvp::test
