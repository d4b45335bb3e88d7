// Names of summer 2026 in compute kernels (operands in reverse order at the start, transposed
// tiles, blocks of products). Also how kernels of early 2024 select the part of DST.

#include <gtest/gtest.h>

#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

class NamesOf2026 : public testing::Test {
 protected:
  NamesOf2026() : bench_(TVP_KERNEL_FOLDER "/names_of_2026") {
    for (Matrix& m : a_) m = numbers();
    for (Matrix& m : b_) m = numbers();
  }
  /// Small whole numbers, whose sums are exact.
  Matrix numbers() {
    return each([&](auto, auto) {
      return to_bf16(static_cast<float>(static_cast<int>(random_() % 9) - 4));
    });
  }
  static TileBuffer in(std::uint8_t cb, const std::array<Matrix, 4>& list) {
    Words words;
    for (const Matrix& m : list) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, 4, std::move(words)};
  }
  /// The same numbers in 32 bits.
  static TileBuffer in_fp32(std::uint8_t cb, const std::array<Matrix, 4>& list) {
    Words words;
    for (const Matrix& m : list) {
      const Words tile = tile32(each([&](auto r, auto c) { return from_bf16(m[r][c]); }));
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float32, 4096, 4, std::move(words)};
  }
  static double value(const Matrix& m, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(m[r][c])));
  }
  static double value(const Words& got, std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(datum16(got, 1024 * tile + place_in_tile(r, c)))));
  }

  std::array<Matrix, 4> a_, b_;
  TileBench bench_;
  std::mt19937 random_{26};
};

// The formats of the two sources differ, so a start with swapped sources unpacks wrong data.
TEST_F(NamesOf2026, ABlockOfProductsWithSourcesInReverse) {
  const auto got =
      bench_.run("block", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
void kernel_main() {
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_block_init(0, 1, 0, 2, 2, 2);
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
  tile_regs_acquire();
  for (uint32_t k = 0; k < 2; ++k) matmul_block(0, 1, k, 2 * k, 0, 0, 2, 2, 2);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 4);
  for (uint32_t i = 0; i < 4; ++i) pack_tile(i, 16);
  cb_push_back(16, 4);
  tile_regs_release();
}
)",
                 {in(0, a_), in_fp32(1, b_)}, {{16, DataFormat::Float16_b, 2048, 4, {}}});
  for (std::size_t tile = 0; tile < 4; ++tile) {
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < 64; ++k)
          sum += value(a_[tile / 2 * 2 + k / 32], r, k % 32) *
                 value(b_[k / 32 * 2 + tile % 2], k % 32, c);
        // BF16 in DST rounds the value that the second step adds to.
        ASSERT_NEAR(value(got[0], tile, r, c), sum, std::abs(sum) / 128 + 2)
            << tile << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(NamesOf2026, TransposedTilesAndABlockOfThem) {
  const auto got = bench_.run("transposed", R"(
#include "api/compute/tile_move_copy.h"
#include "api/compute/transpose.h"
#include "api/compute/transpose_dest.h"
void put(uint32_t first) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 2);
  pack_tile(first, 16);
  pack_tile(first + 1, 16);
  cb_push_back(16, 2);
  tile_regs_release();
}
void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  cb_wait_front(0, 4);
  transpose_init(0);
  tile_regs_acquire();
  transpose_block(0, 0, 1, 2);
  put(1);
  copy_tile_init(0);
  tile_regs_acquire();
  copy_tile(0, 2, 0);
  copy_tile(0, 3, 1);
  transpose_dest_init();
  transpose_dest(0);
  transpose_dest(1);
  put(0);
}
)",
                              {in(0, a_)}, {{16, DataFormat::Float16_b, 2048, 4, {}}});
  for (std::size_t tile = 0; tile < 4; ++tile)
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        ASSERT_EQ(value(got[0], tile, r, c), value(a_[tile], c, r))
            << tile << ": " << r << ", " << c;
}

TEST_F(NamesOf2026, PairsOfTilesBlocksAndOneOperandFromDst) {
  const auto got = bench_.run("pairs", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"
constexpr auto kToA = EltwiseBinaryReuseDestType::DEST_TO_SRCA;
constexpr auto kToB = EltwiseBinaryReuseDestType::DEST_TO_SRCB;
void put() {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 4);
  pack_block(0, 16, 4);
  cb_push_back(16, 4);
  tile_regs_release();
}
void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
  tile_regs_acquire();
  add_init(0, 1);
  add_block(0, 1, 0, 0, 0, 2);
  sub_init(0, 1);
  sub_block(0, 1, 2, 2, 2, 2);
  put();
  tile_regs_acquire();
  mul_init(0, 1);
  mul_block(0, 1, 0, 0, 0, 3);
  add_init(0, 1, true);
  add_tiles(0, 1, 2, 2, 2);
  sub_init(0, 1, true);
  sub_tiles(0, 1, 3, 3, 3);
  put();
  tile_regs_acquire();
  copy_init(0);
  copy_block(0, 0, 0, 4);
  add_reuse_dest_init<kToA>(1);
  add_reuse_dest_tiles<kToA>(1, 0, 0);
  sub_reuse_dest_init<kToA>(1);
  sub_reuse_dest_tiles<kToA>(1, 1, 1);
  sub_reuse_dest_init<kToB>(1);
  sub_reuse_dest_tiles<kToB>(1, 2, 2);
  mul_reuse_dest_init<kToB>(1);
  mul_reuse_dest_tiles<kToB>(1, 3, 3);
  put();
}
)",
                              {in(0, a_), in(1, b_)}, {{16, DataFormat::Float16_b, 2048, 12, {}}});
  const auto expected = [&](std::size_t tile, double a, double b) {
    switch (tile) {
      case 0:
      case 1:
      case 8:
        return a + b;
      case 2:
      case 3:
      case 7:
      case 9:
        return a - b;
      case 6:
        return a * b + a + b;
      case 10:
        return b - a;
      default:
        return a * b;
    }
  };
  for (std::size_t tile = 0; tile < 12; ++tile)
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        ASSERT_EQ(value(got[0], tile, r, c),
                  expected(tile, value(a_[tile % 4], r, c), value(b_[tile % 4], r, c)))
            << tile << ": " << r << ", " << c;
}

// MATH starts again while the packers still have its last result, which must not change.
TEST_F(NamesOf2026, BroadcastsWithAStartBeforeEach) {
  std::array<Matrix, 4> ones;
  ones.fill(each([](auto, auto) { return to_bf16(1); }));
  const auto got =
      bench_.run("broadcasts", R"(
#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce.h"
void begin() {
  compute_kernel_hw_startup(0, 1, 16);
  tile_regs_acquire();
}
void put(uint32_t tiles) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, tiles);
  pack_block(0, 16, tiles);
  cb_push_back(16, tiles);
  tile_regs_release();
}
void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
  cb_wait_front(2, 4);
  begin();
  add_bcast_rows_init(0, 1);
  add_tiles_bcast_rows(0, 1, 0, 0, 0);
  sub_bcast_rows_init(0, 1);
  sub_tiles_bcast_rows(0, 1, 0, 0, 1);
  mul_bcast_rows_init(0, 1);
  mul_tiles_bcast_rows(0, 1, 0, 0, 2);
  put(3);
  begin();
  add_bcast_cols_init(0, 1);
  add_tiles_bcast_cols(0, 1, 0, 0, 0);
  sub_bcast_cols_init(0, 1);
  sub_tiles_bcast_cols(0, 1, 0, 0, 1);
  mul_bcast_cols_init(0, 1);
  mul_tiles_bcast_cols(0, 1, 0, 0, 2);
  put(3);
  begin();
  add_bcast_scalar_init(0, 1);
  add_tiles_bcast_scalar(0, 1, 0, 0, 0);
  sub_bcast_scalar_init(0, 1);
  sub_tiles_bcast_scalar(0, 1, 0, 0, 1);
  mul_bcast_scalar_init(0, 1);
  mul_tiles_bcast_scalar(0, 1, 0, 0, 2);
  put(3);
  begin();
  bcast_init<EltwiseBinaryType::ELWSUB, BroadcastType::ROW>(0, 1);
  sub_tiles_bcast<BroadcastType::ROW>(0, 1, 0, 0, 0);
  unary_bcast_init<BroadcastType::COL>(1);
  unary_bcast<BroadcastType::COL>(1, 0, 1);
  put(2);
  begin();
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 2, 16);
  reduce_block<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 2, 0, 0, 0, 2);
  put(2);
  reduce_uninit();
}
)",
                 {in(0, a_), in(1, b_), in(2, ones)}, {{16, DataFormat::Float16_b, 2048, 13, {}}});
  for (std::size_t tile = 0; tile < 11; ++tile) {
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        const double a = value(a_[0], r, c);
        const double row = value(b_[0], 0, c), column = value(b_[0], r, 0);
        const double b = tile / 3 == 0 || tile == 9    ? row
                         : tile / 3 == 1 || tile == 10 ? column
                                                       : value(b_[0], 0, 0);
        const double of_pairs = tile % 3 == 0 ? a + b : tile % 3 == 1 ? a - b : a * b;
        ASSERT_EQ(value(got[0], tile, r, c), tile < 9    ? of_pairs
                                             : tile == 9 ? a - b
                                                         : b)
            << tile << ": " << r << ", " << c;
      }
    }
  }
  for (std::size_t tile = 0; tile < 2; ++tile) {
    for (std::size_t r = 0; r < 32; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < 32; ++c) sum += value(a_[tile], r, c);
      ASSERT_EQ(value(got[0], 11 + tile, r, 0), sum) << tile << ": " << r;
    }
  }
}

// A row of the lower faces is unpacked alone, since the memory after the last tile is undefined.
TEST_F(NamesOf2026, BroadcastsAnyRow) {
  const auto got = bench_.run("any_row", R"(
#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
  tile_regs_acquire();
  add_bcast_rows_init_short(0, 1);
  add_tiles_bcast_rows(0, 1, 0, 3, 0, 31);
  add_tiles_bcast_rows(0, 1, 1, 3, 1);
  add_tiles_bcast_rows(0, 1, 2, 2, 2, 17);
  sub_bcast_rows_init_short(0, 1);
  sub_tiles_bcast_rows(0, 1, 3, 1, 3, 5);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 4);
  pack_tile_block(0, 16, 4);
  cb_push_back(16, 4);
  tile_regs_release();
}
)",
                              {in(0, a_), in(1, b_)}, {{16, DataFormat::Float16_b, 2048, 4, {}}});
  constexpr std::size_t kTiles[] = {3, 3, 2, 1}, kRows[] = {31, 0, 17, 5};
  for (std::size_t tile = 0; tile < 4; ++tile) {
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        const double b = value(b_[kTiles[tile]], kRows[tile], c);
        ASSERT_EQ(value(got[0], tile, r, c), value(a_[tile], r, c) + (tile == 3 ? -b : b))
            << tile << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(NamesOf2026, WhatOfDstAKernelOfEarly2024Takes) {
  const auto got = bench_.run("dst_mode", R"(
#include "compute_kernel_api/eltwise_binary.h"
namespace NAMESPACE {
void MAIN {
  binary_op_init_common(tt::CB::c_in0, tt::CB::c_in1, tt::CB::c_out0);
  add_tiles_init(tt::CB::c_in0, tt::CB::c_in1);
  for (uint32_t i = 0; i < 4; ++i) {
    cb_wait_front(tt::CB::c_in0, 1);
    cb_wait_front(tt::CB::c_in1, 1);
    acquire_dst(tt::DstMode::Half);
    add_tiles(tt::CB::c_in0, tt::CB::c_in1, 0, 0, 0);
    cb_reserve_back(tt::CB::c_out0, 1);
    pack_tile(0, tt::CB::c_out0);
    cb_push_back(tt::CB::c_out0, 1);
    release_dst(tt::DstMode::Half);
    cb_pop_front(tt::CB::c_in0, 1);
    cb_pop_front(tt::CB::c_in1, 1);
  }
}
}
)",
                              {in(0, a_), in(1, b_)}, {{16, DataFormat::Float16_b, 2048, 4, {}}});
  for (std::size_t tile = 0; tile < 4; ++tile)
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        ASSERT_EQ(value(got[0], tile, r, c), value(a_[tile], r, c) + value(b_[tile], r, c))
            << tile << ": " << r << ", " << c;
}

}  // namespace
}  // namespace tvp::test
