// Cores that race through L1 access it in the same order, however far they may run ahead.
#include <gtest/gtest.h>

#include <array>

#include "models/support/calendar.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"
#include "tests/unit/riscv/random_program.h"

namespace tvp::riscv::core_order_test {
namespace {

using namespace assembler;
using support::Cycle;
using support::kNever;

constexpr unsigned kCores = 3;

struct World {
  CoreConfig config;
  foundation::StopOnFault faults;
  bench::Tile tile{"tile", 64 * 1024};
  bench::Tile neighbor{"neighbor", 64 * 1024};
  World() {
    for (unsigned i = 0; i < kCores; ++i) {
      tile.add_core({support::BusMaster::kNc, "", 4096, 0}, config, faults);
    }
    neighbor.add_core({support::BusMaster::kNc, "", 4096, 0}, config, faults);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};
World& world() {
  static World w;
  return w;
}

/// All state that a run leaves behind.
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

/// Runs random programs that share data. `window` is the longest run of the tile (0: no limit),
/// `end` the cycle at which everything stops, `delay` a later start of core 1.
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
  World& w = world();
  unsigned races = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    w.config.instruction_cache.set(seed % 3 == 0 ? "direct_mapped" : "off");
    // Half of the runs stop in the middle: private progress must be equal, too.
    const Cycle end = seed % 2 == 0 ? kNever : 200 + 13 * seed;
    const Outcome free = run(w, seed, 0, end);
    ASSERT_TRUE(free == run(w, seed, 1, end)) << "lockstep, seed " << seed;
    ASSERT_TRUE(free == run(w, seed, 30, end)) << "windows, seed " << seed;
    ASSERT_TRUE(free == run(w, seed, 500, end)) << "long windows, seed " << seed;
    // A delay changes L1, which proves that the programs race.
    if (end == kNever) races += run(w, seed, 0, end, 300).l1 != free.l1;
  }
  EXPECT_GT(races, 20U);
}

/// Local RAM address of a count that grows forever. An inner loop around it is private, and a store
/// to L1 may follow it.
constexpr std::uint32_t kCount = Core::kLocalBase + 0x10;
std::vector<Word> counting(std::int32_t inner, bool visible) {
  return {
      lui(2, 0xFFB00000),
      lui(3, 0x4000),
      // outer:
      addi(4, 0, inner),
      // private:
      lw(5, 0x10, 2),
      addi(5, 5, 1),
      sw(5, 0x10, 2),
      addi(4, 4, -1),
      bne(4, 0, -4 * 4),
      visible ? sw(5, 0, 3) : nop(),
      jal(0, -4 * 7),
  };
}

// The program alone determines how far private code is ahead. So a reset or the end of a run finds
// the same local data RAM for any window.
TEST(CoreOrder, ResetsCutPrivateLoopsAtTheSamePlace) {
  World& w = world();
  for (Core* other : w.tile.cores) other->assert_reset(0);
  w.config.instruction_cache.set("off");
  Core& core = *w.tile.cores[0];
  // At most one more iteration of the loop beyond the cycles that the rule permits.
  constexpr Cycle kMostAhead = Core::kRunAhead + 20;
  bool ahead = false;
  for (const std::int32_t inner : {1, 3, 9, 200}) {
    for (const bool visible : {true, false}) {
      for (Cycle end = 50; end < 1500; end += 37) {
        std::vector<std::array<std::uint64_t, 4>> found;
        for (const Cycle window : {Cycle{1}, Cycle{7}, Cycle{20}, Cycle{500}, end}) {
          const std::uint32_t zero = 0;
          core.assert_reset(0);
          w.tile.load(0, counting(inner, visible));
          core.debug_write(kCount, &zero, sizeof zero);
          const std::uint64_t before = core.executed_instructions();
          core.release_reset(0, 0);
          for (Cycle now = 0; now < end;) w.tile.run(now = std::min(end, now + window));
          std::uint32_t count = 0;
          core.debug_read(kCount, &count, sizeof count);
          found.push_back({count, core.time(), core.executed_instructions() - before, core.pc()});
          EXPECT_GE(core.time(), end - 1);
          EXPECT_LE(core.time(), end + kMostAhead);
          ahead |= core.time() > end + Core::kRunAhead / 2;
        }
        for (const auto& one : found) {
          ASSERT_EQ(one, found[0]) << inner << " rounds, visible " << visible << ", end " << end;
        }
      }
    }
  }
  core.assert_reset(0);
  EXPECT_TRUE(ahead) << "nothing ran ahead: the test shows nothing";
}

// Two tiles can reach each other in 19 cycles and make a visible store every 60 cycles. Entering a
// tile between two stores would be wasted work.
TEST(CoreOrder, TilesAreEnteredForVisibleAccessesOnly) {
  World& w = world();
  for (Core* core : w.tile.cores) core->assert_reset(0);
  w.config.instruction_cache.set("off");
  support::Calendar calendar({19, 19});
  bench::Tile* const tiles[] = {&w.tile, &w.neighbor};
  std::uint64_t before = 0;
  for (bench::Tile* tile : tiles) {
    const unsigned index = calendar.add_tile(tile->scheduler);
    tile->load(0, counting(9, true));
    before += tile->cores[0]->executed_instructions();
    tile->cores[0]->release_reset(index, 0);
    calendar.tile_woken(index);
  }
  calendar.run_until(60'000);
  std::uint64_t executed = 0;
  for (bench::Tile* tile : tiles) {
    executed += tile->cores[0]->executed_instructions();
    tile->cores[0]->assert_reset(60'000);
  }
  constexpr std::uint64_t kRound = 9 * 5 + 3;
  const std::uint64_t stores = (executed - before) / kRound;
  EXPECT_GT(stores, 1000U);
  EXPECT_LE(calendar.tile_activations(), stores + 10);
}

}  // namespace
}  // namespace tvp::riscv::core_order_test
