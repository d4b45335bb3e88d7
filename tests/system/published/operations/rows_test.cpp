// Operations of tt-metal's tree along rows of tiles: the largest of a row, softmax, rotary
// embedding, matrix products. Reader, compute and writer unchanged, from DRAM to DRAM, against
// loops in double: where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using Cbs = std::initializer_list<std::uint8_t>;
using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
constexpr Word kTileBytes = 2048;
constexpr double kRounded = 1.0 / 128;
constexpr Word kOne = 0x3F803F80;

class PublishedRows : public PublishedTest {};

TEST_F(PublishedRows, TopK) {
  // Two rows of four tiles; all numbers of a row differ.
  constexpr Word kHigh = 2, kWide = 4, kBest = 2;
  Numbers x(kHigh, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::vector<int> values(x.columns());
    std::iota(values.begin(), values.end(), -60);
    std::shuffle(values.begin(), values.end(), random_);
    for (std::size_t c = 0; c < x.columns(); ++c) x.set(r, c, static_cast<float>(values[c]));
  }
  const auto in = tensor(x);
  const std::string kernels = kOps + "reduction/topk/device/kernels/";
  for (const bool largest : {true, false}) {
    const auto best = result(kHigh * kBest), where = result(kHigh * kBest);
    Operation operation(*bench_);
    for (const std::uint8_t cb : Cbs{0, 2}) operation.buffer(cb, 4);
    for (const std::uint8_t cb : Cbs{1, 3}) operation.buffer(cb, 4, kTileBytes, DataFormat::UInt16);
    operation.buffer(4, 2 * kBest)
        .buffer(5, 2 * kBest, kTileBytes, DataFormat::UInt16)
        .buffer(6, kBest)
        .buffer(7, kBest, kTileBytes, DataFormat::UInt16)
        .reader(kernels + "dataflow/reader_create_index_tensor.cpp",
                {.compile = {0, 1, kHigh, kWide, 1, 1},
                 .tensors = {in},
                 .run = {address(in), 0, kHigh},
                 .defines = {{"GENERATE_INDICES", "1"}}})
        .writer(kernels + "dataflow/writer_binary_interleaved.cpp",
                {.compile = {6, 7, kHigh, kBest, 1},
                 .tensors = {best, where},
                 .run = {address(best), address(where), 0, kHigh}})
        .compute(kernels + "compute/topk.cpp",
                 {.compile = {0, 1, 2, 3, 4, 5, 6, 7, kHigh, kWide, kBest, largest ? 1U : 0U},
                  .run = {kHigh}})
        .run();
    const Numbers got = read(best, kBest), places = read(where, kBest);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      for (std::size_t k = 0; k < 32 * kBest; ++k) {
        const double wanted =
            largest ? 67.0 - static_cast<double>(k) : -60.0 + static_cast<double>(k);
        ASSERT_EQ(got(r, k), wanted) << r << ", " << k;
        ASSERT_EQ(x(r, places.bits(r, k)), wanted) << r << ", " << k;
      }
    }
  }
}

TEST_F(PublishedRows, SoftmaxOfRowsThatEndWithinATile) {
  constexpr Word kHigh = 2, kWide = 3, kLast = 20;  // columns of the last tile
  constexpr std::size_t kColumns = 32 * (kWide - 1) + kLast;
  const Numbers x = random(kHigh, kWide, -4, 4);
  const auto in = tensor(x);
  const std::string kernels = kOps + "moreh/moreh_softmax/device/kernels/";
  for (const std::string kind : {"SOFTMAX", "SOFTMIN", "LOG"}) {
    const auto out = result(kHigh * kWide);
    Operation operation(*bench_);
    for (const std::uint8_t cb : Cbs{0, 16, 24, 27}) operation.buffer(cb, 2 * kWide);
    for (const std::uint8_t cb : Cbs{1, 2, 25, 26, 28}) operation.buffer(cb, 2);
    Operation::Defines defines;
    if (kind != "SOFTMIN") defines["SOFTMAX"] = "1";
    if (kind == "LOG") defines["LOG"] = "1";
    operation
        .reader(kernels + "reader_moreh_softmax_w.cpp",
                {.compile = {0},
                 .tensors = {in},
                 .run = {address(in), kHigh, 0, kWide, w(1.0F), kLast},
                 .defines = defines})
        .writer(kernels + "writer_moreh_softmax_w.cpp",
                {.tensors = {out}, .run = {address(out), kHigh, 0, kWide}, .defines = defines})
        .compute(kernels + "moreh_softmax_w.cpp", {.compile = {kHigh, kWide}, .defines = defines})
        .run();
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double sign = kind == "SOFTMIN" ? -1 : 1;
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(sign * x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double share = std::exp(sign * x(r, c)) / sum;
        const double wanted = kind == "LOG" ? std::log(share) : share;
        ASSERT_NEAR(got(r, c), wanted, 4 * kRounded * std::abs(wanted) + 1e-6)
            << kind << " " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedRows, SoftmaxOfAttention) {
  constexpr Word kHigh = 2, kWide = 4, kBlock = 2;
  constexpr float kScale = 0.25F;
  const Numbers x = random(kHigh, kWide, -8, 8), mask = random(1, kWide, -2, 1);
  const auto in = tensor(x), masks = tensor(mask);
  const std::string kernels = kOps + "normalization/softmax/device/kernels/attention/";
  for (const bool stable : {false, true}) {
    const auto out = result(kHigh * kWide);
    Operation::Defines defines{
        {"FUSED_SCALE_MASK", "1"}, {"EXP_APPROX", "0"}, {"ENABLE_FP32_DEST_ACC", "0"}};
    if (stable) defines["NUMERIC_STABLE"] = "1";
    Operation operation(*bench_);
    for (const std::uint8_t cb : Cbs{0, 4, 6, 9, 10, 11}) operation.buffer(cb, 2 * kWide);
    for (const std::uint8_t cb : Cbs{2, 3, 5, 7, 8}) operation.buffer(cb, 1);
    operation
        .reader(kernels + "dataflow/reader_unary_interleaved_sm.cpp",
                {.tensors = {in, masks},
                 .run = {address(in), kBlock, w(kScale) | w(kScale) >> 16, kHigh, 0, kWide, kHigh,
                         address(masks), 0, 0, kOne, 0},
                 .defines = defines})
        .writer(kernels + "dataflow/writer_unary_interleaved_start_id_blocked_sm.cpp",
                {.compile = {0},
                 .tensors = {out},
                 .run = {address(out), kHigh * kWide, 0, kBlock, 0},
                 .defines = defines})
        .compute(kernels + "compute/softmax.cpp",
                 {.run = {kHigh, kHigh, kWide, kBlock, 0, 0}, .defines = defines})
        .run();
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      double sum = 0;
      const auto weight = [&](std::size_t c) {
        return std::exp(static_cast<double>(kScale) * x(r, c) + mask(0, c));
      };
      for (std::size_t c = 0; c < x.columns(); ++c) sum += weight(c);
      for (std::size_t c = 0; c < x.columns(); ++c)
        ASSERT_NEAR(got(r, c), weight(c) / sum, weight(c) / sum / 16) << stable << " " << r;
    }
  }
}

TEST_F(PublishedRows, RotaryEmbedding) {
  // Rows of two halves of a tile each turn by the angle of their position.
  constexpr Word kHigh = 3, kWide = 2, kTiles = kHigh * kWide;
  const Numbers x = random(kHigh, kWide, -2, 2);
  Numbers cosine(kHigh, kWide), sine(kHigh, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t c = 0; c < x.columns(); ++c) {
      const auto angle = static_cast<float>(r) / static_cast<float>(1 + c % 32);
      cosine.set(r, c, std::cos(angle));
      sine.set(r, c, std::sin(angle));
    }
  }
  const auto in = tensor(x), cosines = tensor(cosine), sines = tensor(sine), out = result(kTiles);
  const std::string kernels = kOps + "experimental/transformer/rotary_embedding/device/kernels/";
  Operation operation(*bench_);
  for (const std::uint8_t cb : Cbs{0, 1, 2, 3, 16}) operation.buffer(cb, 2 * kWide);
  for (const std::uint8_t cb : Cbs{4, 24, 25, 26}) operation.buffer(cb, 1);
  operation
      .reader(kernels + "dataflow/reader_rotary_embedding_interleaved_start_id.cpp",
              {.compile = {0, 1, 2, 3, 4, 0xBF80, kHigh, kWide, kTiles, kWide / 2},
               .tensors = {in, cosines, sines},
               .run = {address(in), address(cosines), address(sines), kHigh, 0, 0, 0}})
      .writer(kernels + "dataflow/writer_rotary_embedding_interleaved_start_id.cpp",
              {.compile = {16}, .tensors = {out}, .run = {address(out), kTiles, 0}})
      .compute(kernels + "compute/rotary_embedding.cpp",
               {.compile = {0, 1, 2, 3, 4, 24, 25, 26, 16, kHigh, kWide, kWide / 2}})
      .run();
  check(read(out, kWide), 3 * kRounded, [&](auto r, auto c) {
    const double turned = c < 32 ? -x(r, c + 32) : x(r, c - 32);
    return x(r, c) * cosine(r, c) + turned * sine(r, c);
  });
}

TEST_F(PublishedRows, MatrixProductWhoseInnerSizeEndsWithinATile) {
  constexpr Word kM = 2, kK = 3, kN = 2, kLast = 12;
  const Numbers a = random(kM, kK, -1, 1), b = random(kK, kN, -1, 1);
  const auto first = tensor(a), second = tensor(b), out = result(kM * kN);
  const std::string kernels = kOps + "matmul/device/kernels/";
  Operation(*bench_)
      .buffer(0, 2)
      .buffer(1, 2)
      .buffer(16, 2)
      .reader(kernels + "dataflow/reader_bmm_8bank_output_tiles_partitioned.cpp",
              {.compile = {kLast},
               .tensors = {first, second},
               .run = {address(first), address(second), kM, kK, kN, kM * kK, kK * kN, 1, 1, 0,
                       kM * kN, kM * kN}})
      .compute(kernels + "compute/bmm.cpp", {.compile = {1, 1, kK, kM * kN}})
      .writer(kOps + "eltwise/unary/device/kernels/dataflow/writer_unary_interleaved_start_id.cpp",
              {.compile = {16}, .tensors = {out}, .run = {address(out), kM * kN, 0}})
      .run();
  check(read(out, kN), 1.0 / 16, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t k = 0; k < 32 * (kK - 1) + kLast; ++k) sum += a(r, k) * b(k, c);
    return sum;
  });
}

}  // namespace
}  // namespace tvp::test
