// Loops that only count are slept through; an inspection finds the state of executed loops.
#include <gtest/gtest.h>

#include <random>

#include "models/support/calendar.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/heartbeats.h"

namespace tvp::riscv::counting_sleep_test {
namespace {

using namespace heartbeats;

void expect_equal_memories(World& sleeping, World& executing) {
  ASSERT_TRUE(sleeping.tile.l1 == executing.tile.l1);
  for (unsigned i = 0; i < sleeping.used; ++i) {
    std::vector<std::uint8_t> local[2];
    for (auto& bytes : local) bytes.resize(4096);
    ASSERT_TRUE(sleeping.core(i).debug_read(Core::kLocalBase, local[0].data(), 4096));
    ASSERT_TRUE(executing.core(i).debug_read(Core::kLocalBase, local[1].data(), 4096));
    ASSERT_TRUE(local[0] == local[1]) << "core " << i;
  }
}

void expect_equal(World& sleeping, World& executing) {
  ASSERT_NO_FATAL_FAILURE(expect_equal_memories(sleeping, executing));
  for (unsigned i = 0; i < sleeping.used; ++i) {
    SCOPED_TRACE("core " + std::to_string(i));
    ASSERT_EQ(sleeping.core(i).time(), executing.core(i).time());
    ASSERT_EQ(sleeping.core(i).pc(), executing.core(i).pc());
    for (unsigned r = 0; r < 32; ++r) {
      ASSERT_EQ(sleeping.core(i).reg(r), executing.core(i).reg(r)) << "x" << r;
    }
  }
}

/// The acts of a test: inspections and flag changes, `gap` cycles apart. Returns the last cycle.
Cycle random_acts(std::mt19937& random, unsigned waits, unsigned gap, std::vector<Act> (&acts)[2]) {
  Cycle when = 0;
  for (std::uint32_t flag = 1; flag <= waits;) {
    when += random() % (8 * gap);
    const auto kind = static_cast<unsigned>(random() % 6);
    std::vector<Act>& to = acts[random() % 2];
    if (kind == 0) {
      to.push_back({when, Act::kNothing, 0});
    } else if (kind < 4) {
      to.push_back({when, Act::kLook, 0});
    } else {
      to.push_back({when, Act::kFlagInL1, flag});
      to.push_back({when + random() % 50, Act::kFlagInRegister, flag++});
      when = to.back().when;
    }
  }
  return when;
}

TEST(CountingSleep, WhoeverLooksFindsWhatExecutingLeaves) {
  constexpr unsigned kWaits = 5;
  Worlds& w = worlds();
  std::uint64_t slept = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    w.config.instruction_cache.set(seed % 4 < 2 ? "off" : "direct_mapped");
    std::mt19937 random(seed);
    std::vector<Act> acts[2];
    const unsigned gap = 1U << (6 + seed % 8);
    const Cycle when = random_acts(random, kWaits, gap, acts);
    const std::vector<Word> program = HeartbeatProgram(seed).make(kWaits);
    std::uint64_t before[2];
    for (World* world : {&w.sleeping, &w.executing}) {
      before[world == &w.executing] = world->passed(0);
      world->start(program, world == &w.sleeping);
      world->first.start(acts[0]);
      world->last.start(acts[1]);
    }
    const std::uint64_t slept_before = w.sleeping.core().slept_instructions(0);
    for (Cycle end = 0; end < when + 1000;) {
      end += 1 + random() % (seed % 3 == 0 ? 2 * when + 2 : seed % 3 == 1 ? 20 * gap : 3 * gap);
      w.sleeping.tile.run(end);
      w.executing.tile.run(end);
      if (random() % 4 != 0) continue;
      w.sleeping.settle(end);
      ASSERT_NO_FATAL_FAILURE(expect_equal(w.sleeping, w.executing)) << "at cycle " << end;
      ASSERT_EQ(w.sleeping.passed(end) - before[0], w.executing.passed(end) - before[1]);
    }
    w.sleeping.tile.run();
    w.executing.tile.run();
    ASSERT_EQ(w.executing.core().state(), CoreState::kBlocked);
    ASSERT_EQ(w.sleeping.core().state(), CoreState::kBlocked);
    ASSERT_NO_FATAL_FAILURE(expect_equal(w.sleeping, w.executing));
    ASSERT_EQ(w.sleeping.passed(0) - before[0], w.executing.passed(0) - before[1]);
    EXPECT_EQ(w.sleeping.first.seen, w.executing.first.seen);
    EXPECT_EQ(w.sleeping.last.seen, w.executing.last.seen);
    slept += w.sleeping.core().slept_instructions(0) - slept_before;
  }
  EXPECT_GT(slept, 1'000'000U);
  w.config.instruction_cache.set("off");
}

// Several cores, some of which only poll, sleep independently. An access to another core's count
// finds its value of that cycle.
TEST(CountingSleep, CoresOfATileSleepBesideEachOther) {
  constexpr unsigned kWaits = 6;
  World& sleeping = worlds().sleeping;
  World& executing = worlds().executing;
  std::uint64_t slept = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    worlds().config.instruction_cache.set(seed % 4 < 2 ? "off" : "direct_mapped");
    std::mt19937 random(seed);
    std::vector<Act> acts[2];
    const unsigned gap = 1U << (6 + seed % 8);
    const Cycle when = random_acts(random, kWaits, gap, acts);
    // Cores count the flag up, too, possibly from an old value; in the end all waits end.
    for (const Cycle late : {200'000, 400'000}) {
      acts[0].push_back({when + late, Act::kFlagInL1, 1000});
      acts[0].push_back({when + late, Act::kFlagInRegister, 1000});
    }
    std::vector<std::vector<Word>> programs;
    for (unsigned i = 0; i < kCores; ++i) {
      programs.push_back(HeartbeatProgram(4 * seed + i, i, kCores).make(kWaits));
      ASSERT_LT(programs.back().size(), kCode / sizeof(Word));
    }
    std::uint64_t before[2][kCores];
    for (World* world : {&sleeping, &executing}) {
      for (unsigned i = 0; i < kCores; ++i) before[world == &executing][i] = world->passed(0, i);
      world->start_all(programs, world == &sleeping);
      world->first.start(acts[0]);
      world->last.start(acts[1]);
    }
    for (Cycle end = 0; end < when + 60'000;) {
      end += 1 + random() % (seed % 3 == 0 ? 2 * when + 2 : seed % 3 == 1 ? 20 * gap : 3 * gap);
      sleeping.tile.run(end);
      executing.tile.run(end);
      if (random() % 4 != 0) continue;
      sleeping.settle(end);
      ASSERT_NO_FATAL_FAILURE(expect_equal_memories(sleeping, executing)) << "at cycle " << end;
      for (unsigned i = 0; i < kCores; ++i) {
        ASSERT_EQ(sleeping.passed(end, i) - before[0][i], executing.passed(end, i) - before[1][i])
            << "core " << i << " at cycle " << end;
      }
    }
    sleeping.tile.run();
    executing.tile.run();
    for (unsigned i = 0; i < kCores; ++i) {
      ASSERT_EQ(executing.core(i).state(), CoreState::kBlocked);
      ASSERT_EQ(sleeping.core(i).state(), CoreState::kBlocked);
      ASSERT_EQ(sleeping.passed(0, i) - before[0][i], executing.passed(0, i) - before[1][i]);
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(sleeping, executing));
    EXPECT_EQ(sleeping.first.seen, executing.first.seen);
    EXPECT_EQ(sleeping.last.seen, executing.last.seen);
  }
  for (unsigned i = 0; i < kCores; ++i) slept += sleeping.core(i).slept_instructions(0);
  EXPECT_GT(slept, 10'000'000U);
  worlds().config.instruction_cache.set("off");
}

/// `lw; addi; sw` on the count, then a poll of the flag.
std::vector<Word> heartbeat() {
  return {lui(20, kFlag), lui(22, kCounts), lw(5, 0, 22),   addi(5, 5, 1),
          sw(5, 0, 22),   lw(6, 0, 20),     beq(6, 0, -16), lui(29, bench::Tile::kFifo),
          lw(0, 0, 29)};
}

TEST(CountingSleep, IsFreeAndIdle) {
  World& w = worlds().sleeping;
  w.start(heartbeat(), true);
  w.first.start({{1'000'000'000'000, Act::kFlagInL1, 1}});
  w.last.start({});
  const std::uint64_t before = w.core().executed_instructions();
  w.tile.run(999'999'999'999);
  EXPECT_EQ(w.core().state(), CoreState::kSleepingOnPoll);
  EXPECT_EQ(w.core().next(), kNever);
  EXPECT_EQ(w.core().waiting().mask(), 1U << static_cast<unsigned>(Watch::kL1));
  w.tile.run();
  EXPECT_EQ(w.core().state(), CoreState::kBlocked);
  EXPECT_LT(w.core().executed_instructions() - before, 200'000U);
  // A turn takes 16 cycles or more, and the count has wrapped around many times.
  EXPECT_GT(w.core().slept_instructions(0), 200'000'000'000U);
}

// Each core counts in its own memory, so no core wakes another one.
TEST(CountingSleep, NoneKeepsTheOthersAwake) {
  World& w = worlds().sleeping;
  const auto beat = [](unsigned core) {
    return std::vector<Word>{lui(20, kFlag), lui(22, kCounts + kCode * core),
                             lw(5, 0, 22),   addi(5, 5, 1),
                             sw(5, 0, 22),   lw(6, 0, 20),
                             beq(6, 0, -16), lui(29, bench::Tile::kFifo),
                             lw(0, 0, 29)};
  };
  std::uint64_t before[kCores];
  for (unsigned i = 0; i < kCores; ++i) before[i] = w.core(i).executed_instructions();
  w.start_all({beat(0), beat(1), beat(2), {lui(20, kFlag), lw(6, 0, 20), beq(6, 0, -4)}}, true);
  w.first.start({});
  w.last.start({});
  w.tile.run(1'000'000'000);
  for (unsigned i = 0; i < kCores; ++i) {
    EXPECT_EQ(w.core(i).state(), CoreState::kSleepingOnPoll) << "core " << i;
    EXPECT_LT(w.core(i).executed_instructions() - before[i], 100'000U) << "core " << i;
  }
  EXPECT_EQ(w.tile.scheduler.next(), kNever);
  w.settle(1'000'000'000);
  const std::uint32_t count = w.tile.word(kCounts);
  EXPECT_GT(count, 40'000'000U);
  w.tile.run(1'001'000'000);
  w.settle(1'001'000'000);
  EXPECT_NEAR(w.tile.word(kCounts), count * 1.001, 3);
  for (unsigned i = 0; i < kCores; ++i) w.core(i).assert_reset(1'001'000'000);
}

// Nothing else runs, so no event can end the loop and the tile is idle.
TEST(CountingSleep, LoopsThatOnlyCountSpin) {
  for (const std::vector<Word>& program :
       {std::vector<Word>{addi(5, 5, 1), jal(0, -4)},
        std::vector<Word>{lui(2, 0xFFB00000), lw(5, 0, 2), addi(5, 5, 1), sw(5, 0, 2),
                          addi(5, 0, 0), jal(0, -4 * 4)},
        std::vector<Word>{lui(22, kCounts), lbu(5, 3, 22), addi(5, 5, 1), sb(5, 3, 22),
                          jal(0, -4 * 3)},
        std::vector<Word>{lui(22, kCounts), lw(5, 4, 22), addi(5, 5, 1), sw(5, 4, 22),
                          jal(0, -4 * 3)}}) {
    World& w = worlds().sleeping;
    w.start(program, true);
    w.first.start({});
    w.last.start({});
    w.tile.run(1'000'000);
    EXPECT_EQ(w.core().next(), kNever);
    EXPECT_EQ(w.core().state(), CoreState::kSpinning) << "it waits for nobody";
    EXPECT_EQ(w.core().waiting().mask(), 0U);
    w.core().assert_reset(1'000'000);
  }
}

/// Loops that do more than count, each with its effect.
TEST(CountingSleep, LoopsThatDoMoreAreExecuted) {
  const Word clock = lui(24, bench::Tile::kRegisters);
  const struct {
    const char* what;
    std::vector<Word> program;
  } kRows[] = {
      {"it ends when the count comes to something",
       {addi(5, 5, 1), lui(6, 0x7FFFF000), bne(5, 6, -8), ebreak()}},
      {"the count is an address",
       {lui(22, kCounts), addi(5, 5, 1), andi(6, 5, 28), add(6, 6, 22), sw(5, 0, 6), jal(0, -16)}},
      {"the count triples", {addi(5, 5, 1), add(6, 5, 5), add(5, 5, 6), jal(0, -12)}},
      {"it shifts", {addi(5, 5, 1), lui(6, 0x10000), slli(7, 7, 1), or_(7, 7, 5), jal(0, -16)}},
      {"two counts are added", {addi(5, 5, 1), add(6, 6, 5), jal(0, -8)}},
      {"it is a series", {addi(5, 5, 1), addi(6, 0, 5), mul(7, 7, 6), add(7, 7, 5), jal(0, -16)}},
      {"it reads the clock", {clock, addi(5, 5, 1), lw(6, 0x1F0, 24), jal(0, -8)}},
      {"it stores to a register", {clock, addi(5, 5, 1), sw(5, 0, 24), jal(0, -8)}},
      {"it pushes instructions", {addi(5, 5, 1), ttinsn(0x02000000), jal(0, -8)}},
      {"a division takes as long as the count is large",
       {addi(5, 5, 1), addi(6, 0, 3), div(7, 5, 6), jal(0, -12)}},
      {"bytes of a word that is a count are loaded",
       {lui(22, kCounts), lw(5, 0, 22), addi(5, 5, 1), sw(5, 0, 22), lbu(6, 1, 22), jal(0, -16)}},
  };
  std::mt19937 random(1);
  for (unsigned i = 0; i < 20 * std::size(kRows); ++i) {
    const auto& row = kRows[random() % std::size(kRows)];
    SCOPED_TRACE(row.what);
    World& w = worlds().sleeping;
    const std::uint64_t before = w.core().slept_instructions(0);
    w.start(row.program, true);
    w.first.start({});
    w.last.start({});
    w.tile.run(300'000);
    EXPECT_EQ(w.core().state(), CoreState::kRunning);
    EXPECT_FALSE(w.tile.scheduler.has_left());
    EXPECT_EQ(w.core().slept_instructions(0), before);
    w.core().assert_reset(300'000);
  }
}

/// Runs both worlds and compares them repeatedly.
void expect_equal_runs(const std::vector<std::vector<Word>>& programs, const std::vector<Act>& acts,
                       Cycle end, Cycle step) {
  World& sleeping = worlds().sleeping;
  World& executing = worlds().executing;
  for (World* world : {&sleeping, &executing}) {
    world->start_all(programs, world == &sleeping);
    world->first.start(acts);
    world->last.start({});
  }
  for (Cycle now = step; now <= end; now += step) {
    sleeping.tile.run(now);
    executing.tile.run(now);
    sleeping.settle(now);
    ASSERT_NO_FATAL_FAILURE(expect_equal_memories(sleeping, executing)) << "at cycle " << now;
  }
  for (World* world : {&sleeping, &executing}) {
    for (unsigned i = 0; i < world->used; ++i) world->core(i).assert_reset(end);
  }
}

/// Repeats `body` followed by some 300 idle cycles.
std::vector<Word> slowly(std::vector<Word> head, const std::vector<Word>& body) {
  const std::size_t top = head.size();
  head.insert(head.end(), body.begin(), body.end());
  head.insert(head.end(), {addi(24, 0, 100), addi(24, 24, -1), bne(24, 0, -4)});
  head.push_back(jal(0, -4 * static_cast<std::int32_t>(head.size() - top)));
  return head;
}

// Between two iterations of a slow loop, a fast loop may fall asleep. If it reads the slow one's
// count, or counts what the slow one reads, the slow one must stay awake.
TEST(CountingSleep, ASlowLoopStaysAwakeBesideAFastOneThatItConcerns) {
  const Word other = 0x400;  // the second core's count follows the first one's
  const std::vector<Word> places{lui(22, kCounts), addi(23, 22, other)};
  for (const bool byte : {false, true}) {
    SCOPED_TRACE(byte ? "bytes" : "words");
    const auto load = [&](Word rd, Word base) { return byte ? lbu(rd, 0, base) : lw(rd, 0, base); };
    const auto store = [&](Word rs, Word base) { return byte ? sb(rs, 0, base) : sw(rs, 0, base); };
    // The fast loop waits until the slow count reaches 100.
    std::vector<Word> waits = places;
    waits.insert(waits.end(),
                 {addi(10, 0, 100), lw(7, 4, 23), addi(7, 7, 1), sw(7, 4, 23), load(6, 22),
                  bltu(6, 10, -16), sw(10, 8, 23), lui(29, bench::Tile::kFifo), lw(0, 0, 29)});
    ASSERT_NO_FATAL_FAILURE(expect_equal_runs(
        {slowly(places, {load(5, 22), addi(5, 5, 1), store(5, 22)}), waits}, {}, 120'000, 40'000));
    EXPECT_EQ(worlds().sleeping.tile.word(kCounts + other + 8), 100U);
    // The slow loop shows the fast one's count.
    std::vector<Word> counts = places;
    counts.insert(counts.end(), {load(5, 23), addi(5, 5, 1), store(5, 23), jal(0, -12)});
    ASSERT_NO_FATAL_FAILURE(expect_equal_runs({slowly(places, {load(5, 23), sw(5, 4, 22)}), counts},
                                              {}, 400'000, 50'000));
  }
}

/// A core that waits some 20000 cycles in a counting loop, and then executes `rest`.
std::vector<Word> later(const std::vector<Word>& rest) {
  std::vector<Word> program{lui(22, kCounts), lui(24, 0x2000), addi(24, 24, -1), bne(24, 0, -4)};
  program.insert(program.end(), rest.begin(), rest.end());
  program.insert(program.end(), {lui(29, bench::Tile::kFifo), lw(0, 0, 29)});
  return program;
}

// A core's count may be another core's instruction.
TEST(CountingSleep, CodeIsFetchedAsItHasBeenCounted) {
  // addi x9, x0, 0; each iteration increments its immediate.
  const std::vector<Word> counts{
      lui(22, kCounts),   addi(5, 0, 0), lui(7, addi(9, 0, 0)), addi(7, 7, 0x493), sw(7, 0, 22),
      lui(6, 0x00100000), lw(5, 0, 22),  add(5, 5, 6),          sw(5, 0, 22),      jal(0, -12)};
  ASSERT_EQ(addi(9, 0, 0), 0x493U);
  const std::vector<Word> fetches =
      later({lui(7, jalr(0, 1, 0)), addi(7, 7, 0x67), sw(7, 4, 22), jalr(1, 22, 0), sw(9, 8, 22)});
  ASSERT_EQ(jalr(0, 1, 0), 0x8067U);
  ASSERT_NO_FATAL_FAILURE(expect_equal_runs({counts, fetches}, {}, 60'000, 60'000));
  EXPECT_NE(worlds().sleeping.tile.word(kCounts + 8), 0U);
}

/// A coprocessor that reads the count when an instruction arrives.
struct Reader : TensixInstructionPort {
  explicit Reader(bench::Tile& of) : tile(of) {}
  bool push(unsigned, std::uint32_t, Cycle, unsigned) override {
    seen.push_back(tile.word(kCounts));
    return true;
  }
  bench::Tile& tile;
  std::vector<std::uint32_t> seen;
};

TEST(CountingSleep, InstructionsFindInL1WhatHasBeenCounted) {
  static Reader sleeping(worlds().sleeping.tile);
  static Reader executing(worlds().executing.tile);
  worlds().sleeping.core(3).connect(sleeping);
  worlds().executing.core(3).connect(executing);
  const std::vector<Word> counts{lui(22, kCounts), lw(5, 0, 22), addi(5, 5, 1), sw(5, 0, 22),
                                 jal(0, -12)};
  const std::vector<Word> idle{lui(29, bench::Tile::kFifo), lw(0, 0, 29)};
  const std::vector<Word> pushes = later({ttinsn(0x02000000), nop(), nop(), ttinsn(0x02000000)});
  ASSERT_NO_FATAL_FAILURE(expect_equal_runs({counts, idle, idle, pushes}, {}, 60'000, 60'000));
  EXPECT_EQ(sleeping.seen.size(), 2U);
  EXPECT_EQ(sleeping.seen, executing.seen);
  EXPECT_GT(executing.seen.at(0), 500U);
}

// A count that ends the program at its first odd value must be stored each time.
TEST(CountingSleep, CountsThatCanEndTheProgramAreStored) {
  World& w = worlds().sleeping;
  const std::vector<Word> counts{lui(22, kCounts), addi(6, 0, 2), lw(5, 0, 22),
                                 add(5, 5, 6),     sw(5, 0, 22),  jal(0, -12)};
  for (const bool stops : {true, false}) {
    w.start(counts, true);
    w.first.start({});
    w.last.start({});
    w.core().hooks().stop_at_odd_store(stops ? kCounts : Core::kNoStop);
    w.tile.run(300'000);
    EXPECT_EQ(w.tile.scheduler.has_left(), !stops);
    EXPECT_EQ(w.core().state(), stops ? CoreState::kRunning : CoreState::kSpinning);
    w.core().assert_reset(300'000);
  }
}

// An iteration is replayed with the recorded register values. Only a limited number of loads is
// recorded.
TEST(CountingSleep, LoopsThatReadARegisterBehindManyLoadsAreExecuted) {
  std::vector<Word> program{lui(20, kFlag), lui(21, bench::Tile::kRegisters), lui(22, kCounts)};
  const auto top = static_cast<std::int32_t>(program.size());
  for (int i = 0; i < 70; ++i) program.push_back(lw(6, 4 * i, 20));
  for (const Word word : {lw(5, 0, 22), addi(5, 5, 1), sw(5, 0, 22), lw(8, 4, 21)}) {
    program.push_back(word);
  }
  program.push_back(beq(8, 0, 4 * (top - static_cast<std::int32_t>(program.size()))));
  for (const Word word : {sw(5, 4, 22), lui(29, bench::Tile::kFifo), lw(0, 0, 29)}) {
    program.push_back(word);
  }
  for (Cycle when = 200'000; when < 200'400; when += 13) {
    World& sleeping = worlds().sleeping;
    World& executing = worlds().executing;
    for (World* world : {&sleeping, &executing}) {
      world->start(program, world == &sleeping);
      world->first.start({});
      world->last.start({});
      world->tile.run(when);
      world->tile.registers[1] = 1;
      world->tile.watches.changed(Watch::kTileControl, when, 0);
      world->tile.run();
      EXPECT_EQ(world->core().state(), CoreState::kBlocked);
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(sleeping, executing)) << "at cycle " << when;
  }
}

// Register values that a resumed loop has read are valid until the cycle of the change. The core
// then also sleeps through the next loop, which reads none.
TEST(CountingSleep, ALoopBehindOneThatReadARegisterSleeps) {
  World& w = worlds().sleeping;
  w.start({lui(20, kFlag), lui(21, bench::Tile::kRegisters), lui(22, kCounts), lw(8, 4, 21),
           lw(5, 0, 22), addi(5, 5, 1), sw(5, 0, 22), lw(6, 0, 20), beq(6, 0, -4 * 5), lw(7, 4, 22),
           addi(7, 7, 1), sw(7, 4, 22), jal(0, -4 * 3)},
          true);
  w.first.start({{300'000, Act::kFlagInL1, 1}});
  w.last.start({});
  w.tile.run(299'999);
  ASSERT_EQ(w.core().state(), CoreState::kSleepingOnPoll);
  w.tile.run(600'000);
  EXPECT_EQ(w.core().state(), CoreState::kSpinning);
  EXPECT_EQ(w.core().next(), kNever);
  w.core().assert_reset(600'000);
}

TEST(CountingSleep, StoresThatSomebodySleepsOnAreMade) {
  struct Sleeper : support::Sleeper {
    unsigned told = 0;
    void location_changed(Cycle, unsigned) override { ++told; }
  } sleeper;
  World& w = worlds().sleeping;
  w.start(heartbeat(), true);
  w.first.start({});
  w.last.start({});
  w.tile.watches.sleep(sleeper, 0, {{kCounts, kCounts + 3}});
  w.tile.run(100'000);
  EXPECT_EQ(w.core().state(), CoreState::kRunning);
  EXPECT_EQ(sleeper.told, w.tile.word(kCounts));
  w.tile.watches.cancel(sleeper);
  w.tile.run(1'000'000);
  EXPECT_EQ(w.core().state(), CoreState::kSleepingOnPoll);
  w.core().assert_reset(1'000'000);
}

// An inspection makes a counting core catch up, and reports what it was doing.
TEST(CountingSleep, WhoeverLooksIsToldOfTheLoopAndNotOfTheLook) {
  World& w = worlds().sleeping;
  const std::vector<Word> program{lui(22, kCounts), lw(5, 0, 22), addi(5, 5, 1), sw(5, 0, 22),
                                  jal(0, -12)};
  w.start(program, true);
  w.first.start({});
  w.last.start({});
  w.tile.run(300'000);
  ASSERT_EQ(w.core().state(), CoreState::kSpinning);
  w.settle(300'000);
  EXPECT_EQ(w.core().state(), CoreState::kRunning);
  EXPECT_EQ(w.core().state_at(300'000), CoreState::kSpinning);
  EXPECT_EQ(w.core().state_at(300'001), CoreState::kRunning);
  EXPECT_EQ(w.core().waiting().counts().size(), 1U);
  w.core().assert_reset(300'000);
  EXPECT_EQ(w.core().state_at(300'000), CoreState::kInReset);
  // Another program without counts.
  w.start({addi(5, 0, 1), lui(29, bench::Tile::kFifo), sw(5, 0, 29), jal(0, -8)}, true);
  w.core().release_reset(300'000, 0);
  w.tile.run(300'002);
  EXPECT_EQ(w.core().state(), CoreState::kRunning);
  EXPECT_TRUE(w.core().waiting().counts().empty());
  w.tile.fifo.clear();
  w.core().assert_reset(300'002);
}

// A reset may come between the change of a polled word and the cycle at which the core would see
// it.
TEST(CountingSleep, AResetBeforeTheWakeCountsWhatHasBeenPolled) {
  std::vector<Word> program{lui(20, kFlag), lw(5, 0, 20)};
  for (int i = 0; i < 40; ++i) program.push_back(nop());
  program.push_back(beq(5, 0, -4 * 41));
  for (Cycle when = 10'000; when < 10'060; when += 7) {
    std::uint64_t before[2], passed[2];
    for (World* world : {&worlds().sleeping, &worlds().executing}) {
      const unsigned i = world == &worlds().executing;
      before[i] = world->passed(0);
      world->start(program, i == 0);
      world->first.start({{when, Act::kFlagInL1, 1}});
      world->last.start({{when, Act::kReset, 0}});
      world->tile.run(when + 1);
      passed[i] = world->passed(when + 1) - before[i];
      world->tile.run(when + 5000);
      EXPECT_EQ(world->passed(when + 5000) - before[i], passed[i]) << "it is in reset";
    }
    EXPECT_EQ(passed[0], passed[1]) << when;
  }
}

// A host that inspects between two runs sees the current state and wakes no core.
TEST(CountingSleep, SettlingLeavesTheCalendarIdle) {
  World& w = worlds().sleeping;
  support::Calendar calendar({});
  calendar.add_tile(w.tile.scheduler);
  w.start(heartbeat(), true);
  w.first.start({});
  w.last.start({});
  calendar.tile_woken(0);
  calendar.run_until(1'000'000);
  ASSERT_EQ(calendar.next(), kNever);
  const std::uint32_t at_rest = w.tile.word(kCounts);
  calendar.settle();
  const std::uint32_t then = w.tile.word(kCounts);
  EXPECT_GT(then, at_rest);
  EXPECT_EQ(calendar.next(), kNever);
  calendar.settle();
  EXPECT_EQ(w.tile.word(kCounts), then) << "no time has passed";
  calendar.run_until(2'000'000);
  EXPECT_EQ(calendar.next(), kNever);
  calendar.settle(0);
  EXPECT_NEAR(w.tile.word(kCounts), 2.0 * then, 2);
  w.core().assert_reset(2'000'000);
}

}  // namespace
}  // namespace tvp::riscv::counting_sleep_test
