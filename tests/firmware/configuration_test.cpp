// A kernel must not depend on the coprocessor's configuration after an earlier kernel.

#include <gtest/gtest.h>

#include <set>

#include "foundation/regs/tensix_config.h"
#include "tests/firmware/ops_bench.h"

namespace tvp::test {
namespace {

namespace config = regs::config;

/// A word of the configuration window of the cores: the first bank, the second one, then the
/// threads' registers with 16 B per word.
support::MmioAccess access(unsigned word, bool write, std::uint32_t data = 0) {
  support::MmioAccess a{.write = write, .offset = 4 * word, .data = data, .now = bench().cycles()};
  bench().coprocessor().windows().config().access(a);
  EXPECT_FALSE(a.unmapped) << word;
  return a;
}

/// Multiplies two tiles after all bits of ALU, packers' and unpackers' strides are inverted.
TEST(LlkConfiguration, KernelsSetWhatTheyDependOn) {
  // Address bases, and registers that pack parts of a plane, keep their reset values, since no
  // program of ours changes them.
  std::set<unsigned> of_reset{config::alu::kDestRegwBase.addr32, config::pack::kSource.base.addr32,
                              config::pack::kDestination.base.addr32};
  for (unsigned packer = 0; packer < 4; ++packer)
    of_reset.insert(config::pack::per_xy_plane(packer).addr32);
  Values values(3);
  for (const Variant& variant : kVariants) {
    if (variant.rows != 8) continue;
    const std::vector<Tile> a = values.tiles(variant.rows, 1, -4, 4);
    const std::vector<Tile> b = values.tiles(variant.rows, 1, -4, 4);
    const OpParameters parameters{.op = Op::kMultiply, .out = variant.fp32_dst ? 18U : 16U};
    const std::vector<Tile> expected = run(variant, parameters, a, b);
    unsigned flipped = 0;
    for (unsigned word = 0; word < config::kUnpack0Base + 4; ++word) {
      if (of_reset.contains(word)) continue;
      const std::uint32_t before = access(word, false).data;
      for (unsigned bit = 0; bit < 32; ++bit, ++flipped) {
        access(word, true, before ^ 1U << bit);
        ASSERT_EQ(run(variant, parameters, a, b)[0].values, expected[0].values)
            << variant.name << ": bit " << bit << " of word " << word;
        access(word, true, before);
      }
    }
    EXPECT_GT(flipped, 1000U);
  }
}

}  // namespace
}  // namespace tvp::test
