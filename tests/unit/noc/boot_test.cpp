#include "models/noc/boot.h"

#include <gtest/gtest.h>

#include "tests/unit/noc/noc_bench.h"

namespace tvp::noc::boot_test {
namespace {

using namespace regs::noc;  // register names

unsigned entry(const Niu& niu, std::uint32_t table, unsigned index) {
  return niu.peek(table + index / 8 * 4) >> (index % 8 * 4) & 0xF;
}

// Expected values: the tables of ISA NoC/Coordinates.md, rows 7 and 10 harvested.
TEST(Boot, TablesAreThoseOfTheDocumentation) {
  const unsigned harvested = 1u << 7 | 1u << 10;
  const Grid grid(tests::wormhole(), {.rows = harvested});
  NocBench bench("boot", "fast", false, {{1, 1}, {9, 11}}, 2, grid);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const unsigned x0[] = {0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
  const unsigned x1[] = {9, 4, 8, 7, 6, 5, 3, 2, 1, 0};
  const unsigned y0[] = {0, 6, 1, 2, 3, 4, 5, 8, 9, 11, 7, 10};
  const unsigned y1[] = {11, 5, 10, 9, 8, 7, 6, 3, 2, 0, 4, 1};
  for (unsigned noc = 0; noc < 2; ++noc) {
    Niu& niu = *bench.at(1, 1).niu[noc];
    boot_niu(niu, true);
    for (unsigned i = 0; i < 16; ++i) {
      EXPECT_EQ(entry(niu, kXIdTranslateTable0, i), i);
      EXPECT_EQ(entry(niu, kYIdTranslateTable0, i), i);
    }
    for (unsigned i = 0; i < 10; ++i) {
      EXPECT_EQ(entry(niu, kXIdTranslateTable0, 16 + i), (noc ? x1 : x0)[i]);
    }
    for (unsigned i = 0; i < 12; ++i) {
      EXPECT_EQ(entry(niu, kYIdTranslateTable0, 16 + i), (noc ? y1 : y0)[i]);
    }
    for (unsigned i = 28; i < 32; ++i) EXPECT_EQ(entry(niu, kYIdTranslateTable0, i), 0u);
    EXPECT_EQ(niu.peek(kNocIdLogical), 18u | 18u << 6) << "one name on both NoCs";
  }
  boot_niu(*bench.at(9, 11).niu[1], true);
  EXPECT_EQ(bench.at(9, 11).niu[1]->peek(kNocIdLogical), 25u | 25u << 6);
  EXPECT_EQ(bench.at(1, 1).niu[0]->peek(kRouterCfg1), 1u | 1u << 5);
  EXPECT_EQ(bench.at(1, 1).niu[1]->peek(kRouterCfg1), 1u << 9 | 1u << 4);
  EXPECT_EQ(bench.at(1, 1).niu[0]->peek(kRouterCfg3), 1u | 1u << 6 | harvested);
}

}  // namespace
}  // namespace tvp::noc::boot_test
