// Polls that are slept through take exactly the time of executed polls.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/sleep_bench.h"

namespace tvp::riscv::core_poll_test {
namespace {

using namespace assembler;
using support::Cycle;
using support::kNever;
using support::Watch;

using bench::kFlags;
constexpr unsigned kFlagCount = 4;
constexpr unsigned kInvalidate = kFlagCount;  ///< instead of a flag: invalidates a core's code
constexpr unsigned kWaits = 24;
constexpr std::uint32_t kLast = 1000;  ///< every flag ends above every target

struct Change {
  Cycle when;
  bool in_l1;
  unsigned flag;
  std::uint32_t value;
};
class Writer : public bench::Script<Change> {
 public:
  using Script::Script;

 private:
  void act(const Change& c) override {
    if (c.flag == kInvalidate) {
      tile().cores[c.value % 2]->invalidate_instruction_cache(c.when);
    } else {
      write_flag(c.in_l1, c.flag, c.value, c.when);
    }
  }
};

using World = bench::SleepWorld<Writer>;
using Worlds = bench::Worlds<World>;
Worlds& worlds() {
  static Worlds w("poll",
                  {{support::BusMaster::kB, "", 4096, 0}, {support::BusMaster::kT1, "", 2048, 0}});
  return w;
}

/// Random waits of different forms; the program records the time of each in L1. x20 L1 flags, x21
/// registers, x22 log, x23 local RAM, x24 clock, x10 target.
class PollProgram {
 public:
  explicit PollProgram(unsigned seed) : random_(seed) {}

  std::vector<Word> make(std::uint32_t log) {
    code_ = {lui(20, kFlags),     lui(21, bench::Tile::kRegisters),
             lui(22, log),        lui(23, Core::kLocalBase),
             addi(24, 21, 0x1F0), addi(11, 0, 7),
             addi(12, 0, 3),      addi(25, 0, kLast)};
    for (unsigned i = 0; i < kWaits; ++i) {
      code_.push_back(addi(10, 0, static_cast<std::int32_t>(1 + i * 20 + pick(20))));
      wait();
      code_.push_back(lw(13, 0, 24));
      code_.push_back(sw(13, static_cast<std::int32_t>(4 * i), 22));
      // The other core may be waiting for this store.
      if (pick(3) == 0) code_.push_back(sw(25, offset(), pick(2) ? 20 : 21));
    }
    code_.push_back(lui(28, bench::Tile::kFifo));
    code_.push_back(lw(0, 0, 28));
    return code_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::int32_t offset() { return static_cast<std::int32_t>(4 * pick(kFlagCount)); }
  Word flag_load(Word rd) {
    const Word base = pick(3) == 0 ? 21 : 20;
    return pick(4) == 0 ? lhu(rd, offset(), base) : lw(rd, offset(), base);
  }
  void filler() {
    for (unsigned n = pick(4); n > 0; --n) {
      switch (pick(9)) {
        case 0:
          code_.push_back(mul(14, 11, 12));
          break;
        case 1:
          code_.push_back(divu(15, 11, 12));
          break;
        case 2:
          code_.push_back(sw(11, 16, 23));
          break;
        case 3:
          code_.push_back(lw(16, 16, 23));
          break;
        case 4:
          code_.push_back(beq(11, 12, 8));
          break;
        case 5:
          code_.push_back(bne(11, 12, 4));
          break;
        case 6:
          code_.push_back(sw(pick(2) ? 11 : 12, 32, 23));
          break;
        case 7:
          code_.push_back(lbu(17, 16, 23));
          break;
        default:
          code_.push_back(xori(18, 11, 5));
          break;
      }
    }
  }
  std::int32_t back_to(std::size_t top) const {
    return -4 * static_cast<std::int32_t>(code_.size() - top);
  }
  void wait() {
    std::size_t top = code_.size();
    switch (pick(6)) {
      case 0:  // one location
        filler();
        code_.push_back(flag_load(5));
        filler();
        code_.push_back(bltu(5, 10, back_to(top)));
        break;
      case 1:  // two locations at once
        code_.push_back(flag_load(5));
        filler();
        code_.push_back(flag_load(6));
        filler();
        code_.push_back(or_(7, 5, 6));
        code_.push_back(bltu(7, 10, back_to(top)));
        break;
      case 2:  // leave in the middle
        code_.push_back(flag_load(5));
        code_.push_back(bgeu(5, 10, 16));
        code_.push_back(flag_load(6));
        code_.push_back(bgeu(6, 10, 8));
        code_.push_back(jal(0, back_to(top)));
        break;
      case 3:  // through a function
        code_.push_back(jal(0, 12));
        code_.push_back(flag_load(5));
        code_.push_back(jalr(0, 1, 0));
        top = code_.size();
        filler();
        code_.push_back(jal(1, -4 * static_cast<std::int32_t>(code_.size() - top + 2)));
        code_.push_back(bltu(5, 10, back_to(top)));
        break;
      case 4:  // a count of polls, so each must be executed
        code_.push_back(flag_load(5));
        code_.push_back(addi(19, 19, 1));
        code_.push_back(bltu(5, 10, back_to(top)));
        break;
      default: {  // four loads with a small inner loop
        code_.push_back(addi(9, 0, 2));
        const std::size_t inner = code_.size();
        code_.push_back(flag_load(5));
        code_.push_back(flag_load(6));
        code_.push_back(addi(9, 9, -1));
        code_.push_back(bne(9, 0, back_to(inner)));
        code_.push_back(bltu(5, 10, back_to(top)));
        break;
      }
    }
  }

  std::mt19937 random_;
  std::vector<Word> code_;
};

std::vector<Change> random_changes(std::mt19937& random, unsigned mean_gap) {
  std::vector<Change> changes;
  Cycle when = 0;
  for (unsigned i = 0; i < 120; ++i) {
    when += random() % (2 * mean_gap);
    changes.push_back({when, random() % 3 != 0, static_cast<unsigned>(random() % (kFlagCount + 1)),
                       static_cast<std::uint32_t>(random() % (5 * i + 1))});
  }
  for (unsigned f = 0; f < kFlagCount; ++f) {
    for (bool in_l1 : {false, true}) {
      when += random() % 400;
      changes.push_back({when, in_l1, f, kLast});
    }
  }
  return changes;
}

struct Scenario {
  std::vector<Word> programs[2];
  std::vector<Change> changes[2];
};

void start(World& w, const Scenario& setup, bool sleep) {
  w.clear(2048);
  for (unsigned i = 0; i < 2; ++i) {
    Core& core = *w.tile.cores[i];
    w.tile.load(0x1000 * i, setup.programs[i]);
    core.set_poll_sleep(sleep);
    core.release_reset(i, 0x1000 * i);
  }
  w.first.start(setup.changes[0]);
  w.last.start(setup.changes[1]);
}

TEST(CorePoll, SleepingEqualsExecuting) {
  Worlds& w = worlds();
  std::uint64_t slept_total = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    // With and without instruction caches; that of core 1 is small enough to be thrashed.
    w.config.instruction_cache.set(seed % 4 < 2 ? "off" : "direct_mapped");
    std::mt19937 random(seed);
    Scenario setup;
    setup.programs[0] = PollProgram(2 * seed).make(0x4000);
    setup.programs[1] = PollProgram(2 * seed + 1).make(0x5000);
    const unsigned gap = 1U << (1 + seed % 10);
    setup.changes[0] = random_changes(random, gap);
    setup.changes[1] = random_changes(random, gap);

    std::uint64_t before[2][2];
    for (unsigned i = 0; i < 2; ++i) {
      before[0][i] = w.sleeping.tile.cores[i]->executed_instructions() +
                     w.sleeping.tile.cores[i]->slept_instructions(0);
      before[1][i] = w.executing.tile.cores[i]->executed_instructions();
    }
    start(w.executing, setup, false);
    w.executing.tile.run();
    start(w.sleeping, setup, true);
    if (seed % 3 == 0) {
      w.sleeping.tile.run();
    } else {
      // Random windows cut iterations at any point.
      for (Cycle end = 0; w.sleeping.tile.scheduler.next() != kNever;) {
        end = std::max(end, w.sleeping.tile.scheduler.next());
        end += 1 + random() % (seed % 3 == 1 ? 40 : 2);
        w.sleeping.tile.run(end);
      }
    }
    for (unsigned i = 0; i < 2; ++i) {
      Core& a = *w.sleeping.tile.cores[i];
      Core& b = *w.executing.tile.cores[i];
      ASSERT_EQ(b.state(), CoreState::kBlocked);
      ASSERT_EQ(a.state(), CoreState::kBlocked);
      ASSERT_EQ(a.time(), b.time());
      for (unsigned r = 0; r < 32; ++r) ASSERT_EQ(a.reg(r), b.reg(r)) << "x" << r;
      ASSERT_EQ(a.executed_instructions() + a.slept_instructions(0) - before[0][i],
                b.executed_instructions() - before[1][i]);
    }
    ASSERT_TRUE(w.sleeping.tile.l1 == w.executing.tile.l1);
    slept_total = w.sleeping.tile.cores[0]->slept_instructions(0);
  }
  EXPECT_GT(slept_total, 100'000U);
  EXPECT_EQ(w.executing.tile.cores[0]->slept_instructions(0), 0U);
  w.config.instruction_cache.set("off");
}

// A scan over several flags with an inner loop, and calls of code that evicts it from the
// instruction cache. It is periodic nevertheless.
TEST(CorePoll, ScansWithInnerLoopsAndCacheMissesAreSleptThrough) {
  Worlds& w = worlds();
  w.config.instruction_cache.set("direct_mapped");
  const std::vector<Word> scan{lui(20, kFlags), addi(8, 20, 0), addi(9, 0, 4),  // outer: four flags
                               lw(5, 0, 8),     bne(5, 0, 28),  jal(1, 512 - 20),
                               addi(8, 8, 4),   addi(9, 9, -1), bne(9, 0, -20),
                               lw(6, 0, 20),    beq(6, 0, -36), lui(28, bench::Tile::kFifo),
                               lw(0, 0, 28)};
  Scenario setup{{{}, scan}, {{}, {{100'000, true, 2, 1}}}};
  Cycle time[2];
  std::uint64_t executed = 0;
  for (World* world : {&w.sleeping, &w.executing}) {
    start(*world, setup, world == &w.sleeping);
    world->tile.cores[0]->assert_reset(0);
    world->tile.load(0x1000 + 512, {addi(7, 0, 1), jalr(0, 1, 0)});
    Core& core = *world->tile.cores[1];
    const std::uint64_t before = core.executed_instructions();
    world->tile.run();
    ASSERT_EQ(core.state(), CoreState::kBlocked);
    time[world == &w.executing] = core.time();
    if (world == &w.sleeping) executed = core.executed_instructions() - before;
  }
  EXPECT_EQ(time[0], time[1]);
  EXPECT_LT(executed, 1000U);
  w.config.instruction_cache.set("off");
}

/// A lone poll of one L1 word, for the tests below.
std::vector<Word> lone_poll() {
  return {lui(20, kFlags),  lw(5, 0, 20),
          beq(5, 0, -4),    lui(24, bench::Tile::kRegisters),
          lw(6, 0x1F0, 24), lui(28, bench::Tile::kFifo),
          lw(0, 0, 28)};
}

TEST(CorePoll, WaitingIsFree) {
  World& w = worlds().sleeping;
  Core& core = *w.tile.cores[0];
  start(w, {{lone_poll(), {}}, {{{1'000'000'000, true, 0, 1}}, {}}}, true);
  w.tile.cores[1]->assert_reset(0);
  const std::uint64_t before = core.executed_instructions();
  w.tile.run(999'999'999);
  EXPECT_EQ(core.state(), CoreState::kSleepingOnPoll);
  EXPECT_EQ(core.waiting().mask(), 1U << static_cast<unsigned>(Watch::kL1));
  ASSERT_EQ(core.waiting().ranges().size(), 1U);
  EXPECT_EQ(core.waiting().ranges()[0].first, kFlags);
  EXPECT_EQ(core.waiting().ranges()[0].last, kFlags + 3);
  EXPECT_GT(core.waiting_cycles(999'999'000), 999'990'000U - 1000);
  w.tile.run();
  EXPECT_EQ(core.state(), CoreState::kBlocked);
  EXPECT_LT(core.executed_instructions() - before, 40U);
  EXPECT_NEAR(core.reg(6), 1'000'000'010, 10);
}

TEST(CorePoll, ChangeOfAnotherLocationDoesNotWake) {
  World& w = worlds().sleeping;
  start(w, {{lone_poll(), {}}, {{{5000, true, 1, 1}, {6000, false, 0, 1}}, {}}}, true);
  w.tile.cores[1]->assert_reset(0);
  w.tile.run(2000);
  const std::uint64_t executed = w.tile.cores[0]->executed_instructions();
  w.tile.run();
  EXPECT_EQ(w.tile.cores[0]->state(), CoreState::kSleepingOnPoll);
  EXPECT_EQ(w.tile.cores[0]->executed_instructions(), executed);
  EXPECT_EQ(w.tile.cores[0]->next(), kNever);
}

TEST(CorePoll, LoopThatReadsTheClockIsExecuted) {
  World& w = worlds().sleeping;
  // Waits until the clock reaches 30000.
  start(w,
        {{{lui(24, bench::Tile::kRegisters), lui(7, 0x8000), lw(5, 0x1F0, 24), bltu(5, 7, -4),
           lui(28, bench::Tile::kFifo), lw(0, 0, 28)},
          {}},
         {}},
        true);
  w.tile.cores[1]->assert_reset(0);
  w.tile.run();
  EXPECT_EQ(w.tile.cores[0]->state(), CoreState::kBlocked);
  EXPECT_GE(w.tile.cores[0]->reg(5), 0x8000U);
  EXPECT_LT(w.tile.cores[0]->reg(5), 0x8000U + 12);
}

// No event can end these loops, so the tile is idle if nothing else runs.
TEST(CorePoll, EndlessLoopsWithoutEffectSpin) {
  const std::vector<Word> self{addi(5, 0, 3), jal(0, 0)};
  // Two jumps, an access to local RAM without a change, and an L1 load before the loop.
  const std::vector<Word> busy{lw(6, 0, 0), lui(2, 0xFFB00000), lw(7, 0, 2),
                               sw(7, 0, 2), jal(0, 8),          nop(),
                               nop(),       jal(0, -4 * 5)};
  for (const auto& program : {self, busy}) {
    std::uint64_t passed[2];
    for (const bool sleep : {false, true}) {
      World& w = worlds().sleeping;
      Core& core = *w.tile.cores[0];
      const std::uint64_t before = core.executed_instructions() + core.slept_instructions(0);
      start(w, {{program, {}}, {}}, sleep);
      const Cycle waited = core.waiting_cycles(0);
      w.tile.cores[1]->assert_reset(0);
      w.tile.run(50'000);
      EXPECT_EQ(core.state(), sleep ? CoreState::kSpinning : CoreState::kRunning);
      EXPECT_EQ(core.next() == kNever, sleep);
      EXPECT_EQ(core.waiting().mask(), 0U);
      EXPECT_EQ(core.waiting_cycles(50'000), waited);
      passed[sleep] = core.executed_instructions() + core.slept_instructions(50'000) - before;
      core.assert_reset(50'000);
      core.set_poll_sleep(true);
      EXPECT_EQ(core.state(), CoreState::kInReset);
    }
    EXPECT_EQ(passed[0], passed[1]);
  }
}

// An invalidation ends a loop that depends on fetched words only.
TEST(CorePoll, NewCodeEndsASpin) {
  World& w = worlds().sleeping;
  Core& core = *w.tile.cores[0];
  start(w, {{{jal(0, 0)}, {}}, {}}, true);
  w.tile.cores[1]->assert_reset(0);
  w.tile.run(10'000);
  ASSERT_EQ(core.state(), CoreState::kSpinning);
  w.tile.load(0, {addi(5, 0, 42), lui(28, bench::Tile::kFifo), lw(0, 0, 28)});
  w.tile.run(20'000);
  ASSERT_EQ(core.state(), CoreState::kSpinning);
  core.invalidate_instruction_cache(20'000);
  w.tile.run(30'000);
  EXPECT_EQ(core.state(), CoreState::kBlocked);
  EXPECT_EQ(core.reg(5), 42U);
  EXPECT_GT(core.time(), 20'000U);
  core.assert_reset(30'000);
}

// A loop that changes a register or local RAM in each iteration could end, so it is executed.
TEST(CorePoll, LoopsThatCountDoNotSpin) {
  World& w = worlds().sleeping;
  Core& core = *w.tile.cores[0];
  for (const std::vector<Word>& program :
       {std::vector<Word>{addi(5, 5, 1), jal(0, -4)},
        std::vector<Word>{lui(2, 0xFFB00000), lw(5, 0, 2), addi(5, 5, 1), sw(5, 0, 2),
                          addi(5, 0, 0), jal(0, -4 * 4)}}) {
    start(w, {{program, {}}, {}}, true);
    w.tile.cores[1]->assert_reset(0);
    w.tile.run(50'000);
    EXPECT_EQ(core.state(), CoreState::kRunning);
    core.assert_reset(50'000);
  }
}

TEST(CorePoll, ResetWhileAsleep) {
  World& w = worlds().sleeping;
  Core& core = *w.tile.cores[0];
  start(w, {{lone_poll(), {}}, {{{50'000, true, 0, 1}}, {}}}, true);
  w.tile.cores[1]->assert_reset(0);
  w.tile.run(10'000);
  ASSERT_EQ(core.state(), CoreState::kSleepingOnPoll);
  const std::uint64_t before = core.slept_instructions(9'000);
  // One iteration is nine cycles: the branch waits eight for the load.
  EXPECT_EQ(core.slept_instructions(9'900) - before, 200U);
  core.assert_reset(20'000);
  w.tile.run();
  EXPECT_EQ(core.state(), CoreState::kInReset);
  EXPECT_EQ(core.next(), kNever);
  w.tile.l1[kFlags] = 0;
  core.release_reset(60'000, 0);
  w.tile.run();
  EXPECT_EQ(core.state(), CoreState::kSleepingOnPoll);
}

}  // namespace
}  // namespace tvp::riscv::core_poll_test
