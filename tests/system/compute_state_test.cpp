// What compute kernels leave from one call of the API to the next: products add up in DST, the
// transposition that an init has asked for outlives a change of formats, the fast exponential
// multiplies by the number of its init.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/system/tile_bench.h"
#include "tests/system/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

/// With Dst of 16 bits and of 32.
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
  /// One tile of what `body` leaves in DST, of tiles a and b in buffers 0 and 1.
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

/// What the vector unit makes of x by Schraudolph's method in 16 bits.
double rough_exp(double x) {
  const double bits = std::round(std::fmax(x, -88.5) * 256 / std::log(2.0) + 32500.818359375);
  return static_cast<double>(f(static_cast<Word>(std::fmin(bits, 65535)) << 15));
}

// Arguments as the versions of tt-metal order them; the library's own constants come in between.
TEST_P(ComputeState, TheFastExponentialMultipliesByItsNumber) {
  // Numbers that no BF16 is.
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
      // The first face twice, the last one never.
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

// Versions of tt-metal without a mode take eight vectors, a face, or as many as they say.
TEST_P(ComputeState, AFunctionWithoutModeIsOfOneFace) {
  const auto got = run("one_face",
                       "  copy_tile_to_dst_init_short(0);\n  tile_regs_acquire();\n"
                       "  copy_tile(0, 0, 0);\n  abs_tile(0, VectorMode::None);\n"
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

// Any numbers of 32 bits, if the host says so: else they pass through TF32. A sum of the same
// buffers by the matrix unit comes in between.
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

INSTANTIATE_TEST_SUITE_P(Dst, ComputeState, testing::Bool(),
                         [](const auto& wide) { return wide.param ? "Of32Bits" : "Of16Bits"; });

}  // namespace
}  // namespace tvp::test
