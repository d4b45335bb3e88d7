// The vector unit in tt-llk's performance test of functions,
// tests/sources/eltwise_unary_sfpu_perf.cpp. The functions list their instructions, so that the
// compiler has no influence. Trees of June 2026.
//
// Silicon: an N300 (tt-metal pull requests 54429, 48696 and 55061, July to September 2026). The
// figures are cycles of a BF16 tile, in 16 rounds of eight. They cover the computing thread, which
// also copies the tile to Dst, or the time from the unpackers' start to the packers' end. No model
// was fitted to them.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/system/published/llk/llk_bench.h"

namespace tvp::test {
namespace {

constexpr unsigned kRounds = 16, kTiles = 8;

/// Names of the vector language that these functions use.
constexpr const char* kNames = R"(#pragma once
#define sfpi_inline inline __attribute__((always_inline))
namespace sfpi {
constexpr unsigned SFPLOADI_MOD0_FLOATB = 0, SFPLOADI_MOD0_UPPER = 8, SFPLOADI_MOD0_LOWER = 10;
}
)";
constexpr const char* kBase = R"(#pragma once
#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_globals.h"
#include "sfpi.h"
#include "sfpu/ckernel_sfpu_load_config.h"
)";

/// A function as that test calls it.
struct Function {
  std::string name, include{}, init{}, tile{};

  std::string header() const {
    return "#pragma once\n#include \"llk_math_eltwise_unary_sfpu_params.h\"\n#include "
           "\"lltt.h\"\n" +
           include + R"(
namespace test_utils {
template <SfpuType, bool, bool, int, bool, bool>
inline void call_unary_sfpu_operation_init() {
  _llk_math_eltwise_unary_sfpu_init_<SfpuType::unused>();
)" + init + R"(
}
template <DstSync, bool, SfpuType, bool, bool, int, bool, bool>
inline void call_unary_sfpu_operation(std::uint32_t index, std::uint32_t) {
  _llk_math_eltwise_sfpu_start_(index);
)" + tile + R"(
  _llk_math_eltwise_sfpu_done_();
}
}
)";
  }
};

std::string times(unsigned count, const std::string& text) {
  std::string made;
  for (unsigned i = 0; i < count; ++i) made += text;
  return made;
}

/// A moving average over the rows of a tile: eight blocks of four rows.
Function average() {
  return {"average", "#include \"sfpu/ckernel_sfpu_ema.h\"\n",
          "ckernel::sfpu::_load_alpha_beta_(0x3e800000, 0x3f400000);"
          "ckernel::sfpu::_clear_previous_output_();",
          "ckernel::sfpu::_calculate_ema_tile_();"};
}
/// The same instructions, with 16 of each block from the replay buffer.
Function replayed_average() {
  const std::string products = times(8, "TTI_SFPMAD(5, 4, 9, 7, 0); TTI_SFPNOP;");
  const auto block = [](const std::string& math) {
    return times(4, "TTI_SFPLOAD(0, 0, 3, 0);") + "TTI_SFPTRANSP(0, 0, 0, 0);" + math +
           "TTI_SFPMOV(0, 3, 4, 0); TTI_SFPTRANSP(0, 0, 0, 0);" +
           times(4, "TTI_SFPSTORE(0, 0, 3, 64);");
  };
  const std::string turn = "TTI_SFPTRANSP(0, 0, 0, 0);";
  return {"replayed average",
          {},
          {},
          turn + block("lltt::record<lltt::Exec>(0, 16);" + products) +
              times(7, block("lltt::replay(0, 16);")) + turn};
}
/// Numbers below zero times a slope, eight vectors in a row: six instructions each.
Function slope() {
  return {"slope",
          {},
          {},
          "TTI_SFPLOADI(2, 10, 0xcccd); TTI_SFPLOADI(2, 8, 0x3dcc);\n#pragma GCC unroll 0\n"
          "for (int i = 0; i < 4; ++i) {" +
              times(8,
                    "TTI_SFPLOAD(0, 0, 3, 0); TTI_SFPSETCC(0, 0, 0, 0); TTI_SFPMUL(0, 2, 9, 0, 0);"
                    "TTI_SFPENCC(0, 0, 0, 0); TTI_SFPSTORE(0, 0, 3, 0); TTI_INCRWC(0, 2, 0, 0);") +
              "}"};
}
/// Straight-line code with `each` instructions for each of 32 vectors, like a sigmoid with a slope
/// table. The measured sigmoid's own instructions are not public.
Function written_out(unsigned each) {
  const std::string text = "TTI_SFPLOAD(0, 0, 3, 0);" + times(each - 2, "TTI_SFPMOV(0, 0, 1, 0);") +
                           "TTI_SFPSTORE(0, 0, 3, 0);";
  return {std::to_string(each) + " a vector", {}, {}, times(32, text)};
}

class PublishedVector : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = LlkBench::of_environment();
    if (!bench_)
      GTEST_SKIP() << "TT_METAL_HOME and TT_LLK_HOME name no trees of tt-metal's and tt-llk's";
  }

  /// `known`: numbers of tiles, rounds and faces are constants (`--speed-of-light`). `share`: ratio
  /// of our time to silicon's.
  void expect(const Function& function, const std::string& run_type, bool known, double silicon,
              double share = 1) {
    const double cycles =
        static_cast<double>(bench_->tile_loop(cell_of(function, run_type, known))) /
        (kRounds * kTiles);
    RecordProperty(function.name + " " + run_type + (known ? " known" : ""),
                   std::to_string(cycles));
    EXPECT_NEAR(cycles / silicon / share, 1, 0.04)
        << function.name << ", " << run_type << ": " << cycles << " cycles, "
        << 100 * (cycles / silicon - 1) << " %";
  }

 private:
  static LlkCell cell_of(const Function& function, const std::string& run_type, bool known) {
    const std::string word = "std::uint32_t";
    LlkCell cell{
        .source = "sources/eltwise_unary_sfpu_perf.cpp",
        .header = {"constexpr bool unpack_to_dest = false;",
                   "constexpr bool is_fp32_dest_acc_en = false;",
                   "constexpr auto SFPU_UNARY_OPERATION = SfpuType::unused;",
                   "constexpr bool APPROX_MODE = false;", "constexpr int ITERATIONS = 32;",
                   "constexpr bool FAST_MODE = false;", "constexpr bool STABLE_SORT = false;"},
        .run_type = run_type,
        .tile_sizes = {128, 128, 128},
        .formats = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
        .parameters = {{word, "TILE_CNT", kTiles},
                       {word, "LOOP_FACTOR", kRounds},
                       {word, "num_faces", 4},
                       {"bool", "UNPACK_TRANSPOSE_FACES", 0},
                       {"bool", "UNPACK_TRANSPOSE_WITHIN_FACE", 0}},
        .headers = {{"sfpi.h", kNames},
                    {"ckernel_sfpu.h", kBase},
                    {"sfpu_operations.h", function.header()}}};
    if (known) {
      for (const char* line :
           {"#define SPEED_OF_LIGHT",
            "constexpr std::uint32_t TILE_CNT = 8, LOOP_FACTOR = 16, num_faces = 4;",
            "constexpr bool UNPACK_TRANSPOSE_FACES = false, UNPACK_TRANSPOSE_WITHIN_FACE = false;",
            "constexpr FormatConfig formats{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};"})
        cell.header.push_back(line);
    }
    return cell;
  }

  std::unique_ptr<LlkBench> bench_;
};

TEST_F(PublishedVector, LoopsThatTheCacheHolds) {
  expect(replayed_average(), "MATH_ISOLATE", true, 247.93);
  expect(replayed_average(), "L1_TO_L1", true, 267.66);
  expect(slope(), "MATH_ISOLATE", false, 225.9);
}

/// A round is 35 to 57 lines of code, with a cache of 32 lines. Silicon takes as long as if no line
/// were cached. Here lines that share no cache set with others stay, and the front end runs two
/// lines ahead.
TEST_F(PublishedVector, LoopsThatItDoesNotHold) {
  expect(average(), "MATH_ISOLATE", true, 320.77, 0.99);
  expect(average(), "L1_TO_L1", true, 338.64, 0.96);
  expect(written_out(4), "MATH_ISOLATE", false, 197.8, 0.785);
  expect(written_out(4), "MATH_ISOLATE", true, 191.0, 0.805);
  expect(written_out(5), "MATH_ISOLATE", false, 261.7, 0.81);
  expect(written_out(5), "MATH_ISOLATE", true, 256.3, 0.82);
}

}  // namespace
}  // namespace tvp::test
