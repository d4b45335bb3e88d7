// Reset, stale code, .ttinsn, faults, commit log, debugging.
#include <gtest/gtest.h>

#include <fstream>

#include "models/riscv/debug/commit_log.h"
#include "tests/support/test_folder.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::core_control_test {
namespace {

using namespace assembler;
using support::Cycle;
using support::kNever;
using support::Watch;

/// A FIFO of two Tensix instructions.
class SmallFifo : public TensixInstructionPort {
 public:
  struct Push {
    unsigned thread;
    Word instruction;
    Cycle now;
    bool operator==(const Push&) const = default;
  };
  bool push(unsigned thread, Word instruction, Cycle now, unsigned) override {
    if (held == 2) return false;
    ++held;
    pushed.push_back({thread, instruction, now});
    return true;
  }
  unsigned held = 0;
  std::vector<Push> pushed;
};

struct World {
  CoreConfig config;
  foundation::StopOnFault strict;
  bench::RecordFaults lenient;
  SmallFifo fifo;
  bench::Tile tile{"tile", 64 * 1024};
  std::uint64_t executed_at_first = ~std::uint64_t{0};
  World() {
    config.instruction_cache.set("off");
    tile.add_core({support::BusMaster::kB, "chip0.tensix(1,2).BRISC", 4096, 0}, config, strict);
    tile.add_core({support::BusMaster::kT1, "", 2048, 0}, config, lenient);
    tile.cores[1]->connect(fifo);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    executed_at_first = tile.cores[0]->executed_instructions();
  }
};

class CoreControl : public ::testing::Test {
 protected:
  static World& world() {
    static World w;
    return w;
  }
  void SetUp() override {
    for (Core* core : tile_.cores) {
      core->assert_reset(0);
      core->hooks().set_observer(nullptr);
    }
    std::fill(tile_.l1.begin(), tile_.l1.end(), std::uint8_t{0});
    tile_.fifo.clear();
    tile_.pushed.clear();
    world().lenient.texts.clear();
    world().fifo = SmallFifo();
  }
  /// Loads from the empty FIFO: the core blocks.
  static std::vector<Word> with_end(std::vector<Word> code) {
    code.push_back(lui(28, bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    return code;
  }
  void run(Core& core, const std::vector<Word>& code) {
    tile_.load(0, with_end(code));
    core.release_reset(0, 0);
    tile_.run();
  }
  /// The exception of the strict core.
  std::string fault(const std::vector<Word>& code) {
    try {
      run(strict_, code);
    } catch (const foundation::Fault& f) {
      EXPECT_EQ(f.kind(), foundation::FaultKind::kFirmware);
      EXPECT_EQ(f.where(), "chip0.tensix(1,2).BRISC");
      return f.message();
    }
    return "none";
  }

  bench::Tile& tile_ = world().tile;
  Core& strict_ = *tile_.cores[0];
  Core& lenient_ = *tile_.cores[1];
  const std::vector<std::string>& faults_ = world().lenient.texts;
};

TEST_F(CoreControl, ResetClearsRegistersAndStopsTheCore) {
  run(strict_, {addi(5, 0, 9)});
  EXPECT_EQ(strict_.reg(5), 9U);
  EXPECT_EQ(strict_.state(), CoreState::kBlocked);
  strict_.assert_reset(100);
  EXPECT_EQ(strict_.state(), CoreState::kInReset);
  EXPECT_EQ(strict_.next(), kNever);
  tile_.fifo = {1};
  tile_.watches.changed(Watch::kMailbox, 120, 0);  // no agent waits any more
  EXPECT_EQ(strict_.next(), kNever);
  tile_.fifo.clear();
  tile_.load(0x400, with_end({addi(6, 0, 1)}));
  strict_.release_reset(200, 0x400);
  EXPECT_EQ(strict_.reg(5), 0U);
  tile_.run();
  EXPECT_EQ(strict_.reg(6), 1U);
  EXPECT_EQ(strict_.time(), 202U);
  EXPECT_EQ(strict_.released_at(), 200U);
}

TEST_F(CoreControl, CountsWhatItHasExecuted) {
  EXPECT_EQ(world().executed_at_first, 0U);
  const std::uint64_t before = strict_.executed_instructions();
  run(strict_, {addi(5, 0, 9), addi(6, 0, 1)});
  // The load at the end waits, so it is not finished.
  EXPECT_EQ(strict_.executed_instructions(), before + 3);
}

// ISA InstructionCache.md: new instructions take effect after an invalidation or a reset.
TEST_F(CoreControl, CodeIsStaleUntilInvalidated) {
  // Runs the word at 0x100 twice, with a store to it and a wait for the FIFO in between.
  const std::vector<Word> code{lui(28, bench::Tile::kFifo),
                               lw(6, 0x200, 0),
                               jal(1, 0x100 - 8),
                               sw(6, 0x100, 0),
                               lw(0, 0, 28),
                               jal(1, 0x100 - 20),
                               lw(0, 0, 28)};
  for (bool invalidate : {false, true}) {
    tile_.load(0, code);
    tile_.load(0x100, {addi(5, 5, 1), jalr(0, 1, 0)});
    tile_.load(0x200, {addi(5, 5, 100)});
    tile_.fifo.clear();
    strict_.release_reset(0, 0);
    tile_.run();
    ASSERT_EQ(strict_.state(), CoreState::kBlocked);
    ASSERT_EQ(strict_.reg(5), 1U);
    if (invalidate) strict_.invalidate_instruction_cache(900);
    tile_.fifo = {0};
    tile_.watches.changed(Watch::kMailbox, 1000, 0);
    tile_.run();
    EXPECT_EQ(strict_.reg(5), invalidate ? 101U : 2U);
  }
}

TEST_F(CoreControl, TtinsnPushesItsThread) {
  run(lenient_, {ttinsn(0x26000001), nop(), ttinsn(0xBFFFFFFF)});
  const std::vector<SmallFifo::Push> expected{{1, 0x26000001, 0}, {1, 0xBFFFFFFF, 2}};
  EXPECT_EQ(world().fifo.pushed, expected);
}

TEST_F(CoreControl, TtinsnBlocksOnAFullFifo) {
  run(lenient_, {ttinsn(1), ttinsn(2), ttinsn(3), addi(5, 0, 1)});
  EXPECT_EQ(lenient_.state(), CoreState::kBlocked);
  EXPECT_EQ(lenient_.waiting().mask(), 1U << static_cast<unsigned>(Watch::kCoprocessor));
  EXPECT_EQ(lenient_.blocked_address(), Core::kPushAddress);
  EXPECT_EQ(lenient_.pc(), 8U);
  EXPECT_EQ(lenient_.reg(5), 0U);
  // The change makes no room: the core tries again and blocks.
  tile_.watches.changed(Watch::kCoprocessor, 40, 0);
  tile_.run();
  EXPECT_EQ(lenient_.state(), CoreState::kBlocked);
  world().fifo.held = 1;
  tile_.watches.changed(Watch::kCoprocessor, 70, 0);
  tile_.run();
  EXPECT_EQ(world().fifo.pushed.back(), (SmallFifo::Push{1, 3, 71}));
  EXPECT_EQ(lenient_.reg(5), 1U);
}

// ISA PushTensixInstruction.md: exactly a store to INSTRN_BUF_BASE.
TEST_F(CoreControl, TtinsnOfCoreBIsAStore) {
  run(strict_, {ttinsn(0x12345678), ttinsn(1)});
  EXPECT_EQ(tile_.pushed, (std::vector<Word>{0x12345678, 1}));
}

TEST_F(CoreControl, SleepsOnNothingElse) {
  tile_.fifo = {5, 6};
  run(strict_, {lui(28, bench::Tile::kFifo), lw(5, 0, 28), lw(6, 0, 28)});
  EXPECT_EQ(strict_.reg(5), 5U);
  EXPECT_EQ(strict_.reg(6), 6U);
}

TEST_F(CoreControl, FaultsNameTheAccessAndThePc) {
  const Word unmapped = lui(5, 0xFFD00000);
  EXPECT_EQ(fault({nop(), lw(6, 2, 0)}),
            "misaligned load of 4 bytes at address 0x00000002, pc 0x00000004");
  EXPECT_EQ(fault({sh(0, 0x101, 0)}),
            "misaligned store of 2 bytes at address 0x00000101, pc 0x00000000");
  EXPECT_EQ(fault({unmapped, lw(6, 0, 5)}), "load from unmapped address 0xffd00000, pc 0x00000004");
  EXPECT_EQ(fault({unmapped, sb(6, 1, 5)}), "store to unmapped address 0xffd00001, pc 0x00000004");
  EXPECT_EQ(fault({nop(), nop(), 0xFFFFFFFF}), "invalid instruction 0xffffffff, pc 0x00000008");
  EXPECT_EQ(fault({ebreak()}), "ebreak pauses the core, pc 0x00000000");
  EXPECT_EQ(fault({ecall()}), "ecall pauses the core, pc 0x00000000");
  EXPECT_EQ(fault({unmapped, jalr(0, 5, 0)}),
            "jump to 0xffd00000, where no code can be, pc 0x00000004");
  EXPECT_EQ(fault({addi(5, 0, 0x102), jalr(0, 5, 0)}),
            "jump to misaligned address 0x00000102, pc 0x00000004");
  // Addresses after the end of local RAM, and instruction RAM that this core lacks.
  EXPECT_EQ(fault({lui(5, 0xFFB01000), lw(6, 0, 5)}),
            "load from unmapped address 0xffb01000, pc 0x00000004");
  EXPECT_EQ(fault({lui(5, 0xFFC00000), jalr(0, 5, 0)}),
            "jump to 0xffc00000, where no code can be, pc 0x00000004");
}

// ISA BabyRISCV/README.md, Faults: what silicon does, when the policy goes on.
// A zero word looks like a .ttinsn, but is where no code is.
TEST_F(CoreControl, ZeroWordsAreMissingCode) {
  const std::string text = fault({lui(5, 0x8000), jalr(0, 5, 0x10)});
  EXPECT_NE(text.find("code memory is zero there"), std::string::npos) << text;
  EXPECT_NE(text.find(", reached by the jump at pc 0x00000004, pc 0x00008010"), std::string::npos)
      << text;
  EXPECT_TRUE(tile_.pushed.empty());
}

// Address 0 is a null pointer. A jump to it is a fault in interpreted and translated code, however
// often the jump was executed before.
TEST_F(CoreControl, JumpsToNullAreToldByWhoJumps) {
  const std::string kTold = "jump to 0x00000000, which a null pointer is, pc 0x";
  const std::vector<Word> code = {addi(5, 0, 300), addi(6, 0, 0x120), jalr(1, 6, 0), addi(5, 5, -1),
                                  bne(5, 0, -8),   addi(6, 0, 0),     beq(0, 0, -16)};
  const auto told = [&](bool refused, Word start) -> std::string {
    tile_.load(0, with_end({addi(9, 0, 1)}));
    tile_.load(0x100, code);
    tile_.load(0x120, {addi(7, 7, 1), jalr(0, 1, 0)});
    strict_.release_reset(0, start);
    strict_.refuse_null(refused);
    try {
      tile_.run();
    } catch (const foundation::Fault& f) {
      return f.message();
    }
    return "none";
  };
  EXPECT_EQ(told(true, 0x100), kTold + "00000108");
  EXPECT_EQ(strict_.reg(7), 300U);
  EXPECT_EQ(strict_.reg(9), 0U);
  // Out of reset there is no jump.
  EXPECT_EQ(told(false, 0x100), "none");
  EXPECT_EQ(strict_.reg(9), 1U);
  EXPECT_EQ(told(true, 0), "none");
}

TEST_F(CoreControl, CarriesOnAsSiliconDoes) {
  tile_.load(0x100, {0x11223344, 0x55667788});
  run(lenient_, {lw(5, 0x103, 0), lhu(6, 0x107, 0), sw(5, 0x20E, 0), lui(7, 0xFFD00000),
                 sw(5, 0, 7), 0xFFFFFFFF, addi(8, 0, 1)});
  EXPECT_EQ(lenient_.state(), CoreState::kBlocked);
  EXPECT_EQ(lenient_.reg(5), 0x11223344U);
  EXPECT_EQ(lenient_.reg(6), 0x5566U);
  EXPECT_EQ(tile_.word(0x20C), 0x11223344U);
  EXPECT_EQ(lenient_.reg(8), 1U);
  EXPECT_EQ(faults_.size(), 5U);

  run(lenient_, {lui(7, 0xFFD00000), lw(5, 4, 7), addi(8, 0, 1)});
  EXPECT_EQ(lenient_.state(), CoreState::kHung);
  EXPECT_EQ(lenient_.blocked_address(), 0xFFD00004U);
  EXPECT_EQ(lenient_.reg(8), 0U);
  EXPECT_EQ(lenient_.next(), kNever);
}

TEST_F(CoreControl, EbreakPausesUntilResumed) {
  run(lenient_, {addi(5, 0, 1), ebreak(), addi(5, 5, 1)});
  EXPECT_EQ(lenient_.state(), CoreState::kPaused);
  EXPECT_EQ(lenient_.pc(), 8U);
  EXPECT_EQ(lenient_.reg(5), 1U);
  lenient_.resume(500);
  tile_.run();
  EXPECT_EQ(lenient_.reg(5), 2U);
  EXPECT_EQ(lenient_.time(), 502U);
}

TEST_F(CoreControl, AStoreOfAnOddValueStopsRightBehindIt) {
  struct Case {
    Word base, odd_store, expected_faults;
  };
  // L1 and local RAM; a word, its low half and byte, and misaligned within the word.
  const Case cases[] = {{0x00002000, sw(5, 0x40, 7), 0}, {0xFFB00000, sw(5, 0x40, 7), 0},
                        {0x00002000, sh(5, 0x40, 7), 0}, {0xFFB00000, sb(5, 0x40, 7), 0},
                        {0x00002000, sw(5, 0x42, 7), 1}, {0xFFB00000, sh(5, 0x41, 7), 1}};
  for (const Case& c : cases) {
    world().lenient.texts.clear();
    lenient_.assert_reset(0);
    lenient_.hooks().stop_at_odd_store(c.base + 0x40);
    const std::uint64_t before = lenient_.executed_instructions();
    // Even values and neighboring words have no effect, nor does an odd value that is only loaded.
    run(lenient_, {lui(7, c.base), addi(5, 0, 4), sw(5, 0x40, 7), addi(5, 0, 23), sw(5, 0x44, 7),
                   sh(5, 0x42, 7), sb(5, 0x41, 7), c.odd_store, addi(8, 0, 1), sw(5, 0x48, 7)});
    EXPECT_EQ(lenient_.state(), CoreState::kPaused);
    EXPECT_EQ(lenient_.hooks().stop_value(), 23U);
    EXPECT_EQ(lenient_.pc(), 32U);
    EXPECT_EQ(lenient_.reg(8), 0U);
    EXPECT_EQ(lenient_.executed_instructions() - before, 8U);
    EXPECT_EQ(faults_.size(), c.expected_faults);
    lenient_.resume(0);
    tile_.run();
    EXPECT_EQ(lenient_.reg(8), 1U);
  }
  lenient_.hooks().stop_at_odd_store(Core::kNoStop);
}

// The text of spike --log-commits for rv32.
TEST_F(CoreControl, CommitLogIsSpikes) {
  const tvp::test::TestFolder folder("commit_log");
  foundation::OutputFile out(folder.file("log"));
  CommitLog log(out, 2);
  strict_.hooks().set_observer(&log);
  tile_.load(0x200, {0xFFEEDDCC});
  run(strict_, {lui(10, 0x1000), addi(5, 0, -1), lbu(6, 0x201, 0), lh(0, 0x200, 0), sb(5, 0x204, 0),
                sh(5, 0x206, 0), sw(10, 0x200, 0), beq(0, 0, 8), nop(), jal(1, 4)});
  out.close();
  std::ifstream lines(folder.file("log"));
  const std::string expected[] = {
      "core   2: 3 0x00000000 (0x00001537) x10 0x00001000",
      "core   2: 3 0x00000004 (0xfff00293) x5  0xffffffff",
      "core   2: 3 0x00000008 (0x20104303) x6  0x000000dd mem 0x00000201",
      "core   2: 3 0x0000000c (0x20001003) mem 0x00000200",
      "core   2: 3 0x00000010 (0x20500223) mem 0x00000204 0xff",
      "core   2: 3 0x00000014 (0x20501323) mem 0x00000206 0xffff",
      "core   2: 3 0x00000018 (0x20a02023) mem 0x00000200 0x00001000",
      "core   2: 3 0x0000001c (0x00000463)",
      "core   2: 3 0x00000024 (0x004000ef) x1  0x00000028",
      "core   2: 3 0x00000028 (0xffec0e37) x28 0xffec0000",
  };
  std::string line;
  for (const std::string& e : expected) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, e);
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;  // the blocked load has not happened
}

/// Stops at one address and records executed instructions.
class Debugger : public CoreObserver {
 public:
  void committed(const Core&, const Commit& c) override { pcs.push_back(c.pc); }
  bool stop_before(const Core&, Word pc) override { return pc == breakpoint; }
  bool handles_break(const Core&, Word) override { return true; }
  Word breakpoint = 1;
  std::vector<Word> pcs;
};

TEST_F(CoreControl, BreakpointsStopInFront) {
  Debugger debugger;
  debugger.breakpoint = 8;
  strict_.hooks().set_observer(&debugger);
  // The third instruction loads a visible word, so it is tried twice if it must wait for its turn.
  tile_.load(0, with_end({addi(5, 0, 2), addi(6, 6, 1), lw(7, 0x200, 0), addi(5, 5, -1),
                          bne(5, 0, -12), ebreak(), addi(8, 0, 1)}));
  strict_.release_reset(0, 0);
  const auto run_cycle_by_cycle = [&] {
    for (Cycle end = 1; tile_.scheduler.next() != kNever; ++end) tile_.run(end);
  };
  for (Word round = 1; round <= 2; ++round) {
    run_cycle_by_cycle();
    ASSERT_EQ(strict_.state(), CoreState::kPaused);
    EXPECT_EQ(strict_.pc(), 8U);
    EXPECT_EQ(strict_.reg(6), round);
    strict_.resume(0);
  }
  run_cycle_by_cycle();
  EXPECT_EQ(strict_.state(), CoreState::kPaused);  // ebreak, handled by the debugger
  EXPECT_EQ(strict_.pc(), 24U);
  strict_.resume(0);
  run_cycle_by_cycle();
  EXPECT_EQ(strict_.reg(8), 1U);
  EXPECT_EQ(debugger.pcs, (std::vector<Word>{0, 4, 8, 12, 16, 4, 8, 12, 16, 20, 24, 28}));
}

TEST_F(CoreControl, AnInstructionThatIsTriedAgainIsToldOnce) {
  Debugger debugger;
  lenient_.hooks().set_observer(&debugger);
  run(lenient_, {ttinsn(1), ttinsn(2), ttinsn(3), addi(5, 0, 1)});
  ASSERT_EQ(lenient_.state(), CoreState::kBlocked);
  EXPECT_EQ(debugger.pcs, (std::vector<Word>{0, 4}));
  tile_.watches.changed(Watch::kCoprocessor, 40, 0);  // still no room
  tile_.run();
  EXPECT_EQ(debugger.pcs, (std::vector<Word>{0, 4}));
  world().fifo.held = 1;
  tile_.watches.changed(Watch::kCoprocessor, 70, 0);
  tile_.run();
  lenient_.hooks().set_observer(nullptr);
  ASSERT_GE(debugger.pcs.size(), 4U);
  debugger.pcs.resize(4);
  EXPECT_EQ(debugger.pcs, (std::vector<Word>{0, 4, 8, 12}));
}

TEST_F(CoreControl, AnAccessWhoseTurnHasNotComeIsToldOnce) {
  Debugger debugger;
  strict_.hooks().set_observer(&debugger);
  tile_.load(0, with_end({lw(5, 0x200, 0), lw(6, 0x204, 0), sw(5, 0x208, 0), lw(7, 0x20C, 0)}));
  strict_.release_reset(0, 0);
  for (Cycle end = 1; tile_.scheduler.next() != kNever; ++end) tile_.run(end);
  strict_.hooks().set_observer(nullptr);
  ASSERT_GE(debugger.pcs.size(), 4U);
  debugger.pcs.resize(4);
  EXPECT_EQ(debugger.pcs, (std::vector<Word>{0, 4, 8, 12}));
}

TEST_F(CoreControl, ObserversChangeNoTime) {
  const std::vector<Word> code{addi(5, 0, 50), lw(6, 0x200, 0), mul(7, 6, 5),   sw(7, 0x204, 0),
                               beq(6, 0, 8),   nop(),           addi(5, 5, -1), bne(5, 0, -24)};
  run(strict_, code);
  const Cycle plain = strict_.time();
  Debugger debugger;
  strict_.hooks().set_observer(&debugger);
  run(strict_, code);
  EXPECT_EQ(strict_.time(), plain);
  EXPECT_EQ(debugger.pcs.size(), 1U + 50U * 6U + 1U);
}

TEST_F(CoreControl, StatesAreToldWithTheirCycles) {
  struct Listener : CoreStateListener {
    void core_state(const Core&, CoreState state, Cycle when) override {
      told.emplace_back(state, when);
    }
    std::vector<std::pair<CoreState, Cycle>> told;
  } listener;
  strict_.set_state_listener(&listener);
  // Polls 0x200, then reads the FIFO.
  tile_.load(0, with_end({lw(5, 0x200, 0), beq(5, 0, -4)}));
  strict_.release_reset(10, 0);
  tile_.run();
  ASSERT_EQ(strict_.state(), CoreState::kSleepingOnPoll);
  // The loop takes nine cycles, two more the first time, and loads at 10, 21, 30, … The first load
  // after the change is at 1002. Its mispredicted branch is at 1010, and the load from the FIFO
  // after lui at 1014.
  tile_.l1[0x200] = 1;
  tile_.watches.l1_written(0x200, 4, 995, 0);
  tile_.run();
  strict_.assert_reset(2000);
  strict_.set_state_listener(nullptr);
  ASSERT_EQ(listener.told.size(), 5U);
  using Told = std::pair<CoreState, Cycle>;
  EXPECT_EQ(listener.told[0], Told(CoreState::kRunning, 10));
  EXPECT_EQ(listener.told[1].first, CoreState::kSleepingOnPoll);
  EXPECT_EQ((listener.told[1].second - 12) % 9, 0U);
  EXPECT_EQ(listener.told[2], Told(CoreState::kRunning, 1002));
  EXPECT_EQ(listener.told[3], Told(CoreState::kBlocked, 1014));
  EXPECT_EQ(listener.told[4], Told(CoreState::kInReset, 2000));
}

TEST_F(CoreControl, DebuggerReachesMemoriesAndRegisters) {
  run(strict_, {nop()});
  Word value = 0xCAFE;
  EXPECT_TRUE(strict_.debug_write(Core::kLocalBase + 0xFFC, &value, 4));
  EXPECT_FALSE(strict_.debug_write(Core::kLocalBase + 0x1000, &value, 4));
  EXPECT_TRUE(strict_.debug_write(0x300, &value, 4));
  // A debugger may request the end of the address space and beyond.
  const std::vector<std::uint8_t> many(4096);
  strict_.debug_write(0xFFFFFFFC, many.data(), 4);
  strict_.debug_write(0xFFFFFFFF, many.data(), 1);
  strict_.debug_write(0xFFFFF000, many.data(), 4096);
  strict_.debug_write(0xFFFFFFF0, many.data(), 4096);
  EXPECT_EQ(tile_.word(0x300), 0xCAFEU);
  value = 0;
  EXPECT_TRUE(strict_.debug_read(Core::kLocalBase + 0xFFC, &value, 4));
  EXPECT_EQ(value, 0xCAFEU);
  EXPECT_FALSE(strict_.debug_read(0xFFD00000, &value, 4));
  strict_.set_reg(0, 5);
  strict_.set_reg(7, 5);
  EXPECT_EQ(strict_.reg(0), 0U);
  EXPECT_EQ(strict_.reg(7), 5U);
}

}  // namespace
}  // namespace tvp::riscv::core_control_test
