#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv {
namespace {

using namespace assembler;

struct World {
  CoreConfig config;
  support::StopOnFault faults;
  bench::Tile tile{"tile"};
  World() {
    tile.add_core({support::BusMaster::kB, "", 4096, 0}, config, faults);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

TEST(CoreSmoke, LoopsAndStops) {
  World w;
  w.tile.load(
      0, {lui(1, 0xFFEC0000), addi(2, 0, 10), addi(3, 0, 0), add(3, 3, 2), addi(2, 2, -1),
          bne(2, 0, -8), sw(3, 0x100, 0), lw(4, 0x100, 0), add(5, 4, 4), lw(6, 0, 1), jal(0, 0)});
  Core& core = *w.tile.cores[0];
  core.release_reset(0, 0);
  w.tile.run();
  EXPECT_EQ(core.reg(3), 55U);
  EXPECT_EQ(core.reg(5), 110U);
  EXPECT_EQ(core.state(), CoreState::kBlocked);
  EXPECT_EQ(w.tile.word(0x100), 55U);
}

}  // namespace
}  // namespace tvp::riscv
