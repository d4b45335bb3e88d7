// What reductions do to the rest of Dst.

#include "tests/firmware/ops_bench.h"

namespace tvp::test {
namespace {

TEST(LlkReduce, LeavesOtherTilesOfDstAlone) {
  Values values(26);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 32) continue;
    SCOPED_TRACE(variant.name);
    const std::vector<Tile> a = values.tiles(variant.rows, 3, -10, 10);
    const std::vector<Tile> ones = values.tiles(variant.rows, 3, 1, 1);
    const std::vector<Tile> out = run(variant, {.op = Op::kCopyBesideReductions}, a, ones);
    for (unsigned i = 0; i < a.size(); ++i) EXPECT_EQ(out[i].values, a[i].values) << i;
  }
}

}  // namespace
}  // namespace tvp::test
