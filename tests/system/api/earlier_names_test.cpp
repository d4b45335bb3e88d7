// Names of earlier releases in compute kernels: reductions by arguments, formats of the unpackers
// alone (2024), mean and variance in tiles of DST (November 2025), products by LLK names.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

class EarlierNames : public testing::Test {
 protected:
  EarlierNames() : bench_(TVP_KERNEL_FOLDER "/earlier_names") {
    for (Matrix& m : a_) m = numbers();
  }
  /// Whole numbers and halves, which BF16 represents exactly.
  Matrix numbers() {
    return each([&](auto, auto) {
      return to_bf16(static_cast<float>(static_cast<int>(random_() % 33) - 16) / 2);
    });
  }
  static TileBuffer in(std::uint8_t cb, const std::vector<Matrix>& list) {
    Words words;
    for (const Matrix& m : list) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, static_cast<Word>(list.size()), std::move(words)};
  }
  static TileBuffer in_fp32(std::uint8_t cb, const Matrix& m) {
    return {cb, DataFormat::Float32, 4096, 1,
            tile32(each([&](auto r, auto c) { return from_bf16(m[r][c]); }))};
  }
  static double value(const Matrix& m, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(m[r][c])));
  }
  static double value(const Words& got, std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(datum16(got, 1024 * tile + place_in_tile(r, c)))));
  }
  static double fp32(const Words& got, std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<double>(f(got[1024 * tile + place_in_tile(r, c)]));
  }

  std::array<Matrix, 3> a_;
  TileBench bench_;
  std::mt19937 random_{24};
};

TEST_F(EarlierNames, ReductionsOfEarly2024) {
  TileBench::Options options;
  options.fp32_dst = true;
  options.defines = {{"REDUCE_OP", "PoolType::SUM"}, {"REDUCE_DIM", "ReduceDim::REDUCE_COL"}};
  const auto got = bench_.run(
      "reductions", R"(
#include "compute_kernel_api/reduce.h"
namespace NAMESPACE {
void MAIN {
  reduce_init<true>(REDUCE_OP, REDUCE_DIM, tt::CB::c_in0, tt::CB::c_in1);
  cb_wait_front(tt::CB::c_in1, 1);
  cb_wait_front(tt::CB::c_in0, 3);
  for (uint32_t again = 0; again < 2; ++again) {
    acquire_dst(tt::DstMode::Half);
    if (again == 0) {
      reduce_init_delta<false>(REDUCE_OP, REDUCE_DIM);
    } else {
      reduce_init_short(REDUCE_OP, REDUCE_DIM, tt::CB::c_in0, tt::CB::c_in1);
    }
    for (uint32_t i = again; i < 3; ++i)
      reduce_tile(REDUCE_OP, REDUCE_DIM, tt::CB::c_in0, tt::CB::c_in1, i, 0, 0);
    cb_reserve_back(tt::CB::c_out0, 1);
    pack_tile(0, tt::CB::c_out0);
    cb_push_back(tt::CB::c_out0, 1);
    reduce_revert_delta();
    release_dst(tt::DstMode::Half);
  }
}
}
)",
      {in(0, {a_[0], a_[1], a_[2]}), in(1, {each([](auto, auto) { return to_bf16(0.5F); })})},
      {{16, DataFormat::Float32, 4096, 2, {}}}, options);
  for (std::size_t again = 0; again < 2; ++again)
    for (std::size_t c = 0; c < 32; ++c) {
      double sum = 0;
      for (std::size_t i = again; i < 3; ++i)
        for (std::size_t r = 0; r < 32; ++r) sum += value(a_[i], r, c) / 2;
      EXPECT_EQ(fp32(got[0], again, 0, c), sum) << again << ": " << c;
    }
}

TEST_F(EarlierNames, FormatsOfTheUnpackers) {
  const auto got =
      bench_.run("formats", R"(
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/tile_move_copy.h"
#include "compute_kernel_api/unpack.h"
namespace NAMESPACE {
void put() {
  cb_reserve_back(tt::CB::c_out0, 1);
  pack_tile(0, tt::CB::c_out0);
  cb_push_back(tt::CB::c_out0, 1);
}
void MAIN {
  binary_op_init_common(0, 0, tt::CB::c_out0);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  acquire_dst(tt::DstMode::Half);
  unpack_reconfig_data_format_srca(0, 1);
  copy_tile_to_dst_init_short();
  copy_tile(1, 0, 0);
  put();
  release_dst(tt::DstMode::Half);
  acquire_dst(tt::DstMode::Half);
  unpack_reconfig_data_format(1, 0, 0, 1);
  add_tiles_init(0, 1);
  add_tiles(0, 1, 0, 0, 0);
  put();
  release_dst(tt::DstMode::Half);
}
}
)",
                 {in(0, {a_[0]}), in_fp32(1, a_[1])}, {{16, DataFormat::Float16_b, 2048, 2, {}}});
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) {
      ASSERT_EQ(value(got[0], 0, r, c), value(a_[1], r, c)) << r << ", " << c;
      ASSERT_EQ(value(got[0], 1, r, c), value(a_[0], r, c) + value(a_[1], r, c)) << r << ", " << c;
    }
}

// A kernel of early 2026 defines a function with a name that tt-metal uses since summer.
TEST_F(EarlierNames, AKernelsOwnFunctionOfALaterName) {
  const auto got = bench_.run("own_name", R"(
#include "api/compute/eltwise_binary.h"
#include "api/compute/tile_move_copy.h"
// Differs from the API's function of this name: packs tiles of rows and columns at once.
void copy_block(uint32_t from, uint32_t to, uint32_t rows, uint32_t columns) {
  copy_tile_to_dst_init_short(from);
  for (uint32_t tile = 0; tile < rows * columns; ++tile) {
    tile_regs_acquire();
    copy_tile(from, tile, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(to, 1);
    pack_tile(0, to);
    cb_push_back(to, 1);
    tile_regs_release();
  }
}
void kernel_main() {
  binary_op_init_common(0, 0, 16);
  cb_wait_front(0, 2);
  copy_block(0u, 16u, 1u, 2u);
}
)",
                              {in(0, {a_[0], a_[1]})}, {{16, DataFormat::Float16_b, 2048, 2, {}}});
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      for (std::size_t tile = 0; tile < 2; ++tile)
        ASSERT_EQ(value(got[0], tile, r, c), value(a_[tile], r, c))
            << tile << ": " << r << ", " << c;
}

/// 75 rows: a tile without its first five rows, a whole tile, and 16 rows of a third one.
TEST_F(EarlierNames, MeanAndVarianceInTilesOfDst) {
  TileBench::Options options;
  options.fp32_dst = true;
  options.fp32_to_dst = true;
  const auto got =
      bench_.run("welford", R"(
#include "compute_kernel_api/tile_move_copy.h"
#include "compute_kernel_api/welford.h"
namespace NAMESPACE {
template <bool kToRows>
void statistics() {
  tile_regs_acquire();
  copy_tile_init(0);
  welford_init();
  uint32_t seen = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    copy_tile(0, i, 0);
    const uint32_t skipped = i == 0 ? 5 : 0;
    welford_tile<0, 1, 2, kToRows, 0>(seen, 75, skipped, {});
    seen += 32 - skipped;
  }
  if (!kToRows) welford_M2_to_var<1, 2, 0>(75, {});
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 2);
  pack_tile(1, 16);
  pack_tile(2, 16);
  cb_push_back(16, 2);
  tile_regs_release();
}
void MAIN {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 3);
  statistics<true>();
  statistics<false>();
}
}
)",
                 {in(0, {a_[0], a_[1], a_[2]})}, {{16, DataFormat::Float32, 4096, 4, {}}}, options);
  std::vector<double> means, variances;
  for (std::size_t c = 0; c < 32; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t row = 5; row < 80; ++row) sum += value(a_[row / 32], row % 32, c);
    const double mean = sum / 75;
    for (std::size_t row = 5; row < 80; ++row)
      squares += std::pow(value(a_[row / 32], row % 32, c) - mean, 2);
    means.push_back(mean);
    variances.push_back(squares / 75);
    EXPECT_NEAR(fp32(got[0], 0, 0, c), mean, 1e-5) << c;
    EXPECT_NEAR(fp32(got[0], 1, 0, c), squares / 75, 1e-3) << c;
  }
  // Every second of the first 64 elements, with columns in any order.
  for (const auto& [tile, expected] : {std::pair{2, &means}, std::pair{3, &variances}}) {
    std::vector<double> found;
    for (std::size_t i = 0; i < 32; ++i)
      found.push_back(
          static_cast<double>(f(got[0][1024 * static_cast<std::size_t>(tile) + 2 * i])));
    std::sort(found.begin(), found.end());
    std::sort(expected->begin(), expected->end());
    for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(found[i], (*expected)[i], 1e-3) << tile;
  }
}

/// LLK functions take the throttle level of products.
TEST_F(EarlierNames, ProductsThatMayBeSlowedDown) {
  const auto precise = [&] {
    return each([&](auto, auto) { return to_bf16(1 + static_cast<float>(random_() % 128) / 128); });
  };
  const Matrix x = precise(), y = precise();
  TileBench::Options options;
  options.fp32_dst = true;
  const auto got =
      bench_.run("throttle", R"(
#include "compute_kernel_api/matmul.h"
namespace NAMESPACE {
void MAIN {
  mm_init(0, 1, 16);
  UNPACK((llk_unpack_AB_matmul_init(0, 1, 0)));
  MATH((llk_math_matmul_init<ckernel::MathFidelity::HiFi4, MM_THROTTLE>(0, 1, 0)));
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  tile_regs_acquire();
  UNPACK((llk_unpack_AB_matmul(0, 1, 0, 0)));
  MATH((llk_math_matmul<ckernel::MathFidelity::HiFi4, MM_THROTTLE>(0)));
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}
}
)",
                 {in(0, {x}), in(1, {y})}, {{16, DataFormat::Float32, 4096, 1, {}}}, options);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < 32; ++k) sum += value(x, r, k) * value(y, k, c);
      ASSERT_NEAR(fp32(got[0], 0, r, c), sum, sum / 8192) << r << ", " << c;
    }
}

/// Kernels of 2024 move the ends of circular buffers through cb_interface, without a function.
TEST_F(EarlierNames, EndsOfCircularBuffers) {
  const auto got =
      bench_.run("ends", R"(
#include "compute_kernel_api/tile_move_copy.h"
namespace NAMESPACE {
void MAIN {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 3);
  cb_reserve_back(16, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    acquire_dst();
    copy_tile(0, 0, 0);
    UNPACK((cb_interface[0].fifo_rd_ptr += cb_interface[0].fifo_page_size));
    pack_tile(0, 16);
    release_dst();
  }
  UNPACK((cb_interface[0].fifo_rd_ptr -= cb_interface[0].fifo_size));
  cb_push_back(16, 3);
  cb_pop_front(0, 3);
}
}  // namespace NAMESPACE
)",
                 {in(0, {a_[0], a_[1], a_[2]})}, {{16, DataFormat::Float16_b, 2048, 3, {}}}, {});
  for (std::size_t tile = 0; tile < 3; ++tile)
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        ASSERT_EQ(value(got[0], tile, r, c), value(a_[tile], r, c))
            << tile << ", " << r << ", " << c;
}

/// Since June 2026 the common header has the start function.
TEST_F(EarlierNames, TheStartComesWithTheCommonHeader) {
  const auto got = bench_.run("start", R"(
#include "api/compute/common.h"
void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  copy_tile_init(0);
  cb_wait_front(0, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
}
)",
                              {in(0, {a_[0]})}, {{16, DataFormat::Float16_b, 2048, 1, {}}}, {});
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      ASSERT_EQ(value(got[0], 0, r, c), value(a_[0], r, c)) << r << ", " << c;
}

/// Sums, differences and products are selected at compile time (until the end of 2025).
TEST_F(EarlierNames, InitsByTheKindOfOperation) {
  TileBench::Options options;
  options.fp32_dst = true;
  const auto got = bench_.run("by_kind", R"(
#include "compute_kernel_api/eltwise_binary.h"
template <bool kFull, EltwiseBinaryType kType, typename F>
ALWI void one(F operation) {
  cb_reserve_back(16, 1);
  acquire_dst();
  binary_op_specific_init<kFull, kType>();
  operation();
  pack_tile(0, 16);
  release_dst();
  cb_push_back(16, 1);
}
namespace NAMESPACE {
void MAIN {
  binary_op_init_common(0, 1, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  one<true, EltwiseBinaryType::ELWADD>([] { add_tiles(0, 1, 0, 0, 0); });
  one<false, EltwiseBinaryType::ELWMUL>([] { mul_tiles(0, 1, 0, 0, 0); });
  one<true, EltwiseBinaryType::ELWSUB>([] { sub_tiles(0, 1, 0, 0, 0); });
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
}  // namespace NAMESPACE
)",
                              {in(0, {a_[0]}), in(1, {a_[1]})},
                              {{16, DataFormat::Float32, 4096, 3, {}}}, options);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      const double a = value(a_[0], r, c), b = value(a_[1], r, c);
      ASSERT_EQ(fp32(got[0], 0, r, c), a + b) << r << ", " << c;
      ASSERT_EQ(fp32(got[0], 1, r, c), a * b) << r << ", " << c;
      ASSERT_EQ(fp32(got[0], 2, r, c), a - b) << r << ", " << c;
    }
  }
}

}  // namespace
}  // namespace tvp::test
