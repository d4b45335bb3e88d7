// Functions of June 2026 in compute kernels that are new or have changed: threads that are
// configured again, geometries of faces, functions of faces on either of two threads.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

class NamesOfJune : public testing::Test {
 protected:
  NamesOfJune() : bench_(TVP_KERNEL_FOLDER "/names_of_june") {}
  Words numbers(std::size_t tiles, float low, float top) {
    std::uniform_real_distribution<float> of(low, top);
    Words made(512 * tiles);
    for (std::size_t i = 0; i < 1024 * tiles; ++i) set_datum16(made, i, to_bf16(of(random_)));
    return made;
  }
  static TileBuffer in(std::uint8_t cb, const Words& words) {
    return {cb, DataFormat::Float16_b, 2048, static_cast<std::uint32_t>(words.size() / 512), words};
  }
  static TileBuffer out(std::uint32_t tiles) {
    return {16, DataFormat::Float16_b, 2048, tiles, {}};
  }
  static double at(const Words& words, std::size_t i) {
    return static_cast<double>(f(from_bf16(datum16(words, i))));
  }
  static double at(const Words& words, std::size_t tile, std::size_t r, std::size_t c) {
    return at(words, 1024 * tile + place_in_tile(r, c));
  }

  TileBench bench_;
  std::mt19937 random_{606};
};

// Each step leaves the other half of Dst to the packers, which are configured separately.
TEST_F(NamesOfJune, ThreadsThatAreConfiguredAgainKeepTheirHalves) {
  const Words a = numbers(5, -4, 4);
  const auto got = bench_.run("again", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/llk/llk_threads.h"
#include "api/compute/tile_move_copy.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  for (uint32_t i = 0; i < 5; ++i) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
    PACK((llk_pack_hw_configure<DST_ACCUM_MODE>(16)));
  }
}
)",
                              {in(0, a)}, {out(5)});
  EXPECT_EQ(got[0], a);
}

TEST_F(NamesOfJune, ASumOfProductsNamesItsBuffer) {
  const Words a = numbers(3, -1, 2), b = numbers(3, -1, 2);
  TileBench::Options options;
  options.runtime_args = {3};
  const auto got = bench_.run("sum", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/experimental/mul_reduce_scalar.h"
void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  compute_kernel_hw_startup(0, 1, 16);
  cb_wait_front(0, tiles);
  cb_wait_front(1, tiles);
  cb_reserve_back(16, 1);
  mul_reduce_scalar_init(0, 1);
  tile_regs_acquire();
  mul_reduce_scalar_tile<PoolType::SUM>(0, 1, 16, tiles);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  mul_reduce_scalar_uninit();
}
)",
                              {in(0, a), in(1, b)}, {out(1)}, options);
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < 3072; ++i) {
    sum += at(a, i) * at(b, i);
    size += std::abs(at(a, i) * at(b, i));
  }
  EXPECT_NEAR(at(got[0], 0), sum, size / 256);
}

// With four arguments, the fourth is the first tile, since faces are those of the buffer.
TEST_F(NamesOfJune, RowsFromASecondTileOfDst) {
  const Words a = numbers(2, -4, 4);
  const auto got = bench_.run("rows", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/tile_move_copy.h"
void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  copy_tile_init(0);
  pack_untilize_dest_init<1, 1>(16);
  cb_wait_front(0, 2);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  tile_regs_commit();
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_untilize_dest<1, 1>(16, 1, 0, 1);
  tile_regs_release();
  cb_push_back(16, 1);
  pack_untilize_uninit(16);
}
)",
                              {in(0, a)}, {out(1)});
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      ASSERT_EQ(at(got[0], 32 * r + c), at(a, 1, r, c)) << r << ", " << c;
}

// Column 0 of tiles, where attention keeps its statistics.
TEST_F(NamesOfJune, FunctionsOfFirstColumns) {
  const Words a = numbers(5, 0.5F, 3);
  const auto got = bench_.run("columns", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"
#if defined(TRISC_MATH) || defined(TRISC_PACK)
#include "experimental/llk_sfpu/ckernel_sfpu_sdpa.h"
#endif
void put(uint32_t tiles) {
  tile_regs_commit();
  cb_reserve_back(16, tiles);
  tile_regs_wait();
  for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, 16);
  tile_regs_release();
  cb_push_back(16, tiles);
}
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 5);
  tile_regs_acquire();
  for (uint32_t i = 0; i < 3; ++i) copy_tile(0, i, i);
  MATH((SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_recip_first_column, (false), 0,
                        VectorMode::C)));
  MATH((SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_exponential_first_column,
                        (false, 0xBF80), 1, VectorMode::C)));
  MATH((SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE,
                                         calculate_softplus_first_column, 2, VectorMode::C,
                                         0x3F800000, 0x3F800000, 0x41A00000)));
  put(3);
  tile_regs_acquire();
  for (uint32_t i = 0; i < 5; ++i) copy_tile(0, i, i);
  MATH((SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE,
                                         calculate_fused_max_sub_exp_add_tile, 0, VectorMode::C,
                                         0x3F80)));
  put(4);
}
)",
                              {in(0, a)}, {out(7)});
  for (std::size_t r = 0; r < 32; ++r) {
    const auto near = [&](std::size_t tile, double wanted) {
      EXPECT_NEAR(at(got[0], tile, r, 0), wanted, 0.01 * std::abs(wanted)) << tile << ", row " << r;
    };
    const auto x = [&](std::size_t tile) { return at(a, tile, r, 0); };
    near(0, 1 / x(0));
    near(1, std::exp(-x(1)));
    near(2, std::log1p(std::exp(x(2))));
    const double most = std::max(x(0), x(1));
    const double first = std::exp(x(0) - most), second = std::exp(x(1) - most);
    near(3, first);
    near(4, second);
    near(5, most);
    near(6, first * x(3) + second * x(4));
    // Odd columns stay unchanged.
    EXPECT_EQ(at(got[0], 0, r, 1), at(a, 0, r, 1)) << r;
  }
}

TEST_F(NamesOfJune, FunctionsOfFacesOnEitherThread) {
  const Words a = numbers(2, -3, 3);
  for (const char* const thread : {"MATH", "PACK"}) {
    TileBench::Options options;
    options.defines = {{"ON(x)", std::string(thread) + "(x)"}};
    const auto got = bench_.run("faces", R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"
#include "ckernel_sfpu_binary.h"
#include "ckernel_sfpu_sigmoid.h"
#include "ckernel_sfpu_silu.h"
#include "llk_math_eltwise_binary_sfpu_macros.h"
#include "llk_math_eltwise_unary_sfpu_macros.h"
void functions() {
  ON((SFPU_UNARY_INIT_FN(silu, sfpu::silu_init, (true))));
  ON((SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_silu, (false, 8), 0,
                      VectorMode::RC)));
  ON((SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_sigmoid, (true, false, 8), 1,
                      VectorMode::RC)));
  ON((SFPU_BINARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_sfpu_binary,
                       (true, ckernel::BinaryOp::MUL, 8), 0, 1, 2, VectorMode::RC)));
  ON((SFPU_BINARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_sfpu_binary,
                       (true, ckernel::BinaryOp::DIV, 8), 0, 1, 3, VectorMode::RC)));
}
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 2);
  tile_regs_acquire();
  for (uint32_t i = 0; i < 4; ++i) copy_tile(0, i % 2, i);
  MATH((functions()));
  tile_regs_commit();
  cb_reserve_back(16, 4);
  tile_regs_wait();
  PACK((functions()));
  PACK(TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU));
  for (uint32_t i = 0; i < 4; ++i) pack_tile(i, 16);
  tile_regs_release();
  cb_push_back(16, 4);
}
)",
                                {in(0, a)}, {out(4)}, options);
    for (std::size_t i = 0; i < 1024; ++i) {
      const double x = at(a, i), silu = x / (1 + std::exp(-x));
      const double sigmoid = 1 / (1 + std::exp(-at(a, 1024 + i)));
      const double wanted[] = {silu, sigmoid, silu * sigmoid, silu / sigmoid};
      for (std::size_t tile = 0; tile < 4; ++tile)
        ASSERT_NEAR(at(got[0], 1024 * tile + i), wanted[tile],
                    0.01 * (std::abs(wanted[tile]) + 0.01))
            << thread << ", function " << tile << ", datum " << i;
    }
  }
}

/// Tiles go from BF16 to FP32 and back, with the call that announces new shapes.
TEST_F(NamesOfJune, PackersAreToldThatShapesMayChange) {
  const Words a = numbers(1, -4, 4);
  const auto got = bench_.run("shapes", R"(
#include "api/compute/common.h"
void pack_to(uint32_t cb) {
  cb_reserve_back(cb, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, cb);
  tile_regs_release();
  cb_push_back(cb, 1);
}
void kernel_main() {
  unary_op_init_common(0, 16);
  cb_wait_front(0, 1);
  pack_to(16);
  pack_reconfig_data_format<true>(17);
  pack_to(17);
  pack_reconfig_data_format<true>(17, 16);
  pack_to(16);
  cb_pop_front(0, 1);
}
)",
                              {in(0, a)}, {out(2), {17, DataFormat::Float32, 4096, 1, {}}});
  for (std::size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(at(got[0], i), at(a, i)) << i;
    ASSERT_EQ(static_cast<double>(f(got[1][i])), at(a, i)) << i;
    ASSERT_EQ(at(got[0], 1024 + i), at(a, i)) << i;
  }
}

}  // namespace
}  // namespace tvp::test
