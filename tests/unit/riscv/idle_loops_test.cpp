// Idle loops of firmware: those that are slept through. All must end at the cycle, with the
// memories and with the number of instructions of executed loops.
#include <gtest/gtest.h>

#include "tests/unit/riscv/heartbeats.h"

namespace tvp::riscv::idle_loops_test {
namespace {

using namespace heartbeats;

constexpr Word kFence = 0x0FF0000F;

/// x20 flag in L1, x21 registers, x22 counts in L1, x23 local RAM, x19 the upper bits of
/// heartbeats. The loop ends when a flag is not 0.
struct IdleLoop {
  const char* what;
  bool sleeps;
  std::vector<Word> loop;
};

const std::vector<IdleLoop>& idle_loops() {
  static const std::vector<IdleLoop> kLoops = {
      {"a poll with a fence", true, {lw(5, 0, 20), kFence, beq(5, 0, -8)}},
      {"a poll of a byte with a fence in front, for one of two signals",
       true,
       {kFence, lbu(5, 0, 20), addi(6, 0, 1), beq(5, 6, 16), addi(6, 0, 2), beq(5, 6, 8),
        jal(0, -24)}},
      {"a poll that invalidates code by a register",
       false,
       {sw(0, 16, 21), lw(5, 0, 20), beq(5, 0, -8)}},
      {"two mailboxes, of L1",
       true,
       {lbu(5, 0, 20), bne(5, 0, 12), lbu(5, 64, 20), beq(5, 0, -12)}},
      {"two mailboxes, of L1 and of registers",
       true,
       {lw(5, 0, 20), lw(6, 0, 21), or_(5, 5, 6), beq(5, 0, -12)}},
      {"two mailboxes in turn", true, {xori(8, 8, 64), add(7, 20, 8), lw(5, 0, 7), beq(5, 0, -12)}},
      {"eight mailboxes in turn",
       true,
       {addi(8, 8, 4), andi(8, 8, 28), add(7, 20, 8), lw(5, 0, 7), lw(6, 0, 20), or_(5, 5, 6),
        beq(5, 0, -24)}},
      {"so many polls, without a body",
       true,
       {addi(8, 0, 30), addi(8, 8, -1), lw(5, 0, 20), bne(5, 0, 16), nop(), bne(8, 0, -16),
        jal(0, -24)}},
      {"so many polls that they are followed as a loop that counts",
       true,
       {addi(8, 0, 90), addi(8, 8, -1), lw(5, 0, 20), bne(5, 0, 12), bne(8, 0, -12), jal(0, -20)}},
      {"a pause of nops between polls",
       true,
       {addi(8, 0, 60), addi(8, 8, -1), nop(), bne(8, 0, -8), lw(5, 0, 20), beq(5, 0, -20)}},
      {"a pause of more turns than are followed as a poll",
       true,
       {addi(8, 0, 400), addi(8, 8, -1), bne(8, 0, -4), lw(5, 0, 20), beq(5, 0, -16)}},
      {"a heartbeat in a register, shown below a signature",
       true,
       {addi(9, 9, 1), slli(6, 9, 16), srli(6, 6, 16), or_(6, 6, 19), sw(6, 0, 22), lw(5, 0, 20),
        beq(5, 0, -24)}},
      {"a heartbeat that is shown and nothing else",
       true,
       {addi(9, 9, 1), sw(9, 0, 22), lw(5, 0, 20), beq(5, 0, -12)}},
      {"a heartbeat in L1 beside a poll of a register",
       true,
       {lw(6, 0, 22), addi(6, 6, 1), sw(6, 0, 22), lw(5, 0, 21), beq(5, 0, -16)}},
      {"a heartbeat in local RAM through a function",
       true,
       {jal(1, 16), lw(5, 0, 20), beq(5, 0, -8), jal(0, 24), lw(6, 0, 23), addi(6, 6, 1),
        sw(6, 0, 23), jalr(0, 1, 0)}},
      {"a heartbeat when the low bits of the round are 0",
       false,
       {addi(9, 9, 1), andi(6, 9, 3), bne(6, 0, 8), sw(9, 0, 22), lw(5, 0, 20), beq(5, 0, -20)}},
      {"a light that blinks", true, {xori(9, 9, 1), sw(9, 0, 22), lw(5, 0, 20), beq(5, 0, -12)}},
      {"a waypoint that is stored in each round",
       true,
       {sw(19, 0, 22), lw(5, 0, 20), beq(5, 0, -8)}},
      {"a count of 64 bits",
       false,
       {addi(9, 9, 1), sltiu(6, 9, 1), add(8, 8, 6), sw(9, 0, 22), sw(8, 4, 22), lw(5, 0, 20),
        beq(5, 0, -24)}},
      {"a poll until the clock says so",
       false,
       {lw(6, 0x1F0, 21), lw(5, 0, 20), lui(7, 0x7FFFF000), bgeu(6, 7, 8), beq(5, 0, -16)}},
      {"a heartbeat that is the clock",
       false,
       {lw(6, 0x1F0, 21), sw(6, 0, 22), lw(5, 0, 20), beq(5, 0, -12)}},
      {"polls that are counted down to a limit",
       false,
       {lui(9, 0x7FFFF000), addi(8, 8, 1), lw(5, 0, 20), bgeu(8, 9, 8), beq(5, 0, -12)}},
  };
  return kLoops;
}

std::vector<Word> program(const IdleLoop& idle) {
  std::vector<Word> code = {lui(20, kFlag), lui(21, bench::Tile::kRegisters), lui(22, kCounts),
                            lui(23, Core::kLocalBase), lui(19, 0xAABB0000)};
  code.insert(code.end(), idle.loop.begin(), idle.loop.end());
  code.push_back(nop());
  code.push_back(sw(5, 32, 22));
  code.push_back(lw(6, 0x1F0, 21));
  code.push_back(sw(6, 36, 22));
  code.push_back(lui(29, bench::Tile::kFifo));
  code.push_back(lw(0, 0, 29));
  return code;
}

TEST(IdleLoops, SleepOrDoNotAndAreExact) {
  Worlds& w = worlds();
  for (const IdleLoop& idle : idle_loops()) {
    SCOPED_TRACE(idle.what);
    const std::vector<Word> code = program(idle);
    std::uint64_t slept = 0;
    for (unsigned late = 0; late < 40; ++late) {
      SCOPED_TRACE("late by " + std::to_string(late));
      const Cycle when = 700'000 + late + 1000 * late * late;
      const Cycle look = when - 300'000;
      std::uint64_t before[2];
      for (World* world : {&w.sleeping, &w.executing}) {
        before[world == &w.executing] = world->passed(0);
        world->start(code, world == &w.sleeping);
        world->first.start({{look, Act::kLook, 0}, {when, Act::kFlagInL1, 1}});
        world->last.start({{when + late % 3, Act::kFlagInRegister, 1}});
      }
      const std::uint64_t slept_before = w.sleeping.core().slept_instructions(0);
      // Between two inspections, too, and before an event in that very cycle.
      for (const Cycle end : {look + 17 * late, when}) {
        w.sleeping.tile.run(end);
        w.executing.tile.run(end);
        const bool settles = late % 2 == 0 || w.sleeping.tile.scheduler.has_left();
        if (settles) w.sleeping.settle(end);
        ASSERT_TRUE(w.sleeping.tile.l1 == w.executing.tile.l1);
        ASSERT_EQ(w.sleeping.passed(end) - before[0], w.executing.passed(end) - before[1]);
      }
      slept += w.sleeping.core().slept_instructions(when) - slept_before;
      w.sleeping.tile.run();
      w.executing.tile.run();
      ASSERT_EQ(w.executing.core().state(), CoreState::kBlocked);
      ASSERT_EQ(w.sleeping.core().time(), w.executing.core().time());
      ASSERT_TRUE(w.sleeping.tile.l1 == w.executing.tile.l1);
      for (unsigned r = 0; r < 32; ++r) {
        ASSERT_EQ(w.sleeping.core().reg(r), w.executing.core().reg(r)) << "x" << r;
      }
      ASSERT_EQ(w.sleeping.passed(0) - before[0], w.executing.passed(0) - before[1]);
      ASSERT_EQ(w.sleeping.first.seen, w.executing.first.seen);
    }
    if (idle.sleeps) {
      EXPECT_GT(slept, 1'000'000U);
    } else {
      EXPECT_EQ(slept, 0U);
    }
  }
}

// A reset during idling must find the state that execution would have reached.
TEST(IdleLoops, AResetCutsThemWhereItCutsExecutedOnes) {
  Worlds& w = worlds();
  std::vector<std::vector<Word>> programs;
  for (const IdleLoop& idle : idle_loops()) programs.push_back(program(idle));
  // No event ends these loops; the longer one has places to stop.
  programs.push_back({jal(0, 0)});
  programs.push_back({addi(8, 0, 45), addi(8, 8, -1), nop(), bne(8, 0, -8), jal(0, -16)});
  for (std::size_t i = 0; i < programs.size(); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    for (unsigned late = 0; late < 80; ++late) {
      const Cycle when = 200'000 + 3 * late;
      std::uint64_t passed[2];
      for (World* world : {&w.sleeping, &w.executing}) {
        const std::uint64_t before = world->passed(0);
        world->start(programs[i], world == &w.sleeping);
        world->first.start({});
        world->last.start({});
        Other& by = late % 3 == 1 ? world->first : world->last;
        if (late % 3 != 0) by.start({{when, Act::kReset, 0}});
        world->tile.run(when);
        world->settle(when);
        if (late % 3 == 0) world->core().assert_reset(when);
        world->tile.run(when + 10);
        ASSERT_EQ(world->core().state(), CoreState::kInReset);
        passed[world == &w.executing] = world->passed(when + 10) - before;
      }
      ASSERT_EQ(passed[0], passed[1]) << "reset at " << when;
    }
  }
}

}  // namespace
}  // namespace tvp::riscv::idle_loops_test
