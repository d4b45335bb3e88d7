// Cores that race through L1 meet in the same order however far they may run ahead.
#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"
#include "tests/unit/riscv/random_program.h"

namespace tvp::riscv {
namespace {

using namespace assembler;
using support::Cycle;
using support::kNever;

constexpr unsigned kCores = 3;

struct World {
  CoreConfig config;
  support::StopOnFault faults;
  bench::Tile tile{"tile", 64 * 1024};
  World() {
    for (unsigned i = 0; i < kCores; ++i) {
      tile.add_core({support::BusMaster::kNc, "", 4096, 0}, config, faults);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

/// Everything that a run leaves behind.
struct Outcome {
  std::vector<std::uint8_t> l1;
  std::vector<std::uint8_t> local[kCores];
  std::uint32_t regs[kCores][32];
  Cycle time[kCores];
  std::uint64_t executed[kCores];
  bool operator==(const Outcome& o) const {
    for (unsigned i = 0; i < kCores; ++i) {
      if (local[i] != o.local[i] || time[i] != o.time[i] || executed[i] != o.executed[i]) {
        return false;
      }
    }
    return l1 == o.l1 && std::memcmp(regs, o.regs, sizeof regs) == 0;
  }
};

/// Runs random programs that share their data; `window` is the most that the tile may run at once,
/// 0 for no limit; everything stops at cycle `end`, in the middle of things or not.
/// `delay` is a later start of core 1.
Outcome run(World& w, unsigned seed, unsigned window, Cycle end, Cycle delay = 0) {
  std::fill(w.tile.l1.begin(), w.tile.l1.end(), std::uint8_t{0});
  const std::vector<std::uint8_t> zeros(4096);
  std::uint64_t before[kCores];
  for (unsigned i = 0; i < kCores; ++i) {
    Core& core = *w.tile.cores[i];
    std::vector<Word> code = RandomProgram(kCores * seed + i).make(700);
    code.push_back(lui(28, bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    w.tile.load(0x8000 + 0x1800 * i, code);
    core.debug_write(Core::kLocalBase, zeros.data(), 4096);
    before[i] = core.executed_instructions();
    core.release_reset(seed % (i + 3) + (i == 1 ? delay : 0), 0x8000 + 0x1800 * i);
  }
  std::mt19937 random(seed);
  Cycle now = 0;
  while (now < end && w.tile.scheduler.next() != kNever) {
    now = window == 0 ? end : std::min<Cycle>(end, now + 1 + random() % window);
    w.tile.run(now);
  }
  Outcome o;
  o.l1 = w.tile.l1;
  for (unsigned i = 0; i < kCores; ++i) {
    Core& core = *w.tile.cores[i];
    o.local[i].resize(4096);
    core.debug_read(Core::kLocalBase, o.local[i].data(), 4096);
    for (unsigned r = 0; r < 32; ++r) o.regs[i][r] = core.reg(r);
    o.time[i] = core.time();
    o.executed[i] = core.executed_instructions() - before[i];
  }
  return o;
}

TEST(CoreOrder, WindowsChangeNothing) {
  World w;
  unsigned races = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    w.config.instruction_cache.set(seed % 3 == 0 ? "direct_mapped" : "off");
    // Half of the runs are stopped in the middle: what ran ahead privately must agree as well.
    const Cycle end = seed % 2 == 0 ? kNever : 200 + 13 * seed;
    const Outcome free = run(w, seed, 0, end);
    ASSERT_TRUE(free == run(w, seed, 1, end)) << "lockstep, seed " << seed;
    ASSERT_TRUE(free == run(w, seed, 30, end)) << "windows, seed " << seed;
    ASSERT_TRUE(free == run(w, seed, 500, end)) << "long windows, seed " << seed;
    // A delay changes what is in L1: the programs do race.
    if (end == kNever) races += run(w, seed, 0, end, 300).l1 != free.l1;
  }
  EXPECT_GT(races, 20U);
}

}  // namespace
}  // namespace tvp::riscv
