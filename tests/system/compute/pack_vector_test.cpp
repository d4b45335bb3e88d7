// PACK on the vector unit, which it shares with MATH. Both use the same registers, constants and
// macros. Kernels let them compute in turn, without information on what the other has left.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

/// Runs with a 16-bit and a 32-bit Dst.
class PackVector : public testing::TestWithParam<bool> {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/pack_vector");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  static constexpr std::uint32_t kTurns = 4;

  /// Tiles that a kernel with this text leaves in buffer 16, from a and b in buffers 0 and 1.
  std::vector<std::vector<double>> run(const std::string& name, const std::string& before,
                                       const std::string& body, std::uint32_t pages) {
    TileBench::Options options;
    options.fp32_dst = GetParam();
    const auto tile = [](std::uint8_t cb, const Matrix& m) {
      return TileBuffer{cb, DataFormat::Float16_b, 2048, 1, tile16(m)};
    };
    const auto got = bench_->run(name,
                                 "#include \"compute_kernel_api.h\"\n" + before +
                                     "\nvoid kernel_main() {\n"
                                     "  binary_op_init_common(0, 1, 16);\n"
                                     "  copy_tile_to_dst_init_short(0);\n"
                                     "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n"
                                     "  cb_reserve_back(16, " +
                                     std::to_string(pages) + ");\n" + body + "  cb_push_back(16, " +
                                     std::to_string(pages) + ");\n}\n",
                                 {tile(0, a_), tile(1, b_)},
                                 {{16, DataFormat::Float16_b, 2048, pages, {}}}, options)[0];
    std::vector<std::vector<double>> tiles(pages, std::vector<double>(1024));
    for (std::size_t i = 0; i < pages * 1024; ++i) {
      const std::size_t in_tile = i % 1024;
      tiles[i / 1024][in_tile] = static_cast<double>(
          f(from_bf16(datum16(got, i / 1024 * 1024 + place_in_tile(in_tile / 32, in_tile % 32)))));
    }
    return tiles;
  }
  /// MATH and PACK compute on a tile in turn, `times` times; a semaphore passes the unit.
  std::vector<std::vector<double>> take_turns(const std::string& name, const std::string& inits,
                                              const std::string& math, const std::string& pack) {
    return run(
        name, "",
        inits +
            "  PACK((t6_semaphore_init(semaphore::FPU_SFPU, 1, 1)));\n"
            "  for (uint32_t i = 0; i < " +
            std::to_string(kTurns) +
            "; ++i) {\n"
            "    tile_regs_acquire();\n    copy_tile(0, 0, 0);\n"
            "    MATH((t6_semaphore_wait_on_zero<p_stall::STALL_SYNC | p_stall::STALL_SFPU>(\n"
            "        semaphore::FPU_SFPU)));\n"
            "    MATH((t6_semaphore_get<>(semaphore::FPU_SFPU)));\n" +
            math + "    tile_regs_commit();\n    tile_regs_wait();\n" + pack +
            "    PACK((TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU)));\n"
            "    PACK((t6_semaphore_post<p_stall::WAIT_SFPU>(semaphore::FPU_SFPU)));\n"
            "    pack_tile(0, 16);\n    tile_regs_release();\n  }\n",
        kTurns);
  }
  template <typename Expected>
  void check(const std::vector<std::vector<double>>& got, double bound, Expected expected) {
    for (std::size_t tile = 0; tile < got.size(); ++tile) {
      for (std::size_t i = 0; i < 1024; ++i) {
        const double wanted = expected(at(a_, i), at(b_, i));
        ASSERT_NEAR(got[tile][i], wanted, bound * (std::abs(wanted) + 0.05))
            << "tile " << tile << ", " << i / 32 << ", " << i % 32;
      }
    }
  }
  static double at(const Matrix& m, std::size_t i) {
    return static_cast<double>(f(from_bf16(m[i / 32][i % 32])));
  }
  Matrix numbers() {
    std::uniform_real_distribution<float> of(-2, 2);
    return each([&](auto, auto) { return to_bf16(of(random_)); });
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{23};
  Matrix a_ = numbers(), b_ = numbers();
};

/// The exponential of x by Schraudolph's method in 16 bits.
double rough_exp(double x) {
  const double bits = std::round(std::fmax(x, -88.5) * 256 / std::log(2.0) + 32500.818359375);
  return static_cast<double>(f(static_cast<Word>(std::fmin(bits, 65535)) << 15));
}
double gelu(double x) { return x * (1 + std::erf(x / std::sqrt(2.0))) / 2; }

TEST_P(PackVector, TheRoughExponentialBetweenMathsExactOnes) {
  const auto got = take_turns("rough",
                              "  exp_tile_init<false>();\n"
                              "  exp_packthread_tile_init<true, 0x3F000000u>();\n",
                              "    exp_tile<false>(0);\n", "    exp_packthread_tile<true>(0);\n");
  check(got, 0.02, [](double x, double) { return rough_exp(std::exp(x) / 2); });
  double worst = 0;  // relative to the exact value
  for (std::size_t i = 0; i < 1024; ++i)
    worst = std::fmax(worst, std::abs(got[0][i] / std::exp(std::exp(at(a_, i)) / 2) - 1));
  EXPECT_GT(worst, 0.02);
}

TEST_P(PackVector, MathsRoughExponentialBetweenFunctionsOfPack) {
  check(take_turns("gelu", "  exp_tile_init<true>();\n  gelu_tile_init_pack();\n",
                   "    exp_tile<true>(0);\n", "    gelu_tile_pack(0);\n"),
        0.02, [](double x, double) { return gelu(rough_exp(x)); });
}

TEST_P(PackVector, MathsExactExponentialBetweenFunctionsOfPack) {
  check(take_turns("exact_gelu", "  exp_tile_init<false>();\n  gelu_tile_init_pack();\n",
                   "    exp_tile<false>(0);\n", "    gelu_tile_pack(0);\n"),
        0.02, [](double x, double) { return gelu(std::exp(x)); });
}

TEST_P(PackVector, BothHaveTheRoughExponential) {
  check(take_turns("both",
                   "  exp_tile_init<true>();\n  exp_packthread_tile_init<true, 0x3E800000u>();\n",
                   "    exp_tile<true>(0);\n", "    exp_packthread_tile<true>(0);\n"),
        0.02, [](double x, double) { return rough_exp(rough_exp(x) / 4); });
}

TEST_P(PackVector, TheRoughExponentialBetweenMathsOtherMacros) {
  check(take_turns("macros",
                   "  where_tile_init();\n  exp_packthread_tile_init<true, 0x3F000000u>();\n",
                   "    copy_tile_to_dst_init_short(1);\n    copy_tile(1, 0, 1);\n"
                   "    copy_tile_to_dst_init_short(0);\n"
                   "    relu_tile(0);\n    where_tile(0, 0, 1, 0);\n",
                   "    exp_packthread_tile<true>(0);\n"),
        0.02, [](double x, double y) { return rough_exp((x > 0 ? x : y) / 2); });
}

TEST_P(PackVector, FunctionsByTheirLlkNames) {
  check(run("names", "",
            "  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
            "  copy_tile_to_dst_init_short(1);\n  copy_tile(1, 0, 1);\n  tile_regs_commit();\n"
            "  PACK((llk_math_eltwise_unary_sfpu_silu_init<true>()));\n  tile_regs_wait();\n"
            "  PACK((llk_math_eltwise_unary_sfpu_silu<true, false>(0)));\n"
            "  PACK((llk_math_eltwise_binary_sfpu_binop<true, ckernel::BinaryOp::MUL>(0, 1, 0)));\n"
            "  PACK((llk_math_eltwise_unary_sfpu_init<SfpuType::gelu>(\n"
            "      ckernel::sfpu::gelu_init<true, false>)));\n"
            "  PACK((_llk_math_eltwise_unary_sfpu_params_(\n"
            "      ckernel::sfpu::calculate_gelu<true, DST_ACCUM_MODE>, 0, VectorMode::RC)));\n"
            "  PACK((TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU)));\n"
            "  pack_tile(0, 16);\n  tile_regs_release();\n",
            1),
        0.02, [](double x, double y) { return gelu(x / (1 + std::exp(-x)) * y); });
}

TEST_P(PackVector, AFunctionOfTheKernelsOwn) {
  check(run("own",
            "#if defined(TRISC_PACK)\n"
            "template <int kTimes>\n"
            "void own() {\n"
            "  addr_mod_t{.srca = {.incr = 0}, .srcb = {.incr = 0}, .dest = {.incr = 0}}\n"
            "      .set(ADDR_MOD_7);\n"
            "  for (int i = 0; i < 8; ++i) {\n"
            "    vFloat x = dst_reg[0];\n"
            "    v_if(x < 0.0f) { x = -x * static_cast<float>(kTimes); }\n    v_endif;\n"
            "    dst_reg[0] = x + vConst1;\n    dst_reg++;\n  }\n}\n"
            "#endif\n",
            "  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n  tile_regs_commit();\n"
            "  tile_regs_wait();\n"
            "  PACK((_llk_math_eltwise_unary_sfpu_params_(own<3>, 0, VectorMode::RC)));\n"
            "  PACK((TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU)));\n"
            "  pack_tile(0, 16);\n  tile_regs_release();\n",
            1),
        0.01, [](double x, double) { return (x < 0 ? -3 * x : x) + 1; });
}

TEST_P(PackVector, PackingAsManyTilesAsTheInitSays) {
  const auto got = run("tiles", "",
                       "  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
                       "  copy_tile_to_dst_init_short(1);\n  copy_tile(1, 0, 1);\n"
                       "  tile_regs_commit();\n  tile_regs_wait();\n"
                       "  PACK((llk_pack_init<PackMode::Default, false, true, true>(16, 2)));\n"
                       "  pack_tile<true>(0, 16, 1);\n"
                       "  PACK((llk_pack_init<PackMode::Default, false, true, true>(16, 1)));\n"
                       "  pack_tile<true>(1, 16, 0);\n  tile_regs_release();\n",
                       3);
  for (std::size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(got[0][i], at(b_, i));
    ASSERT_EQ(got[1][i], at(a_, i));
    ASSERT_EQ(got[2][i], at(b_, i));
  }
}

INSTANTIATE_TEST_SUITE_P(Dst, PackVector, testing::Bool(),
                         [](const auto& test) { return test.param ? "fp32" : "bf16"; });

}  // namespace
}  // namespace tvp::test
