// State that compute kernels keep between calls of the API. Products add up in DST. The
// transposition of an init survives a change of formats. The fast exponential multiplies by the
// number of its init.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

/// Runs with a 16-bit and a 32-bit Dst.
class ComputeState : public testing::TestWithParam<bool> {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/compute_state");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  Matrix numbers(float low, float high) {
    std::uniform_real_distribution<float> of(low, high);
    return each([&](auto, auto) { return to_bf16(of(random_)); });
  }
  /// Returns the tile that `body` leaves in DST, from tiles a and b in buffers 0 and 1.
  std::vector<double> run(const std::string& name, const std::string& body) {
    TileBench::Options options;
    options.fp32_dst = GetParam();
    const auto tile = [](std::uint8_t cb, const Matrix& m) {
      return TileBuffer{cb, DataFormat::Float16_b, 2048, 1, tile16(m)};
    };
    const auto got = bench_->run(name,
                                 "#include \"compute_kernel_api.h\"\n"
                                 "void kernel_main() {\n"
                                 "  binary_op_init_common(0, 1, 16);\n"
                                 "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n" +
                                     body +
                                     "\n  tile_regs_commit();\n  tile_regs_wait();\n"
                                     "  cb_reserve_back(16, 1);\n  pack_tile(0, 16);\n"
                                     "  cb_push_back(16, 1);\n  tile_regs_release();\n}\n",
                                 {tile(0, a_), tile(1, b_)},
                                 {{16, DataFormat::Float16_b, 2048, 1, {}}}, options);
    std::vector<double> values(1024);
    for (std::size_t i = 0; i < 1024; ++i)
      values[i] = static_cast<double>(f(from_bf16(datum16(got[0], place_in_tile(i / 32, i % 32)))));
    return values;
  }
  template <typename Expected>
  static void check(const std::vector<double>& got, double bound, Expected expected) {
    for (std::size_t i = 0; i < 1024; ++i) {
      const double wanted = expected(i / 32, i % 32);
      ASSERT_NEAR(got[i], wanted, bound * (std::abs(wanted) + 1)) << i / 32 << ", " << i % 32;
    }
  }
  static double at(const Matrix& m, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(m[r][c])));
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{17};
  Matrix a_ = numbers(-2, 2), b_ = numbers(-2, 2);
};

constexpr double kRounded = 1.0 / 64;

TEST_P(ComputeState, ProductsAddUp) {
  check(run("products",
            "  mul_tiles_init(0, 1);\n  tile_regs_acquire();\n"
            "  for (int i = 0; i < 3; ++i) mul_tiles(0, 1, 0, 0, 0);\n"
            "  mul_bcast_cols_init_short(0, 1);\n  mul_tiles_bcast_cols(0, 1, 0, 0, 0);\n"),
        4 * kRounded,
        [&](auto r, auto c) { return at(a_, r, c) * (3 * at(b_, r, c) + at(b_, r, 0)); });
}

TEST_P(ComputeState, AProductWithWhatIsInDstTakesItsPlace) {
  check(run("reused",
            "  mul_tiles_init(0, 1);\n  tile_regs_acquire();\n  mul_tiles(0, 1, 0, 0, 0);\n"
            "  binary_dest_reuse_tiles_init<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(0);\n"
            "  binary_dest_reuse_tiles<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(0, 0, "
            "0);\n"),
        2 * kRounded, [&](auto r, auto c) { return at(a_, r, c) * at(a_, r, c) * at(b_, r, c); });
}

TEST_P(ComputeState, TranspositionOutlivesAChangeOfFormats) {
  check(run("transposition",
            "  mm_block_init_short(0, 1, 1, 1, 1, 1);\n  reconfig_data_format(1, 0);\n"
            "  tile_regs_acquire();\n  matmul_block(0, 1, 0, 0, 0, 1, 1, 1, 1);\n"),
        4 * kRounded, [&](auto r, auto c) {
          double sum = 0;
          for (std::size_t i = 0; i < 32; ++i) sum += at(a_, r, i) * at(b_, c, i);
          return sum;
        });
}

// Each call records the vector unit's program again; the product's program is recorded once.
TEST_P(ComputeState, AProductOutlivesFunctionsOfTheVectorUnit) {
  const std::string product = "  matmul_tiles(0, 1, 0, 0, 0, 0);\n";
  const std::string next =
      "  tile_regs_commit();\n  tile_regs_wait();\n  tile_regs_release();\n"
      "  tile_regs_acquire();\n";
  std::string body = "  mm_init(0, 1, 16);\n  tile_regs_acquire();\n";
  for (const char* function : {"exp", "silu", "sigmoid", "tanh", "log", "rsqrt", "sin"})
    body += product + "  " + function + "_tile_init();\n  " + function + "_tile(0);\n" + next;
  check(run("outlives", body + product + "  sigmoid_tile(0);\n"), kRounded, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t i = 0; i < 32; ++i) sum += at(a_, r, i) * at(b_, i, c);
    return 1 / (1 + std::exp(-sum));
  });
}

// The kernel's own program is in the second half of the buffer: x + 1, in each of 32 vectors.
TEST_P(ComputeState, AKernelsProgramOutlivesFunctionsOfTheVectorUnit) {
  const std::string mode = GetParam() ? "3" : "2";
  check(run("own_replay",
            "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
            "  sigmoid_tile_init();\n"
            "  MATH((TTI_REPLAY(16, 3, 0, 1)));\n"
            "  MATH((TTI_SFPLOAD(0, " +
                mode +
                ", 3, 0)));\n"
                "  MATH((TTI_SFPADDI(0x3F80, 0, 0)));\n  MATH((TTI_SFPNOP));\n"
                "  sigmoid_tile(0);\n  MATH((TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::MATH)));\n"
                "  MATH((TTI_SETRWC(0, 0, 0, 0, 0, 0xF)));\n"
                "  for (int i = 0; i < 32; ++i) {\n    MATH((TTI_REPLAY(16, 3, 0, 0)));\n"
                "    MATH((TTI_SFPSTORE(0, " +
                mode +
                ", 3, 0)));\n"
                "    MATH((TTI_INCRWC(0, 2, 0, 0)));\n  }\n"),
        kRounded, [&](auto r, auto c) { return 1 + 1 / (1 + std::exp(-at(a_, r, c))); });
}

// The scalar unit moves words within L1, with offsets in halves of registers that it increments.
TEST_P(ComputeState, TheScalarUnitCopiesWordsOfATile) {
  TileBench::Options options;
  options.fp32_dst = GetParam();
  const auto got = bench_->run("scalar_copy",
                               R"(#include "compute_kernel_api.h"
void kernel_main() {
  constexpr uint32_t kFrom = 5, kFromBase = 6, kTo = 7, kToBase = 8, kData = 9;
  unary_op_init_common(0, 16);
  cb_wait_front(0, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  PACK((TTI_STALLWAIT(p_stall::STALL_THCON, p_stall::PACK)));
#if COMPILE_FOR_TRISC == 2
  const uint32_t base = get_local_cb_interface(16).fifo_wr_ptr;
  for (const uint32_t reg : {kFromBase, kToBase}) {
    TT_SETDMAREG(0, LOWER_HALFWORD(base), 0, LO_16(reg));
    TT_SETDMAREG(0, UPPER_HALFWORD(base), 0, HI_16(reg));
  }
  TTI_SETDMAREG(0, 8, 0, LO_16(kFrom));
  TTI_SETDMAREG(0, 200, 0, HI_16(kTo));
  for (int i = 0; i < 3; ++i) {
    TTI_LOADIND(p_ind::LD_32bit, LO_16(kFrom), p_ind::INC_4B, kData, kFromBase);
    TTI_STALLWAIT(p_stall::STALL_THCON, p_stall::THCON);
    TTI_STOREIND(p_ind::HIER_L1, 0, p_ind::LD_32bit, HI_16(kTo), p_ind::INC_4B, kData, kToBase);
  }
  TTI_STALLWAIT(p_stall::STALL_THCON, p_stall::THCON);
#endif
  cb_push_back(16, 1);
  tile_regs_release();
}
)",
                               {TileBuffer{0, DataFormat::Float16_b, 2048, 1, tile16(a_)}},
                               {{16, DataFormat::Float16_b, 2048, 1, {}}}, options);
  const auto original = tile16(a_);
  for (std::size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(datum16(got[0], i), datum16(original, i >= 100 && i < 106 ? i - 96 : i)) << i;
}

/// The exponential of x by Schraudolph's method in 16 bits.
double rough_exp(double x) {
  const double bits = std::round(std::fmax(x, -88.5) * 256 / std::log(2.0) + 32500.818359375);
  return static_cast<double>(f(static_cast<Word>(std::fmin(bits, 65535)) << 15));
}

// Arguments have the order of each tt-metal version. The library's constants are set in between.
TEST_P(ComputeState, TheFastExponentialMultipliesByItsNumber) {
  // Numbers that BF16 cannot represent.
  for (const float factor : {0.0883883F, -40.0F, 31.7F}) {
    const std::string scale = std::to_string(w(factor)) + "u";
    const std::string name = "exp_" + scale;
    const std::string with_clamping = "exp_tile_init<true, " + scale + ", InputClamping::None>();";
    const auto once = [&](const std::string& init, const std::string& function) {
      return "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n "
             " " +
             init + "\n  " + function + "\n";
    };
    for (const std::string& code :
         {once("exp_tile_init<true, true, " + scale + ">();", "exp_tile<true, true>(0);"),
          once("exp_tile_init<1u, 1, " + scale + ">();", "abs_tile(1); exp_tile<1u>(0);"),
          once(with_clamping,
               "exp_tile<true, false, InputClamping::None, 32>(0, VectorMode::None);"),
          once(with_clamping,
               "exp_tile<true, false, InputClamping::None, 8>(0, VectorMode::C);"
               "  exp_tile<true, false, InputClamping::None>(0, VectorMode::R);")}) {
      // Computes the first face twice and the last one never.
      const bool in_parts = code.find("VectorMode::R") != std::string::npos;
      const auto got = run(name + std::to_string(std::hash<std::string>()(code)), code);
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 32; ++c) {
          const double x = at(a_, r, c);
          const double operand = static_cast<double>(factor) * x;
          double expected = rough_exp(operand);
          double bound = 1.0 / 100;  // a step of the 16 bits, and BF16
          if (in_parts && r < 16 && c < 16) {
            const double again = static_cast<double>(factor) * expected;
            expected = rough_exp(again);
            bound += std::fabs(again) / 100;
          }
          if (in_parts && r >= 16 && c >= 16) expected = x;
          if (bound > 1 || !(expected < 1e38)) continue;
          ASSERT_NEAR(got[r * 32 + c], expected, std::fabs(expected) * bound + 1e-37)
              << code << factor << " times " << x;
        }
      }
    }
    const auto plain =
        run(name + "_plain", once("exp_tile_init<true, true, " + scale +
                                      ">(); exp_tile_init<false, true, " + scale + ">();",
                                  "exp_tile(0);"));
    for (std::size_t i = 0; i < 1024; ++i) {
      const double x = at(a_, i / 32, i % 32);
      ASSERT_NEAR(plain[i], std::exp(x), std::exp(x) / 128) << x;
    }
  }
}

// Versions of tt-metal without a mode compute eight vectors, a face, or a given number. A mode
// without faces does the same.
TEST_P(ComputeState, AFunctionWithoutModeIsOfOneFace) {
  for (const std::string mode : {"None", "RC_custom"}) {
    const auto got = run("one_face_" + mode,
                         "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n"
                         "  copy_tile(0, 0, 0);\n  abs_tile(0, VectorMode::" +
                             mode +
                             ");\n"
                             "  exp_tile_init();\n  exp_tile<false, true, false, false, 16>(0, "
                             "VectorMode::None);\n");
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        const double x = at(a_, r, c);
        double expected = x;
        if (r < 16) expected = std::exp(c < 16 ? std::fabs(x) : x);
        ASSERT_NEAR(got[r * 32 + c], expected, std::fabs(expected) / 100) << r << "," << c;
      }
    }
  }
}

// If the host enables it, 32-bit numbers stay exact; otherwise they pass through TF32. A sum of the
// same buffers on the matrix unit comes in between.
TEST_P(ComputeState, NumbersOf32BitsReachDstWhole) {
  if (!GetParam()) GTEST_SKIP() << "DST has 16 bits";
  const auto numbers32 = [&] {
    return each([&](auto, auto) -> Word {
      return static_cast<Word>(random_() & 0x81FFFFFF) | 0x3E000000;  // 1/8 to 2, of either sign
    });
  };
  const Matrix a = numbers32(), b = numbers32();
  for (const bool whole : {true, false}) {
    TileBench::Options options;
    options.fp32_dst = true;
    options.fp32_to_dst = whole;
    const auto got = bench_->run(
        whole ? "whole" : "not_whole",
        "#include \"compute_kernel_api.h\"\n"
        "void out(uint32_t tiles) {\n"
        "  tile_regs_commit();\n  tile_regs_wait();\n  cb_reserve_back(16, tiles);\n"
        "  for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, 16);\n"
        "  cb_push_back(16, tiles);\n  tile_regs_release();\n}\n"
        "void kernel_main() {\n"
        "  binary_op_init_common(0, 1, 16);\n"
        "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n"
        "  for (int i = 0; i < 2; ++i) {\n"
        "    copy_tile_init(0);\n    tile_regs_acquire();\n    copy_tile(0, 0, 1);\n"
        "    copy_tile_to_dst_init_short_with_dt(0, 1);\n    copy_tile(1, 0, 0);\n    out(2);\n"
        "    add_tiles_init(0, 1);\n    tile_regs_acquire();\n    add_tiles(0, 1, 0, 0, 0);\n"
        "    out(1);\n  }\n}\n",
        {{0, DataFormat::Float32, 4096, 1, tile32(a)},
         {1, DataFormat::Float32, 4096, 1, tile32(b)}},
        {{16, DataFormat::Float32, 4096, 6, {}}}, options);
    for (std::size_t i = 0; i < 6; i += 3) {
      const Matrix second = matrix(got[0], i), first = matrix(got[0], i + 1),
                   sum = matrix(got[0], i + 2);
      const Word mask = whole ? 0xFFFFFFFF : 0xFFFFE000;
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 32; ++c) {
          ASSERT_EQ(first[r][c], a[r][c] & mask) << whole << " " << r << ", " << c;
          ASSERT_EQ(second[r][c], b[r][c] & mask) << whole << " " << r << ", " << c;
          ASSERT_NEAR(f(sum[r][c]), f(a[r][c]) + f(b[r][c]), 1.0F / 256);
        }
      }
    }
  }
}

// MATH alone changes its operation after the start has configured UNPACK for both operands.
TEST_P(ComputeState, MathChangesItsOperationAlone) {
  const auto numbers = [&] {
    return each(
        [&](auto, auto) -> Word { return static_cast<Word>(random_() & 0x81FF0000) | 0x3E000000; });
  };
  const Matrix a = numbers(), b = numbers();
  TileBench::Options options;
  options.fp32_dst = GetParam();
  const auto got = bench_->run(
      "math_alone",
      "#include \"compute_kernel_api.h\"\n"
      "void kernel_main() {\n"
      "  binary_op_init_common(0, 1, 16);\n"
      "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n  tile_regs_acquire();\n"
      "  sub_tiles_init_nof();\n  sub_tiles(0, 1, 0, 0, 0);\n"
      "  add_tiles_init_nof();\n  add_tiles(0, 1, 0, 0, 1);\n"
      "  tile_regs_commit();\n  tile_regs_wait();\n  cb_reserve_back(16, 2);\n"
      "  pack_tile(0, 16);\n  pack_tile(1, 16);\n  cb_push_back(16, 2);\n"
      "  tile_regs_release();\n}\n",
      {{0, DataFormat::Float32, 4096, 1, tile32(a)}, {1, DataFormat::Float32, 4096, 1, tile32(b)}},
      {{16, DataFormat::Float32, 4096, 2, {}}}, options);
  const float tolerance = GetParam() ? 1.0F / 256 : 1.0F / 64;
  const Matrix difference = matrix(got[0], 0), sum = matrix(got[0], 1);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      ASSERT_NEAR(f(difference[r][c]), f(a[r][c]) - f(b[r][c]), tolerance) << r << ", " << c;
      ASSERT_NEAR(f(sum[r][c]), f(a[r][c]) + f(b[r][c]), tolerance) << r << ", " << c;
    }
  }
}

// While MATH fills the other half of DST, PACK computes three tiles, each with another call.
TEST_P(ComputeState, PackComputesActivations) {
  TileBench::Options options;
  options.fp32_dst = GetParam();
  struct Activation {
    const char* init;
    const char* call;
    double (*of)(double);
    double bound = kRounded;
  };
  const Activation activations[] = {
      {"silu_tile_init_pack()", "silu_tile_pack(0)", [](double x) { return x / (1 + exp(-x)); }},
      {"tanh_tile_init_pack<true>()", "tanh_tile_pack<true>(0)", [](double x) { return tanh(x); }},
      {"gelu_tile_init_pack<false>()", "gelu_tile_pack<false>(0)",
       [](double x) { return x * erfc(-x * sqrt(0.5)) / 2; }},
      {"sigmoid_tile_init_pack<false>()", "sigmoid_tile_pack<VectorMode::RC, false>(0)",
       [](double x) { return 1 / (1 + exp(-x)); }},
      {"hardsigmoid_tile_init_pack()", "hardsigmoid_tile_pack(0)",
       [](double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }},
      {"relu_max_tile_init_pack()", "relu_max_tile_pack(0, 0x3F800000)",
       [](double x) { return std::clamp(x, 0.0, 1.0); }},
      {"hardtanh_tile_init_pack()", "hardtanh_tile_pack(0, 0xBF000000, 0x3F800000)",
       [](double x) { return std::clamp(x, -0.5, 1.0); }},
      {"selu_tile_init_pack()", "selu_tile_pack(0, 0x3F800000, 0x40000000)",
       [](double x) { return x > 0 ? x : 2 * expm1(x); }},
      {"softplus_tile_init_pack()", "softplus_tile_pack(0, 0x40000000, 0x3F000000, 0x41A00000)",
       [](double x) { return log1p(exp(2 * x)) / 2; }},
      {"exp_packthread_tile_init<true, 0x40000000u, InputClamping::None>()",
       "exp_packthread_tile<true, false, InputClamping::None, 32>(0, VectorMode::None)",
       [](double x) { return exp(2 * x); }, 0.04},
      {"exp_packthread_tile_init<false>()", "exp_packthread_tile<false>(0)",
       [](double x) { return exp(x); }},
  };
  for (std::size_t first = 0; first + 2 < std::size(activations); first += 2) {
    std::string text =
        "#include \"compute_kernel_api.h\"\nvoid kernel_main() {\n"
        "  init_sfpu(0, 16);\n  cb_wait_front(0, 1);\n";
    for (std::size_t i = first; i < first + 3; ++i)
      text += std::string("  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n") +
              "  tile_regs_commit();\n  " + activations[i].init +
              ";\n  PACK(TTI_SEMWAIT(p_stall::STALL_TDMA | p_stall::STALL_CFG,"
              " semaphore::t6_sem(semaphore::MATH_PACK), p_stall::STALL_ON_ZERO));\n"
              "  PACK(TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32,"
              " ckernel::packer::get_packer_dest_offset()));\n  " +
              activations[i].call +
              ";\n  PACK(TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU));\n"
              "  cb_reserve_back(16, 1);\n  pack_tile(0, 16);\n  cb_push_back(16, 1);\n"
              "  tile_regs_release();\n";
    const auto got = bench_->run("pack_activations_" + std::to_string(first), text + "}\n",
                                 {{0, DataFormat::Float16_b, 2048, 1, tile16(a_)}},
                                 {{16, DataFormat::Float16_b, 2048, 3, {}}}, options);
    for (std::size_t i = 0; i < 3 * 1024; ++i) {
      const Activation& activation = activations[first + i / 1024];
      const std::size_t r = i / 32 % 32, c = i % 32;
      const double wanted = activation.of(at(a_, r, c));
      ASSERT_NEAR(
          static_cast<double>(f(from_bf16(datum16(got[0], i / 1024 * 1024 + place_in_tile(r, c))))),
          wanted, activation.bound * (std::abs(wanted) + 0.05))
          << activation.call << " " << r << ", " << c;
    }
  }
}

// Two flags have two meanings; a number that is no flag distinguishes them.
TEST_P(ComputeState, ExponentialsMultiplyByWhatACallSays) {
  const auto expected = [&](double factor) {
    return [this, factor](auto r, auto c) { return std::exp(factor * at(a_, r, c)); };
  };
  const std::string begin =
      "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
      "  exp_tile_init<false>();\n";
  check(run("exp_scaled", begin + "  exp_tile<false, true>(0, VectorMode::RC, 0xBF80);\n"),
        kRounded, expected(-1));
  check(run("exp_not_scaled", begin + "  exp_tile<false, true>(0);\n"), kRounded, expected(1));
}

// Each thread separately: a column repeated through SrcB, and a sum that continues on top of a
// copy.
TEST_P(ComputeState, ThreadsDoTheirShareByLlkNames) {
  check(run("copy_from_b",
            "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
            "  reconfig_data_format_srcb(1);\n"
            "  UNPACK((llk_unpack_A_init<BroadcastType::COL, false,"
            " EltwiseBinaryReuseDestType::NONE, false>(false, false, 1)));\n"
            "  MATH((llk_math_eltwise_unary_datacopy_init<DataCopyType::B2D, DST_ACCUM_MODE,"
            " BroadcastType::COL>(1)));\n"
            "  UNPACK((llk_unpack_A<BroadcastType::COL>(1, 0)));\n"
            "  MATH((llk_math_eltwise_unary_datacopy<DataCopyType::B2D>(0)));\n"),
        0, [&](auto r, auto) { return at(b_, r, 0); });
  b_ = each([](auto, auto) { return to_bf16(1); });
  const std::string sum = "<PoolType::SUM, ReduceDim::REDUCE_COL";
  const auto got =
      run("sum_again", "  reduce_init" + sum +
                           ">(0, 1, 16);\n"
                           "  tile_regs_acquire();\n  copy_tile_to_dst_init_short(0);\n"
                           "  copy_tile(0, 0, 0);\n"
                           "  PACK((llk_pack_reduce_mask_clear()));\n"
                           "  UNPACK((llk_unpack_AB_reduce_init" +
                           sum + ">(0, 1)));\n  MATH((llk_math_reduce_init" + sum +
                           ", DST_ACCUM_MODE, MATH_FIDELITY>()));\n"
                           "  UNPACK((llk_unpack_AB_reduce" +
                           sum + ">(0, 1, 0, 0)));\n  reduce_tile_math" + sum +
                           ">(0);\n"
                           "  PACK((llk_pack_reduce_mask_config<ReduceDim::REDUCE_COL,"
                           " PackMode::Default>(16)));\n");
  check(got, 2 * kRounded, [&](auto r, auto c) {
    double total = 0;
    for (std::size_t i = 0; i < 32; ++i) total += at(a_, i, c);
    return r == 0 ? total + at(a_, 0, c) : 0;
  });
}

TEST_P(ComputeState, NamesOfJune2026) {
  const std::string begin =
      "  tile_regs_acquire();\n  copy_tile_to_dst_init_short(0);\n"
      "  copy_tile(0, 0, 0);\n";
  check(run("call_mode", begin + "  MATH(SFPU_CALL_MODE(DST_SYNC_MODE, DST_ACCUM_MODE,"
                                 " calculate_binop_with_scalar, (APPROX, RSUB_UNARY, 8), RC, 0,"
                                 " 0x3F800000));\n"),
        kRounded, [&](auto r, auto c) { return 1 - at(a_, r, c); });
  check(run("relu_config", begin + "  PACK((llk_pack_relu_config(ReluConfig::zero())));\n"), 0,
        [&](auto r, auto c) { return std::max(at(a_, r, c), 0.0); });
  check(run("relu_none", begin + "  PACK((llk_pack_relu_config(ReluConfig::none())));\n"), 0,
        [&](auto r, auto c) { return at(a_, r, c); });
  check(run("zeroacc", begin + "  MATH((ckernel::zeroacc()));\n"), 0,
        [&](auto, auto) { return 0.0; });
  b_ = each([](auto, auto) { return to_bf16(1); });
  check(run("block_max",
            "  reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(0, 1, 16);\n"
            "  reduce_block_max_row_init_runtime(16, 1);\n  tile_regs_acquire();\n"
            "  reduce_block_max_row_runtime(0, 1, 0, 0);\n"),
        0, [&](auto r, auto c) {
          double most = at(a_, r, 0);
          for (std::size_t i = 1; i < 32; ++i) most = std::max(most, at(a_, r, i));
          return c == 0 ? most : 0;
        });
}

TEST_P(ComputeState, FastUntilizeGivesRows) {
  TileBench::Options options;
  options.fp32_dst = GetParam();
  auto two = tile16(a_);
  const auto second = tile16(b_);
  two.insert(two.end(), second.begin(), second.end());
  const auto got = bench_->run("fast_untilize",
                               "#include \"api/compute/experimental/fast_untilize.h\"\n"
                               "void kernel_main() {\n"
                               "  compute_kernel_hw_startup(0, 16);\n  cb_wait_front(0, 2);\n"
                               "  cb_reserve_back(16, 2);\n"
                               "  fast_untilize_init<2>(0, 16);\n"
                               "  fast_untilize_block<2>(0, 16);\n"
                               "  fast_untilize_uninit<2>(16);\n  cb_push_back(16, 2);\n}\n",
                               {{0, DataFormat::Float16_b, 2048, 2, two}},
                               {{16, DataFormat::Float16_b, 2048, 2, {}}}, options);
  for (std::size_t i = 0; i < 2048; ++i) {
    const Matrix& from = i % 64 < 32 ? a_ : b_;
    ASSERT_EQ(datum16(got[0], i), from[i / 64][i % 32]) << i;
  }
}

// Rows of two buffers, one with 32 bits, become tiles in Dst. The packers take two tiles per call,
// then one, then the second one as rows again.
TEST_P(ComputeState, RowsBecomeTilesInDst) {
  const char* const text = R"(
#include "compute_kernel_api/pack.h"
#include "compute_kernel_api/pack_untilize.h"
#include "compute_kernel_api/tilize.h"
void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  cb_wait_front(0, 2);
  cb_wait_front(1, 2);
  cb_reserve_back(16, 3);
  cb_reserve_back(17, 1);
  tile_regs_acquire();
  tilize_init_short_with_dt_no_pack(1, 0, 2);
  tilize_block_no_pack(0, 1, 0);
  tilize_block_no_pack(0, 1, 1, 1);
  tilize_uninit_with_dt_no_pack(0, 1);
  tilize_init_short_with_dt_no_pack(0, 1, 2);
  tilize_block_no_pack(1, 2, 2);  // the second in the place of the first
  tilize_uninit_with_dt_no_pack(1, 0);
  tile_regs_commit();
  tile_regs_wait();
  PACK((llk_pack_mop_config<false, false, false>(16, 2)));
  pack_tile<true>(0, 16, 0);
  PACK((llk_pack_mop_config<false, false, false>(16)));
  pack_tile<true>(2, 16, 2);
  pack_untilize_dest_init<1>(17);
  pack_untilize_dest<1, 1, false, false, TILE_C_DIM, 1>(17);
  pack_untilize_uninit(17);
  tile_regs_release();
  cb_push_back(16, 3);
  cb_push_back(17, 1);
}
)";
  TileBench::Options options;
  options.fp32_dst = GetParam();
  std::vector<std::uint32_t> halves(1024), words(2048);
  for (std::size_t i = 0; i < 2048; ++i) {
    const std::size_t row = i / 64, column = i % 32;
    const bool first = i % 64 < 32;
    set_datum16(halves, i, (first ? a_ : b_)[row][column]);
    words[i] = (first ? b_ : a_)[row][column] << 16;
  }
  const auto got = bench_->run(
      "rows_to_dst", text,
      {{0, DataFormat::Float16_b, 2048, 2, halves}, {1, DataFormat::Float32, 4096, 2, words}},
      {{16, DataFormat::Float16_b, 2048, 3, {}}, {17, DataFormat::Float16_b, 2048, 1, {}}},
      options);
  for (std::size_t tile = 0; tile < 3; ++tile) {
    const Matrix& from = tile == 1 ? b_ : a_;
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        ASSERT_EQ(datum16(got[0], 1024 * tile + place_in_tile(r, c)), from[r][c])
            << tile << ": " << r << ", " << c;
  }
  for (std::size_t i = 0; i < 1024; ++i) ASSERT_EQ(datum16(got[1], i), b_[i / 32][i % 32]) << i;
}

INSTANTIATE_TEST_SUITE_P(Dst, ComputeState, testing::Bool(),
                         [](const auto& wide) { return wide.param ? "Of32Bits" : "Of16Bits"; });

}  // namespace
}  // namespace tvp::test
