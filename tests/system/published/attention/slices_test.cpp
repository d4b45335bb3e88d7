// Parts of tensors: queries, keys and values of a fused product on a grid of cores, and slices of a
// cache in the L1 of one core per head.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("attention/slices.toml");

using runtime::CoreRange;
using runtime::CoreRangeSet;

const std::string kTransformer = "ttnn/cpp/ttnn/operations/experimental/transformer/";

class PublishedSlices : public PublishedTest {};

TEST_F(PublishedSlices, HeadsOfAFusedProduct) {
  // 16 heads of queries, keys and values, 2 tiles wide; one core per row of tiles of a batch.
  constexpr unsigned kBatches = 2, kHigh = 3, kHeads = 16, kWide = 2;
  constexpr unsigned kTensor = kHeads * kWide, kRow = 3 * kTensor, kHead = kHigh * kWide;
  const Numbers all = random(kBatches * kHigh, kRow, -8, 8);
  const auto in = tensor(all);
  const unsigned tiles = kBatches * kHeads * kHead;
  const auto q = result(tiles), k = result(tiles), v = result(tiles);

  const std::string kernels =
      kTransformer + "split_query_key_value_and_split_heads/device/kernels/dataflow/";
  kLaunches.run(*bench_, "heads_of_a_fused_product",
                TVP_VALUES(kTensor, kernels, in, kHigh, kRow, kHeads, kWide, kHead, q, k, v)
                    .with("cores", CoreRange({0, 0}, {kHigh - 1, kBatches - 1})));
  // Arguments: batch, head, row, column of a head's datum. `part` is the tensor that holds it in
  // the fused row.
  const auto expected = [&](unsigned part, std::size_t batch, std::size_t head, std::size_t row,
                            std::size_t column) {
    return all(batch * kHigh * 32 + row, (part * kTensor + head * kWide) * 32 + column);
  };
  const Numbers queries = read(q, kWide), keys = read(k, kHigh), values = read(v, kWide);
  for (unsigned batch = 0; batch < kBatches; ++batch)
    for (unsigned head = 0; head < kHeads; ++head)
      for (unsigned row = 0; row < 32 * kHigh; ++row)
        for (unsigned column = 0; column < 32 * kWide; ++column) {
          const std::size_t tall = (batch * kHeads + head) * kHigh * 32 + row;
          const std::size_t across = (batch * kHeads + head) * kWide * 32 + column;
          ASSERT_EQ(queries(tall, column), expected(0, batch, head, row, column));
          ASSERT_EQ(keys(across, row), expected(1, batch, head, row, column));
          ASSERT_EQ(values(tall, column), expected(2, batch, head, row, column));
        }
}

TEST_F(PublishedSlices, OfACacheForEachHead) {
  // Six heads of a cache of 8 rows of tiles, 2 wide. Rows 3 and 4 go to the L1 of one core each.
  constexpr unsigned kHeads = 6, kHigh = 8, kWide = 2, kFirst = 3, kRows = 2;
  constexpr unsigned kSlice = kRows * kWide;
  const Numbers cache = random(kHeads * kHigh, kWide, -8, 8);
  const auto in = tensor(cache);
  const CoreRangeSet cores(CoreRange({0, 0}, {2, 1}));
  const auto out = bench_->local(Words(std::size_t{kHeads} * kSlice * 512, 0xEEEEEEEE), cores);
  kLaunches.run(*bench_, "of_a_cache_for_each_head",
                TVP_VALUES(cores, out, kSlice, kWide, kRows, kHigh, kHeads, in, kFirst));
  const Numbers got(kWide, bench_->local_words(out));
  for (unsigned head = 0; head < kHeads; ++head)
    for (unsigned row = 0; row < 32 * kRows; ++row)
      for (unsigned column = 0; column < 32 * kWide; ++column)
        ASSERT_EQ(got(head * kRows * 32 + row, column),
                  cache((head * kHigh + kFirst) * 32 + row, column));
}

}  // namespace
}  // namespace tvp::test
