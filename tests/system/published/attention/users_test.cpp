// Products of which each row has a matrix of its own, as the queries of users with their caches, by
// kernels of tt-metal's tree, unchanged: where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const std::string kOps = "ttnn/cpp/ttnn/operations/";
const std::string kKernels = kOps + "experimental/matmul/attn_matmul/device/kernels/";
constexpr Word kUsers = 32, kHeads = 2, kInner = 2, kOuter = 3;

class PublishedUsers : public PublishedTest {
 protected:
  void run(bool transposed);
};

void PublishedUsers::run(bool transposed) {
  // Of each head a row a user; of each user a matrix, of which rows and columns may change places.
  const Numbers a = random(kHeads, kInner, -1, 1);
  const Word high = transposed ? kOuter : kInner, wide = transposed ? kInner : kOuter;
  const Numbers b = random(std::size_t{kUsers} * high, wide, -1, 1);
  const auto a_in = tensor(a), b_in = tensor(b), out = result(kHeads * kOuter);
  Operation operation(*bench_);
  operation.buffer(0, 2 * kInner).buffer(1, 2).buffer(2, 1).buffer(3, 1).buffer(4, 1).buffer(5, 2);
  operation
      .reader(
          kKernels + "dataflow/reader_transformer_attn_matmul.cpp",
          {.compile = {transposed, 0},
           .tensors = {a_in, b_in},
           .run = {address(a_in), address(b_in), 1, kInner, kOuter, kInner,
                   transposed ? (kOuter - 1) * kInner : 0, kUsers * kInner * kOuter, kHeads, 0, 0}})
      .compute(kKernels + "compute/transformer_attn_matmul.cpp",
               {.compile = {transposed}, .run = {1, 1, kInner, kHeads * kOuter}})
      .writer(kOps + "eltwise/unary/device/kernels/dataflow/writer_unary_interleaved_start_id.cpp",
              {.compile = {5}, .tensors = {out}, .run = {address(out), kHeads * kOuter, 0}})
      .run();
  check(
      read(out, kOuter), 0.03,
      [&](auto row, auto column) {
        const std::size_t user = row % kUsers;
        double sum = 0;
        for (std::size_t k = 0; k < 32 * kInner; ++k)
          sum += a(row, k) *
                 (transposed ? b(32 * high * user + column, k) : b(32 * high * user + k, column));
        return sum;
      },
      transposed ? "transposed " : "");
}

TEST_F(PublishedUsers, HaveMatricesOfTheirOwn) {
  run(false);
  run(true);
}

}  // namespace
}  // namespace tvp::test
