// Products, sums and scans over tiles by kernels of tt-metal's tree, unchanged: where TT_METAL_HOME
// names such a tree (of February 2026).

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
const std::string kUnary = kOps + "eltwise/unary/device/kernels/dataflow/";
constexpr double kRounded = 0x1p-7;

class PublishedSums : public PublishedTest {};

TEST_F(PublishedSums, ProductOfAllTiles) {
  const Numbers x = random(1, 5, 0.5F, 2);
  const auto in = tensor(x), out = result(1);
  Operation(*bench_)
      .buffer(0, 2)
      .buffer(2, 2)
      .buffer(3, 2)
      .reader(kUnary + "reader_unary_interleaved_start_id.cpp",
              {.tensors = {in}, .run = {address(in), 5, 0}})
      .compute(kOps + "reduction/prod/device/kernels/compute/prod_all.cpp", {.compile = {5, 1}})
      .writer(kUnary + "writer_unary_interleaved_start_id.cpp",
              {.compile = {3}, .tensors = {out}, .run = {address(out), 1, 0}})
      .run();
  check(read(out, 1), 3 * kRounded, [&](auto r, auto c) {
    double product = 1;
    for (std::size_t tile = 0; tile < 5; ++tile) product *= x(r, 32 * tile + c);
    return product;
  });
}

// Over the first dimension and over the second of two outer ones, of 2 by 3 matrices of two tiles.
TEST_F(PublishedSums, ProductsOverADimension) {
  const std::string kernels = kOps + "reduction/prod/device/kernels/";
  const Numbers x = random(1, 12, 0.5F, 2);
  const auto in = tensor(x);
  for (const Word dim : {0U, 1U}) {
    const Word inputs = dim == 0 ? 2 : 3, outputs = dim == 0 ? 6 : 4;
    const auto out = result(outputs);
    Operation(*bench_)
        .buffer(0, 2)
        .buffer(1, 1)
        .buffer(2, 1)
        .buffer(3, 2)
        .reader(kernels + "dataflow/reader_prod_nc.cpp",
                {.compile = {dim},
                 .tensors = {in},
                 .run = {address(in), inputs, outputs, dim == 0 ? 6U : 2U, 0, 2, 6}})
        .compute(kernels + "compute/prod_nc.cpp", {.run = {inputs, outputs}})
        .writer(kUnary + "writer_unary_interleaved_start_id.cpp",
                {.compile = {3}, .tensors = {out}, .run = {address(out), outputs, 0}})
        .run();
    check(
        read(out, outputs), 2 * kRounded,
        [&](auto r, auto c) {
          const std::size_t tile = c / 32;
          double product = 1;
          for (std::size_t i = 0; i < inputs; ++i)
            product *=
                x(r, 32 * (dim == 0 ? 6 * i + tile : tile / 2 * 6 + 2 * i + tile % 2) + c % 32);
          return product;
        },
        "dimension " + std::to_string(dim) + ": ");
  }
}

TEST_F(PublishedSums, OverADimensionInDst) {
  const std::string kernels = kOps + "experimental/reduction/fast_reduce_nc/device/kernels/";
  constexpr Word kInputs = 6, kOutputs = 3, kAtOnce = 2;
  const Numbers x = random(1, kInputs * kOutputs, -2, 2);
  const auto in = tensor(x), out = result(kOutputs);
  Operation(*bench_)
      .buffer(0, 2 * kAtOnce)
      .buffer(1, 1)
      .buffer(16, 2)
      .reader(kernels + "reader_reduce_nc.cpp",
              {.compile = {kAtOnce, 1, 1},
               .tensors = {in},
               .run = {address(in), kInputs, kOutputs, 0, 0, 0, kOutputs}})
      .compute(kernels + "reduce_nc.cpp",
               {.compile = {kOutputs, kInputs, kAtOnce}, .fp32_dst = true})
      .writer(kernels + "writer_reduce_nc.cpp",
              {.compile = {1, 1}, .tensors = {out}, .run = {address(out), kOutputs, 0}})
      .run();
  check(read(out, kOutputs), kRounded, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t i = 0; i < kInputs; ++i) sum += x(r, 32 * kOutputs * i + c);
    return sum;
  });
}

// Of 32 columns each, which become one: each tile is transposed, reduced and gathered.
TEST_F(PublishedSums, OfColumnsInGroups) {
  const std::string kernels = kOps + "experimental/ssm/hc_sum_reduce/device/kernels/";
  const Numbers x = random(2, 32, -1, 1);
  const auto in = tensor(x), out = result(2);
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 2, 16, 24, 25, 26})
    operation.buffer(cb, 2);
  operation
      .reader(kernels + "reader_ssm_1d_sum_reduce.cpp",
              {.compile = {0x3F803F80}, .tensors = {in}, .run = {address(in), 32, 0, 2, 32}})
      .compute(kernels + "ssm_1d_sum_reduce.cpp",
               {.compile = {0, 2, 24, 25, 26, 16}, .run = {1, 2}})
      .writer(kernels + "writer_ssm_1d_sum_reduce.cpp",
              {.compile = {25, 26, 16}, .tensors = {out}, .run = {address(out), 1, 0, 2, 1}})
      .run();
  check(read(out, 1), 2 * kRounded, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t i = 0; i < 32; ++i) sum += x(r, 32 * c + i);
    return sum;
  });
}

// Each column of one tensor by 32 columns of the other.
TEST_F(PublishedSums, ProductsOfRepeatedColumns) {
  const std::string kernels =
      kOps + "experimental/ssm/repeat_and_interleave_eltwise_mul/device/kernels/";
  const Numbers a = random(1, 1, -2, 2), b = random(1, 1, -2, 2);
  const auto a_in = tensor(a), b_in = tensor(b), out = result(32);
  const Operation::Defines defines{{"REPEAT_IN0", "1"}, {"REPEAT_INTERLEAVE_IN1", "1"}};
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 16, 24, 25, 26, 27})
    operation.buffer(cb, 2);
  operation
      .reader(kernels + "reader_ssm_eltwise_mul.cpp",
              {.compile = {0, 1, 25, 26},
               .tensors = {a_in, b_in},
               .run = {address(a_in), address(b_in), 1, 0, 1, 1, 1},
               .defines = defines})
      .compute(kernels + "ssm_eltwise_mul.cpp",
               {.compile = {0, 1, 16, 24, 25, 26, 27}, .run = {1, 1}, .defines = defines})
      .writer(kernels + "writer_ssm_eltwise_mul.cpp",
              {.compile = {16}, .tensors = {out}, .run = {address(out), 32, 0, 1, 32}})
      .run();
  check(read(out, 32), kRounded, [&](auto r, auto c) { return a(r, c % 32) * b(r, c / 32); });
}

// h[t] = a[t] h[t - 1] + bx[t] down the rows of tensors in L1, whose rows become tiles and tiles
// rows again.
TEST_F(PublishedSums, ScanOfRows) {
  const std::string kernels = kOps + "experimental/ssm/prefix_scan/device/kernels/";
  constexpr std::size_t kWide = 32;
  const Numbers a = random(1, kWide, 0, 0.9F), bx = random(1, kWide, -1, 1);
  const auto a_in = bench_->local(a.words()), bx_in = bench_->local(bx.words());
  const auto out = bench_->local(Words(512 * kWide));
  Words state(512);
  std::vector<double> h(1024);
  for (std::size_t i = 0; i < 1024; ++i) {
    h[i] = static_cast<double>(i % 17) / 16;
    set_datum16(state, i, to_bf16(static_cast<float>(h[i])));
  }
  const auto h_in = bench_->local(state);
  Operation operation(*bench_);
  operation.buffer(0, a_in, DataFormat::Float16_b, 2048)
      .buffer(1, bx_in, DataFormat::Float16_b, 2048)
      .buffer(2, h_in, DataFormat::Float16_b, 64)
      .buffer(16, out, DataFormat::Float16_b, 2048);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{24, 25, 29})
    operation.buffer(cb, 32);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{26, 27, 28})
    operation.buffer(cb, 2);
  operation.buffer(31, 1);
  operation
      .reader(kernels + "reader_ssm_prefix_scan.cpp", {.compile = {0, 1, 2}, .run = {kWide, kWide}})
      .compute(kernels + "ssm_prefix_scan.cpp",
               {.compile = {0, 1, 2, 24, 25, 26, 27, 28, 29, 16, 31}, .run = {kWide, kWide, 1, 1}})
      .writer(kernels + "writer_ssm_prefix_scan.cpp",
              {.compile = {16, 31, 2}, .run = {kWide, 32 * kWide}})
      .run();
  const Numbers got(kWide, bench_->local_words(out));
  for (std::size_t t = 0; t < 32; ++t) {
    for (std::size_t i = 0; i < 1024; ++i) {
      h[i] = a(t, i) * h[i] + bx(t, i);
      ASSERT_NEAR(got(t, i), h[i], 8 * kRounded * (std::abs(h[i]) + 1)) << t << ", " << i;
    }
  }
  const Words last = bench_->local_words(h_in);
  for (std::size_t i = 0; i < 1024; ++i)
    EXPECT_EQ(datum16(last, i), got.bits(31, i)) << "state " << i;
}

}  // namespace
}  // namespace tvp::test
