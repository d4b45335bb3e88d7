// Times of instructions. The expected counts follow by hand from BabyRISCV/README.md and
// MemoryOrdering.md. Cycle 0 is the one in which the first instruction enters the integer unit.
#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::core_timing_test {
namespace {

using namespace assembler;
using support::Cycle;
using Program = std::vector<Word>;

constexpr Cycle kStart = 1000;

struct World {
  CoreConfig plain;
  CoreConfig slow_l1;
  CoreConfig no_learning;
  CoreConfig perfect;
  CoreConfig cached;
  foundation::StopOnFault faults;
  bench::Tile tile{"tile", 64 * 1024};
  World() {
    slow_l1.l1_load_latency.set("20");
    no_learning.branch_predictor.set("backward_taken");
    perfect.branch_predictor.set("perfect");
    for (CoreConfig* config : {&plain, &slow_l1, &no_learning, &perfect}) {
      config->instruction_cache.set("off");
    }
    for (CoreConfig* config : {&plain, &slow_l1, &no_learning, &perfect}) {
      tile.add_core({support::BusMaster::kB, "", 4096, 0}, *config, faults);
    }
    tile.add_core({support::BusMaster::kE, "", 4096, 0}, plain, faults);
    tile.add_core({support::BusMaster::kB, "", 4096, 0}, cached, faults);
    tile.add_core({support::BusMaster::kT1, "", 4096, 0}, cached, faults);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

World& world() {
  static World w;
  return w;
}

enum Which : unsigned { kPlain, kSlowL1, kNoLearning, kPerfect, kEthernet, kCached, kSmallCache };

/// Cycles until the instruction after `program` enters the integer unit. x20 holds 0x2000 (L1), x21
/// the FIFO, x22 registers, x23 local RAM.
Cycle cycles(Program program, Which which = kPlain,
             const std::vector<std::pair<Word, Word>>& regs = {}) {
  bench::Tile& tile = world().tile;
  Core& core = *tile.cores[which];
  const auto end = static_cast<std::uint32_t>(program.size() * 4);
  program.push_back(lw(0, 0, 21));
  tile.load(0, program);
  core.release_reset(kStart, 0);
  core.set_reg(20, 0x2000);
  core.set_reg(21, bench::Tile::kFifo);
  core.set_reg(22, bench::Tile::kRegisters);
  core.set_reg(23, Core::kLocalBase);
  for (const auto& [r, value] : regs) core.set_reg(r, value);
  tile.run();
  EXPECT_EQ(core.state(), CoreState::kBlocked);
  EXPECT_EQ(core.pc(), end);
  return core.time() - kStart;
}

Program repeat(unsigned n, Word instruction) { return Program(n, instruction); }
Program operator+(Program a, const Program& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(CoreTiming, AluHasLatencyAndThroughputOfOne) {
  EXPECT_EQ(cycles({addi(5, 0, 1), addi(6, 5, 1), add(7, 6, 5)}), 3U);
  EXPECT_EQ(cycles(repeat(50, nop())), 50U);
  EXPECT_EQ(cycles({lui(5, 0x1000), auipc(6, 0), jal(0, 4), fence()}), 4U + 2U);
}

TEST(CoreTiming, MultiplyOccupiesTwoCycles) {
  EXPECT_EQ(cycles({mul(5, 20, 20), nop()}), 3U);
  EXPECT_EQ(cycles({mulhu(5, 20, 20), add(6, 5, 5)}), 3U);
  EXPECT_EQ(cycles({mul(5, 20, 20), mulh(6, 5, 5), mulhsu(7, 6, 6)}), 6U);
}

TEST(CoreTiming, DivideDependsOnTheDividend) {
  struct Case {
    Word instruction, a, b;
    Cycle expected;
  };
  const Case cases[] = {
      {div(5, 6, 7), 100, 0, 2},
      {divu(5, 6, 7), 100, 1, 2},
      {rem(5, 6, 7), 100, 1, 2},
      {remu(5, 6, 7), 100, 0, 2},
      {div(5, 6, 7), 0x80000000U, ~0U, 2},
      {rem(5, 6, 7), 0x80000000U, ~0U, 2},
      // One cycle per significant bit plus one, in steps of nine from six on.
      {divu(5, 6, 7), 0x80000000U, ~0U, 33},
      {div(5, 6, 7), 0x80000000U, 3, 33},
      {divu(5, 6, 7), ~0U, 3, 33},
      {div(5, 6, 7), ~0U, 3, 6},  // the magnitude of -1
      {div(5, 6, 7), 100, ~0U, 15},
      {divu(5, 6, 7), 0x12345678, 3, 33},  // measured: mesham/tt-sim riscvbench, rv_div
      {divu(5, 6, 7), 1U << 22, 3, 24},
      {divu(5, 6, 7), 1U << 23, 3, 33},
      {remu(5, 6, 7), 31, 3, 6},
      {remu(5, 6, 7), 32, 3, 15},
      {div(5, 6, 7), 0, 3, 6},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(cycles({c.instruction, nop()}, kPlain, {{6, c.a}, {7, c.b}}), c.expected + 1)
        << std::hex << c.instruction << " " << c.a << " " << c.b;
  }
}

TEST(CoreTiming, LoadToUse) {
  // Local RAM: two cycles, one of them can be filled.
  EXPECT_EQ(cycles({lw(5, 0, 23), add(6, 5, 5)}), 3U);
  EXPECT_EQ(cycles({lw(5, 0, 23), nop(), add(6, 5, 5)}), 3U);
  EXPECT_EQ(cycles({lw(5, 0, 23), nop(), nop(), add(6, 5, 5)}), 4U);
  // L1: the use enters in cycle 8.
  for (unsigned n = 0; n <= 7; ++n) {
    EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(n, nop()) + Program{add(6, 5, 5)}), 9U) << n;
  }
  EXPECT_EQ(cycles(Program{lbu(5, 3, 20)} + repeat(8, nop()) + Program{add(6, 5, 5)}), 10U);
  EXPECT_EQ(cycles({lw(5, 0, 20), add(6, 5, 5)}, kEthernet), 8U);
  // A register with a latency of 7.
  EXPECT_EQ(cycles({lw(5, 0, 22), add(6, 5, 5)}), 8U);
  // The address of a load is an operand like any other.
  EXPECT_EQ(cycles({lw(5, 0, 23), lw(6, 0x100, 5), add(7, 6, 6)}), 2U + 8U + 1U);
}

TEST(CoreTiming, IndependentInstructionsDoNotWait) {
  EXPECT_EQ(cycles({lw(5, 0, 20), addi(6, 0, 1), addi(7, 0, 1)}), 3U);
  // No instruction waits for a load to x0.
  EXPECT_EQ(cycles({lw(0, 0, 20), nop()}), 2U);
}

// At most eight instructions inside the load/store unit: the oldest load and the next seven.
TEST(CoreTiming, RetireQueueHoldsEight) {
  // The load leaves in cycle 20. Seven nops enter behind it by cycle 8; the eighth enters the
  // load/store unit as the load leaves.
  EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(7, nop()), kSlowL1), 8U);
  EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(8, nop()), kSlowL1), 20U);
  EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(9, nop()), kSlowL1), 21U);
  EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(30, nop()), kSlowL1), 42U);
  // With a latency of 8 the eighth nop comes just when the load leaves.
  EXPECT_EQ(cycles(Program{lw(5, 0, 20)} + repeat(20, nop())), 21U);
}

// A result is forwarded when its instruction enters or leaves the load/store unit, not in between
// (MemoryOrdering.md, "Mailbox read from the future").
TEST(CoreTiming, ForwardingWindow) {
  // The load leaves in cycle 20, the addi behind it in 21.
  EXPECT_EQ(cycles({lw(5, 0, 20), addi(6, 0, 1), addi(7, 6, 1)}, kSlowL1), 3U);
  EXPECT_EQ(cycles({lw(5, 0, 20), addi(6, 0, 1), nop(), addi(7, 6, 1)}, kSlowL1), 22U);
  // The page's example: a chain of six passes the value on until the store.
  Program chain{lw(5, 0, 20), addi(6, 21, 0)};
  for (unsigned i = 0; i < 5; ++i) chain.push_back(addi(6, 6, 0));
  EXPECT_EQ(cycles(chain + Program{sw(0, 0, 23)}, kSlowL1), 8U);
  chain[3] = nop();
  // The addi behind the nop waits for the first two, which leave in 21 and 22.
  EXPECT_GT(cycles(chain + Program{sw(0, 0, 23)}, kSlowL1), 22U);
}

TEST(CoreTiming, FourLoadsInFlight) {
  // Latency 8: four loads every seven cycles, so they enter at 0 1 2 3, 7 8 9 10, 14 ...
  EXPECT_EQ(cycles(repeat(4, lw(0, 0, 20))), 4U);
  EXPECT_EQ(cycles(repeat(5, lw(0, 0, 20))), 8U);
  EXPECT_EQ(cycles(repeat(8, lw(0, 0, 20))), 11U);
  EXPECT_EQ(cycles(repeat(9, lw(0, 0, 20))), 15U);
  EXPECT_EQ(cycles(repeat(41, lw(0, 0, 20))), 71U);
  // Latency 7: every six; on an ethernet tile so is L1.
  EXPECT_EQ(cycles(repeat(9, lw(0, 0, 22))), 13U);
  EXPECT_EQ(cycles(repeat(9, lw(0, 0, 20)), kEthernet), 13U);
  // The limit is shared by all regions but local RAM.
  EXPECT_EQ(cycles({lw(0, 0, 20), lw(0, 0, 22), lw(0, 0, 20), lw(0, 0, 22), lw(0, 0, 20)}), 8U);
  EXPECT_EQ(cycles(repeat(12, lw(0, 0, 23))), 12U);
  // A latency below five never limits.
  world().tile.fifo.assign(9, 1);
  EXPECT_EQ(cycles(repeat(9, lw(0, 0, 21))), 9U);
}

TEST(CoreTiming, StoresToL1EveryFiveCycles) {
  EXPECT_EQ(cycles(repeat(20, sw(0, 0, 23))), 20U);
  EXPECT_EQ(cycles(repeat(20, sw(0, 0, 22))), 20U);
  // Stores leave in cycles 2, 7, 12, 17, 22, … The fifth one fills the queue until the second one
  // leaves.
  EXPECT_EQ(cycles(repeat(4, sw(0, 0, 20))), 4U);
  EXPECT_EQ(cycles(repeat(5, sw(0, 0, 20))), 6U);
  EXPECT_EQ(cycles(repeat(6, sw(0, 0, 20))), 11U);
  EXPECT_EQ(cycles(repeat(16, sw(0, 0, 20))), 61U);
  // Later stores wait for those to L1, since the queue is in order.
  EXPECT_EQ(cycles(repeat(3, sw(0, 0, 20)) + repeat(2, sw(0, 0, 23))), 6U);
  // Five cycles apart they cost nothing.
  Program spread;
  for (unsigned i = 0; i < 10; ++i) spread = spread + Program{sw(0, 0, 20)} + repeat(4, nop());
  EXPECT_EQ(cycles(spread), 50U);
}

TEST(CoreTiming, LoadWaitsForQueuedStoreToTheSameAddress) {
  const Program stores{sw(0, 0, 20), sw(0, 4, 20), sw(0, 8, 20)};  // they leave in 2, 7, 12
  // The load enters the load/store unit in cycle 12, so it counts as made in 11.
  EXPECT_EQ(cycles(stores + Program{lw(5, 8, 20), add(6, 5, 5)}), 11U + 8U + 1U);
  EXPECT_EQ(cycles(stores + Program{lw(5, 4, 20), add(6, 5, 5)}), 6U + 8U + 1U);
  // Only the start address counts.
  EXPECT_EQ(cycles(stores + Program{lhu(5, 10, 20), add(6, 5, 5)}), 3U + 8U + 1U);
  EXPECT_EQ(cycles(stores + Program{lw(5, 12, 20), add(6, 5, 5)}), 3U + 8U + 1U);
}

TEST(CoreTiming, Branches) {
  // Not met before: predicted to fall through.
  EXPECT_EQ(cycles({bne(0, 0, 8), nop(), nop()}), 3U);
  EXPECT_EQ(cycles({beq(0, 0, 8), nop(), nop()}), 4U);
  // A loop of n rounds costs 2n, and 2 each for the first way back and the way out.
  EXPECT_EQ(cycles({addi(5, 0, 10), addi(5, 5, -1), bne(5, 0, -4)}), 1U + 20U + 2U + 2U);
  EXPECT_EQ(cycles({addi(5, 0, 10), addi(5, 5, -1), bne(5, 0, -4)}, kPerfect), 21U);
  // A forward branch taken in each of 10 rounds is mispredicted once, or always if nothing learns.
  const Program loop{addi(5, 0, 10), addi(5, 5, -1), beq(0, 0, 8), nop(), bne(5, 0, -12)};
  EXPECT_EQ(cycles(loop), 1U + 30U + 2U + 2U + 2U);
  EXPECT_EQ(cycles(loop, kNoLearning), 1U + 30U + 20U + 2U);
  EXPECT_EQ(cycles(loop, kPerfect), 31U);
  // A branch waits for its operands.
  EXPECT_EQ(cycles({lw(5, 0, 20), bne(5, 5, 8)}), 9U);
}

TEST(CoreTiming, Jumps) {
  EXPECT_EQ(cycles({jal(1, 8), nop(), jal(0, 8), nop()}), 2U + 2U * 2U);
  // A first indirect jump is mispredicted, the next to the same target is not.
  EXPECT_EQ(cycles({addi(6, 0, 8), jalr(0, 6, 0)}), 1U + 3U);
  EXPECT_EQ(cycles({addi(5, 0, 3), addi(6, 0, 12), jalr(0, 6, 0), addi(5, 5, -1), bne(5, 0, -8)}),
            2U + 3U * 3U + 2U + 2U + 2U);
}

/// A loop of `rounds` around `body`; it adds 2 instructions.
Program looped(unsigned rounds, const Program& body) {
  Program p{addi(5, 0, static_cast<std::int32_t>(rounds)), nop(), nop(), nop()};
  p = p + body;
  p.push_back(addi(5, 5, -1));
  const auto bytes = 4 * static_cast<std::int32_t>(body.size());
  p.push_back(beq(5, 0, 8));
  p.push_back(jal(0, -bytes - 8));
  return p;
}
/// Cycles of each further round once all caches are warm.
double round_cycles(const Program& body, Which which = kPlain) {
  constexpr unsigned kFew = 6, kMany = 38;
  const Cycle more = cycles(looped(kMany, body), which) - cycles(looped(kFew, body), which);
  return static_cast<double>(more) / (kMany - kFew);
}

// The reference is mesham/tt-sim perfbench/riscvbench, session 2026-08-17, phase C, on a Wormhole.
// 64 taken branches or jumps in a row to the next instruction take 3.02 cycles each on every pass.
// 64 branches that are never taken take 1.03, because the loop's own branch is forgotten.
TEST(CoreTiming, BranchesThatDoNotFitTheirBufferAreForgotten) {
  // addi, beq and jal close a round; the jal has been forgotten, the beq is never taken.
  constexpr double kClose = 3, kForgotten = 2;
  EXPECT_DOUBLE_EQ(round_cycles(repeat(64, beq(0, 0, 4))), 64 * 3 + kClose + kForgotten);
  EXPECT_DOUBLE_EQ(round_cycles(repeat(64, jal(0, 4))), 64 * 3 + kClose + kForgotten);
  EXPECT_DOUBLE_EQ(round_cycles(repeat(64, bne(0, 0, 4))), 64 + kClose + kForgotten);
  EXPECT_DOUBLE_EQ(round_cycles(repeat(64, nop())), 64 + kClose);
  // 12 and the two that close the round are what the buffer holds.
  for (const Word instruction : {beq(0, 0, 4), jal(0, 4), bne(0, 0, 4)}) {
    EXPECT_DOUBLE_EQ(round_cycles(repeat(12, instruction)), 12 + kClose);
    EXPECT_GE(round_cycles(repeat(13, instruction)), 13 + kClose + kForgotten);
  }
  // The sequence of ISA BabyRISCV/InstructionRAM.md, which overwrites all predictions.
  Program history;
  for (unsigned i = 0; i < 14; ++i) history = history + Program{bne(0, 0, 0), bne(0, 0, 0)};
  EXPECT_DOUBLE_EQ(round_cycles(history), 28 + kClose + kForgotten);
}

// Phase F of the same: cycles per instruction of loops by size, on T1 and on T0 or T2.
TEST(CoreTiming, CodeThatDoesNotFitTheCacheIsFetchedForEver) {
  struct Case {
    unsigned instructions;
    double small, large;  ///< measured
  };
  const Case cases[] = {{64, 0.996, 0.998},  {128, 1.010, 0.998},  {256, 1.422, 0.998},
                        {512, 1.405, 1.002}, {1024, 1.405, 1.153}, {1280, 1.402, 1.154},
                        {2048, 1.400, 1.152}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.instructions);
    const Program body = repeat(c.instructions, nop());
    const auto each = [&](Which which) { return (round_cycles(body, which) - 3) / c.instructions; };
    EXPECT_NEAR(each(kSmallCache), c.small, 0.02) << "T1";
    EXPECT_NEAR(each(kCached), c.large, 0.01) << "T0, T2";
  }
  // Between the sizes: 31 of 32 lines fit, and so do 127 of 128.
  EXPECT_DOUBLE_EQ(round_cycles(repeat(4 * 30, nop()), kSmallCache), 4 * 30 + 3);
  EXPECT_DOUBLE_EQ(round_cycles(repeat(4 * 126, nop()), kCached), 4 * 126 + 3);
}

// Golden values by hand: a fetch takes 4 5/8 cycles, with one in flight at a time.
TEST(CoreTiming, LinesArriveOneAfterTheOther) {
  // Lines arrive at 4 5/8, 9 1/4, 13 7/8, 18 1/2, 23 1/8.
  EXPECT_EQ(cycles(repeat(1, nop()), kCached), 5U + 1U);
  EXPECT_EQ(cycles(repeat(5, nop()), kCached), 10U + 1U);
  EXPECT_EQ(cycles(repeat(9, nop()), kCached), 14U + 1U);
  EXPECT_EQ(cycles(repeat(13, nop()), kCached), 19U + 1U);
  EXPECT_EQ(cycles(repeat(17, nop()), kCached), 24U + 1U);
  // Slow code waits for its first line only.
  EXPECT_EQ(cycles(repeat(12, mul(6, 7, 8)), kCached), 5U + 24U);
  // A mispredicted jump in cycle 5 starts fetching in the next cycle.
  EXPECT_EQ(cycles({jal(0, 32), nop(), nop(), nop(), nop(), nop(), nop(), nop(), nop()}, kCached),
            5U + 1U + 5U + 1U);
}

// Golden values by hand: a division of 33 cycles hides the fetches of two lines, not of all
// following lines. A fetch takes 5 5/8 cycles on T1.
TEST(CoreTiming, TheFrontEndIsTwoLinesAhead) {
  const auto at_the_end_of = [](unsigned lines) {
    const Program divides{div(6, 7, 8), nop(), nop(), nop()};
    return cycles(divides + repeat(4 * lines, nop()), kSmallCache, {{7, 0x7FFFFFFF}, {8, 3}});
  };
  // The first line arrives at 5 5/8, so the second one is needed in cycle 6 + 33 + 3. Its request
  // is eight cycles earlier, so it arrives at 39 5/8, the next ones at 45 1/4, 50 7/8, 56 1/2, 62
  // 1/8.
  EXPECT_EQ(at_the_end_of(0), 42U);
  EXPECT_EQ(at_the_end_of(1), 46U);
  EXPECT_EQ(at_the_end_of(2), 51U);
  EXPECT_EQ(at_the_end_of(3), 57U);
  EXPECT_EQ(at_the_end_of(4), 63U);
}

TEST(CoreTiming, ReplyOfAFifoComesOneCycleAfterTheChange) {
  bench::Tile& tile = world().tile;
  Core& core = *tile.cores[kPlain];
  EXPECT_EQ(cycles({nop(), nop()}), 2U);
  // The core is blocked at the load of cycle 2; a word comes at cycle 50.
  EXPECT_EQ(core.waiting().mask(), 1U << static_cast<unsigned>(support::Watch::kMailbox));
  EXPECT_EQ(core.blocked_address(), bench::Tile::kFifo);
  EXPECT_EQ(core.waiting_cycles(kStart + 12), core.waiting_cycles(kStart + 2) + 10);
  const Cycle waited_before = core.waiting_cycles(kStart + 2);
  tile.load(12, {sw(22, 0, 20), lw(6, 0x1F0, 22), lw(0, 0, 21)});
  tile.fifo = {7};
  tile.watches.changed(support::Watch::kMailbox, kStart + 50, 0);
  tile.run();
  // It waits again, at the end of the program: until then it waited from cycle 2 to 51.
  EXPECT_EQ(core.waiting_cycles(core.time()), waited_before + 49);
  // Load again at 51, the store at 52, the clock is read at 53.
  EXPECT_EQ(core.reg(6), kStart + 53);
}

}  // namespace
}  // namespace tvp::riscv::core_timing_test
