// Loops that only count are slept through, and whoever looks finds what executing them leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/support/calendar.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/sleep_bench.h"

namespace tvp::riscv::counting_sleep_test {
namespace {

using namespace assembler;
using support::Cycle;
using support::kNever;
using support::Watch;

constexpr std::uint32_t kFlag = bench::kFlags;
constexpr std::uint32_t kCounts = 0x9000;  ///< words of L1 that loops store
constexpr std::uint32_t kLocal = Core::kLocalBase + 0x100;

struct Act {
  Cycle when;
  enum Kind { kLook, kFlagInL1, kFlagInRegister, kNothing } kind;
  std::uint32_t value;
};
/// Changes the flag, or looks at what the core counts.
class Other : public bench::Script<Act> {
 public:
  using Script::Script;
  void start(std::vector<Act> acts) {
    seen.clear();
    Script::start(std::move(acts));
  }

  std::vector<std::uint32_t> seen;

 private:
  void act(const Act& a) override {
    if (a.kind == Act::kLook) {
      for (unsigned i = 0; i < 8; ++i) seen.push_back(tile().word(kCounts + 4 * i));
    } else if (a.kind != Act::kNothing) {
      write_flag(a.kind == Act::kFlagInL1, 0, a.value, a.when);
    }
  }
};

struct World : bench::SleepWorld<Other> {
  using SleepWorld::SleepWorld;
  Core& core() { return *tile.cores[0]; }
  std::uint64_t passed(Cycle now) {
    return core().executed_instructions() + core().slept_instructions(now);
  }
  void start(const std::vector<Word>& program, bool sleep) {
    clear(4096);
    tile.load(0, program);
    core().set_poll_sleep(sleep);
    core().set_counting_sleep(sleep);
    core().release_reset(0, 0);
  }
  /// As Calendar::settle does it.
  void settle(Cycle now) {
    while (tile.scheduler.has_left()) {
      tile.scheduler.catch_up(now);
      tile.run(now);
    }
  }
};

using Worlds = bench::Worlds<World>;
Worlds& worlds() {
  static Worlds w("count", {{support::BusMaster::kE, "", 4096, 0}});
  return w;
}

/// Waits for the flag to become 1, 2, …, each in a loop that counts in a way of its own.
/// x20 flag, x21 register, x22 counts in L1, x23 counts in local RAM, x10 what is waited for.
class HeartbeatProgram {
 public:
  explicit HeartbeatProgram(unsigned seed) : random_(seed) {}

  std::vector<Word> make(unsigned waits) {
    code_ = {lui(20, kFlag),           lui(21, bench::Tile::kRegisters),
             lui(22, kCounts),         lui(23, Core::kLocalBase),
             addi(23, 23, 0x100),      lui(19, 0xAABB0000),
             addi(25, 0, step()),      addi(28, 0, static_cast<std::int32_t>(2 + pick(5))),
             addi(26, 0, -2 * step()), addi(16, 0, -3)};
    // Counters begin close to where they wrap around.
    for (unsigned i = 0; i < 8; ++i) {
      code_.push_back(sw(16, static_cast<std::int32_t>(4 * i), 22));
      code_.push_back(sw(16, static_cast<std::int32_t>(4 * i), 23));
    }
    for (unsigned i = 0; i < waits; ++i) {
      code_.push_back(addi(10, 10, 1));
      wait();
    }
    code_.push_back(lui(29, bench::Tile::kFifo));
    code_.push_back(lw(0, 0, 29));
    return code_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::int32_t step() { return static_cast<std::int32_t>(pick(4000)) - 2000; }
  std::int32_t place() { return static_cast<std::int32_t>(4 * pick(8)); }
  void add(Word word) { code_.push_back(word); }
  std::int32_t back_to(std::size_t top) const {
    return -4 * static_cast<std::int32_t>(code_.size() - top);
  }

  void beat() {
    const Word base = pick(2) ? 22 : 23;
    const std::int32_t at = place();
    switch (pick(8)) {
      case 0:  // a register, of which the low half is shown
        add(addi(26, 26, step()));
        add(slli(5, 26, 16));
        add(srli(5, 5, 16));
        add(or_(5, 5, 19));
        add(sw(5, at, base));
        break;
      case 1:  // a word of memory
        add(lw(5, at, base));
        add(addi(5, 5, step()));
        add(sw(5, at, base));
        break;
      case 2:  // half a word, and a byte: they wrap around at their width
        add(lhu(5, at, base));
        add(addi(5, 5, step()));
        add(sh(5, at, base));
        break;
      case 3:
        add(lb(5, at, base));
        add(addi(5, 5, 3));
        add(sb(5, at, base));
        break;
      case 4:  // by a step in a register
        add(lw(5, at, base));
        add(pick(2) ? add_(5, 25) : sub(5, 5, 25));
        add(sw(5, at, base));
        break;
      case 5:  // every Nth round
        add(addi(27, 27, 1));
        add(bne(27, 28, 20));
        add(addi(27, 0, 0));
        add(lw(5, at, base));
        add(addi(5, 5, 1));
        add(sw(5, at, base));
        break;
      case 6:  // two of them, one made of the other
        add(addi(26, 26, 1));
        add(mul(6, 26, 26));
        add(sw(6, at, base));
        add(sw(26, place(), base == 22 ? 23 : 22));
        break;
      default:  // saved and restored around it, as a function does
        add(sw(26, 0x80, 23));
        add(addi(26, 0, 5));
        add(lw(5, at, base));
        add(add_(5, 26));
        add(sw(5, at, base));
        add(lw(26, 0x80, 23));
        break;
    }
  }
  static Word add_(Word rd, Word by) { return assembler::add(rd, rd, by); }

  void wait() {
    for (unsigned n = pick(4); n > 0; --n) add(nop());
    const std::size_t top = code_.size();
    for (unsigned n = 1 + pick(2); n > 0; --n) beat();
    for (unsigned n = pick(3); n > 0; --n) add(mul(7, 19, 25));
    add(pick(2) ? lw(8, 0, 20) : lw(8, 0, 21));
    if (pick(3) == 0) {  // through a function behind the loop
      add(bgeu(8, 10, 16));
      add(jal(1, 8));
      add(jal(0, back_to(top)));
      add(jalr(0, 1, 0));
    } else {
      add(bltu(8, 10, back_to(top)));
    }
  }

  std::mt19937 random_;
  std::vector<Word> code_;
};

void expect_equal(World& sleeping, World& executing) {
  ASSERT_TRUE(sleeping.tile.l1 == executing.tile.l1);
  std::vector<std::uint8_t> local[2];
  for (auto& bytes : local) bytes.resize(4096);
  ASSERT_TRUE(sleeping.core().debug_read(Core::kLocalBase, local[0].data(), 4096));
  ASSERT_TRUE(executing.core().debug_read(Core::kLocalBase, local[1].data(), 4096));
  ASSERT_TRUE(local[0] == local[1]);
  ASSERT_EQ(sleeping.core().time(), executing.core().time());
  ASSERT_EQ(sleeping.core().pc(), executing.core().pc());
  for (unsigned r = 0; r < 32; ++r) {
    ASSERT_EQ(sleeping.core().reg(r), executing.core().reg(r)) << "x" << r;
  }
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
    Cycle when = 0;
    const unsigned gap = 1U << (6 + seed % 8);
    for (std::uint32_t flag = 1; flag <= kWaits;) {
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

// With everything else at rest nothing can end it: the tile is idle.
TEST(CountingSleep, LoopsThatOnlyCountSpin) {
  for (const std::vector<Word>& program :
       {std::vector<Word>{addi(5, 5, 1), jal(0, -4)},
        std::vector<Word>{lui(2, 0xFFB00000), lw(5, 0, 2), addi(5, 5, 1), sw(5, 0, 2),
                          addi(5, 0, 0), jal(0, -4 * 4)}}) {
    World& w = worlds().sleeping;
    w.start(program, true);
    w.first.start({});
    w.last.start({});
    w.tile.run(1'000'000);
    EXPECT_EQ(w.core().next(), kNever);
    EXPECT_EQ(w.core().waiting().mask() & ~1U, 0U);
    w.core().assert_reset(1'000'000);
  }
}

/// Loops that do more than count, each with what it does.
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

// A host looks between two runs: it finds the present, and has woken nobody.
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
