// Results of tt-llk's tests with their own boot code, compared with loops (tree of June 2026).

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/system/benches/tile_matrix.h"
#include "tests/system/published/llk/llk_bench.h"

namespace tvp::test {
namespace {

constexpr std::uint32_t kBf16 = 5, kA = 0x21000, kB = 0x31000, kResult = 0x41000, kTile = 2048;
const std::string kWord = "std::uint32_t";

class PublishedLlkResults : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = LlkBench::of_environment();
    if (!bench_)
      GTEST_SKIP() << "TT_METAL_HOME and TT_LLK_HOME name no trees of tt-metal's and tt-llk's";
  }
  Words random(std::size_t tiles) {
    Words words(tiles * 512);
    std::uniform_real_distribution<float> of(-2, 2);
    for (std::size_t i = 0; i < 2 * words.size(); ++i) set_datum16(words, i, to_bf16(of(random_)));
    return words;
  }
  static double at(const Words& tiles, std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(datum16(tiles, tile * 1024 + place_in_tile(r, c)))));
  }
  /// Settings for BF16 everywhere, and those of all the tests' headers.
  static LlkCell cell(const std::string& source, const std::vector<std::string>& header,
                      const std::vector<LlkCell::Parameter>& parameters) {
    LlkCell made{
        .source = "sources/" + source,
        .header = {"constexpr bool unpack_to_dest = false;",
                   "constexpr bool is_fp32_dest_acc_en = false;",
                   "constexpr auto MATH_FIDELITY = ckernel::MathFidelity::HiFi4;",
                   "constexpr auto dest_sync = ckernel::DstSync::SyncHalf;"},
        .run_type = "L1_TO_L1",
        .tile_sizes = {kTile / 16, kTile / 16, kTile / 16},
        .formats = {kBf16, kBf16, kBf16, kBf16, kBf16, kBf16, kBf16, kBf16, kBf16, kBf16, kBf16},
        .operands = {kA, kTile, kB, kTile, kResult, kTile},
        .parameters = parameters};
    made.header.insert(made.header.end(), header.begin(), header.end());
    return made;
  }
  /// Runs it on the data at A and B. The result's datums must be within `bound` of the expected
  /// ones.
  void run(const LlkCell& of, std::size_t tiles, double bound,
           const std::function<double(std::size_t, std::size_t, std::size_t)>& expected,
           std::size_t rows = 32, std::size_t columns = 32) {
    bench_->write(kA, a_);
    bench_->write(kB, b_);
    bench_->write(kResult, Words(tiles * 512, 0xEEEEEEEE));
    bench_->run(of);
    const Words got = bench_->read(kResult, tiles * 512);
    for (std::size_t t = 0; t < tiles; ++t) {
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          const double wanted = expected(t, r, c);
          ASSERT_NEAR(at(got, t, r, c), wanted, bound * (std::abs(wanted) + 1))
              << of.source << " tile " << t << ": " << r << ", " << c;
        }
      }
    }
  }

  std::unique_ptr<LlkBench> bench_;
  std::mt19937 random_{9};
  Words a_ = random(4), b_ = random(4);
};

TEST_F(PublishedLlkResults, TransposesInDst) {
  const LlkCell of = cell(
      "transpose_dest_test.cpp", {"constexpr bool MATH_TRANSPOSE_FACES = true;"},
      {{kWord, "num_faces", 4}, {"bool", "UNPACK_TRANSPOSE_FACES", 0}, {kWord, "TILE_CNT", 3}});
  run(of, 3, 0, [&](auto t, auto r, auto c) { return at(a_, t, c, r); });
}

/// Moves 32 bits as two halves. Faces are exchanged in Dst or on the way there.
TEST_F(PublishedLlkResults, TransposesAll32Bits) {
  constexpr std::size_t kTiles = 3;
  Words numbers(kTiles * 1024);
  for (Word& number : numbers) number = w(std::uniform_real_distribution<float>(-2, 2)(random_));
  for (const bool faces : {true, false}) {
    LlkCell of =
        cell("transpose_dest_test.cpp",
             {"constexpr bool MATH_TRANSPOSE_FACES = " + std::string(faces ? "true;" : "false;")},
             {{kWord, "num_faces", 4},
              {"bool", "UNPACK_TRANSPOSE_FACES", faces ? 0U : 1U},
              {kWord, "TILE_CNT", kTiles}});
    of.header[0] = "constexpr bool unpack_to_dest = true;";
    of.header[1] = "constexpr bool is_fp32_dest_acc_en = true;";
    of.tile_sizes = {2 * kTile / 16, 2 * kTile / 16, 2 * kTile / 16};
    of.formats = {};  // FP32
    of.operands = {kA, 2 * kTile, kB, 2 * kTile, kResult, 2 * kTile};
    bench_->write(kA, numbers);
    bench_->run(of);
    const Words got = bench_->read(kResult, numbers.size());
    for (std::size_t t = 0; t < kTiles; ++t)
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c)
          ASSERT_EQ(got[t * 1024 + place_in_tile(r, c)], numbers[t * 1024 + place_in_tile(c, r)])
              << faces << " tile " << t << ": " << r << ", " << c;
  }
}

TEST_F(PublishedLlkResults, AddsAndMultiplies) {
  using Expected = std::function<double(std::size_t, std::size_t, std::size_t)>;
  const auto add = [&](auto t, auto r, auto c) { return at(a_, t, r, c) + at(b_, t, r, c); };
  const auto mul = [&](auto t, auto r, auto c) { return at(a_, t, r, c) * at(b_, t, r, c); };
  const auto rows = [&](auto t, auto r, auto c) { return at(a_, t, r, c) - at(b_, t, 0, c); };
  const auto columns = [&](auto t, auto r, auto c) { return at(a_, t, r, c) * at(b_, t, r, 0); };
  const std::vector<std::tuple<std::string, std::string, Expected>> kinds = {
      {"ELWADD", "NONE", add},
      {"ELWMUL", "NONE", mul},
      {"ELWSUB", "ROW", rows},
      {"ELWMUL", "COL", columns}};
  for (const auto& [operation, broadcast, expected] : kinds) {
    LlkCell of =
        cell("eltwise_binary_test.cpp",
             {"constexpr auto ELTWISE_BINARY_OP = ckernel::EltwiseBinaryType::" + operation + ";",
              "constexpr auto BROADCAST_TYPE = ckernel::BroadcastType::" + broadcast + ";"},
             {{kWord, "TEST_FACE_R_DIM", 16},
              {kWord, "TEST_FACE_C_DIM", 16},
              {kWord, "num_faces_r_dim_A", 2},
              {kWord, "num_faces_c_dim_A", 2},
              {kWord, "NUM_TILES_IN_BLOCK", 2},
              {kWord, "NUM_BLOCKS", 2},
              {"bool", "UNPACK_TRANSPOSE_FACES", 0},
              {"bool", "UNPACK_TRANSPOSE_WITHIN_FACE", 0}});
    if (operation != "ELWMUL")
      of.header[2] = "constexpr auto MATH_FIDELITY = ckernel::MathFidelity::LoFi;";
    run(of, 4, 1.0 / 128, expected);
  }
}

TEST_F(PublishedLlkResults, Reduces) {
  for (std::size_t i = 0; i < 1024; ++i) set_datum16(b_, i, to_bf16(1));
  const std::vector<LlkCell::Parameter> parameters = {
      {kWord, "INPUT_TILE_CNT", 3},     {kWord, "OUTPUT_TILE_CNT", 3},
      {kWord, "NUM_TILES_IN_BLOCK", 2}, {kWord, "in0_face_r_dim", 16},
      {kWord, "in0_face_c_dim", 16},    {kWord, "num_faces_r_dim_A", 2},
      {kWord, "num_faces_c_dim_A", 2},  {"bool", "IS_REDUCE_TO_ONE", 0}};
  const auto of = [&](const std::string& pool, const std::string& dimension) {
    return cell("reduce_test.cpp",
                {"constexpr auto POOL_TYPE = ckernel::PoolType::" + pool + ";",
                 "constexpr auto REDUCE_DIM = ckernel::ReduceDim::REDUCE_" + dimension + ";"},
                parameters);
  };
  const auto column = [&](auto t, auto, auto c) {
    double sum = 0;
    for (std::size_t r = 0; r < 32; ++r) sum += at(a_, t, r, c);
    return sum;
  };
  run(of("SUM", "COL"), 3, 0.03, column, 1, 32);
  const auto most = [&](auto t, auto r, auto) {
    double highest = -9;
    for (std::size_t c = 0; c < 32; ++c) highest = std::max(highest, at(a_, t, r, c));
    return highest;
  };
  run(of("MAX", "ROW"), 3, 0, most, 32, 1);
}

TEST_F(PublishedLlkResults, Untilizes) {
  const LlkCell of = cell("pack_untilize_test.cpp",
                          {"constexpr std::uint32_t BLOCK_CT_DIM = 2, FULL_CT_DIM = 2;",
                           "constexpr std::uint32_t FULL_RT_DIM = 2, TILE_DST_CT_OFFSET = 0;"},
                          {{kWord, "num_faces", 4}});
  bench_->write(kA, a_);
  bench_->run(of);
  const Words got = bench_->read(kResult, 4 * 512);
  for (std::size_t r = 0; r < 64; ++r)
    for (std::size_t c = 0; c < 64; ++c)
      ASSERT_EQ(static_cast<double>(f(from_bf16(datum16(got, r * 64 + c)))),
                at(a_, r / 32 * 2 + c / 32, r % 32, c % 32))
          << r << ", " << c;
}

TEST_F(PublishedLlkResults, Multiplies) {
  const LlkCell of = cell("matmul_test.cpp", {},
                          {{kWord, "num_faces_A", 4},
                           {kWord, "num_faces_B", 4},
                           {kWord, "TILE_CNT", 4},
                           {kWord, "CT_DIM", 2},
                           {kWord, "RT_DIM", 2},
                           {kWord, "KT_DIM", 2}});
  run(of, 4, 0.08, [&](auto t, auto r, auto c) {
    double sum = 0;
    for (std::size_t k = 0; k < 64; ++k)
      sum += at(a_, t / 2 * 2 + k / 32, r, k % 32) * at(b_, k / 32 * 2 + t % 2, k % 32, c);
    return sum;
  });
}

}  // namespace
}  // namespace tvp::test
