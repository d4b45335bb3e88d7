// Products, sums and scans over tiles.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/sums.toml");

constexpr double kRounded = 0x1p-7;

class PublishedSums : public PublishedTest {};

TEST_F(PublishedSums, ProductOfAllTiles) {
  const Numbers x = random(1, 5, 0.5F, 2);
  const auto in = tensor(x), out = result(1);
  kLaunches.run(*bench_, "product_of_all_tiles", TVP_VALUES(in, out));
  check(read(out, 1), 3 * kRounded, [&](auto r, auto c) {
    double product = 1;
    for (std::size_t tile = 0; tile < 5; ++tile) product *= x(r, 32 * tile + c);
    return product;
  });
}

// Over the first or the second of two outer dimensions, of 2 by 3 matrices of two tiles.
TEST_F(PublishedSums, ProductsOverADimension) {
  const Numbers x = random(1, 12, 0.5F, 2);
  const auto in = tensor(x);
  for (const Word dim : {0U, 1U}) {
    const Word inputs = dim == 0 ? 2 : 3, outputs = dim == 0 ? 6 : 4;
    const auto out = result(outputs);
    kLaunches.run(*bench_, "products_over_a_dimension", TVP_VALUES(dim, in, inputs, outputs, out));
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
  constexpr Word kInputs = 6, kOutputs = 3, kAtOnce = 2;
  const Numbers x = random(1, kInputs * kOutputs, -2, 2);
  const auto in = tensor(x), out = result(kOutputs);
  kLaunches.run(*bench_, "over_a_dimension_in_dst",
                TVP_VALUES(kAtOnce, in, kInputs, kOutputs, out));
  check(read(out, kOutputs), kRounded, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t i = 0; i < kInputs; ++i) sum += x(r, 32 * kOutputs * i + c);
    return sum;
  });
}

// Sums of 32 columns each: a tile is transposed, reduced and gathered.
TEST_F(PublishedSums, OfColumnsInGroups) {
  const Numbers x = random(2, 32, -1, 1);
  const auto in = tensor(x), out = result(2);
  kLaunches.run(*bench_, "of_columns_in_groups", TVP_VALUES(in, out));
  check(read(out, 1), 2 * kRounded, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t i = 0; i < 32; ++i) sum += x(r, 32 * c + i);
    return sum;
  });
}

// Each column of one tensor times 32 columns of the other.
TEST_F(PublishedSums, ProductsOfRepeatedColumns) {
  const Numbers a = random(1, 1, -2, 2), b = random(1, 1, -2, 2);
  const auto a_in = tensor(a), b_in = tensor(b), out = result(32);
  const Operation::Defines defines{{"REPEAT_IN0", "1"}, {"REPEAT_INTERLEAVE_IN1", "1"}};
  kLaunches.run(*bench_, "products_of_repeated_columns", TVP_VALUES(a_in, b_in, defines, out));
  check(read(out, 32), kRounded, [&](auto r, auto c) { return a(r, c % 32) * b(r, c / 32); });
}

// h[t] = a[t] h[t - 1] + bx[t] down the rows of tensors in L1. Rows become tiles, and tiles become
// rows.
TEST_F(PublishedSums, ScanOfRows) {
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
  kLaunches.run(*bench_, "scan_of_rows", TVP_VALUES(a_in, bx_in, h_in, out, kWide));
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
