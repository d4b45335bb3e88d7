// Breakpoints, watchpoints and steps on cores of a small tile: where they stop, and that they
// change no time.
#include "platform/debug/core_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::debug {
namespace {

using namespace riscv::assembler;
using riscv::Core;
using riscv::CoreState;
using support::Cycle;

/// Records the stops, and runs the test's code at each.
class Stops : public StopListener {
 public:
  struct Told {
    char why;
    std::uint32_t pc;
    std::uint32_t address = 0;
    unsigned writer = 0;
    bool operator==(const Told&) const = default;
  };
  void at_breakpoint(CoreProbe& probe, Trap) override { tell({'b', probe.core().pc()}); }
  void stepped(CoreProbe& probe) override { tell({'s', probe.core().pc()}); }
  void at_watchpoint(CoreProbe& probe, const WatchHit& hit) override {
    tell({'w', probe.core().pc(), hit.address, hit.writer});
  }
  void followed(CoreProbe& probe) override { followed_pcs.push_back(probe.core().pc()); }
  std::vector<std::uint32_t> pcs() const {
    std::vector<std::uint32_t> list;
    for (const Told& t : told) list.push_back(t.pc);
    return list;
  }
  std::vector<Told> told;
  std::vector<std::uint32_t> followed_pcs;
  std::function<void()> act;

 private:
  void tell(const Told& stop) {
    told.push_back(stop);
    if (act) act();
  }
};

struct World {
  riscv::CoreConfig config;
  riscv::bench::RecordFaults faults;
  riscv::bench::Tile tile{"tile", 64 * 1024};
  World() {
    tile.add_core({support::BusMaster::kB, "B", 4096, 0}, config, faults);
    tile.add_core({support::BusMaster::kNc, "NC", 4096, 0}, config, faults);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

class Probe : public ::testing::Test {
 protected:
  static World& world() {
    static World w;
    return w;
  }
  void SetUp() override {
    for (Core* core : tile_.cores) core->assert_reset(0);
    std::fill(tile_.l1.begin(), tile_.l1.end(), std::uint8_t{0});
    tile_.fifo.clear();
    probe_ = std::make_unique<CoreProbe>(core_, 1, stops_);
  }
  /// The code ends at a load from the empty FIFO.
  void start(Core& core, std::uint32_t at, std::vector<Word> code, Cycle when = 0) {
    code.push_back(lui(28, riscv::bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    tile_.load(at, code);
    core.release_reset(when, at);
  }
  void run_cycle_by_cycle(Cycle until) {
    for (Cycle end = 1; end <= until; ++end) tile_.run(end);
  }
  /// The cycle at which the core ends without a debugger.
  Cycle undisturbed(const std::vector<Word>& code) {
    probe_->clear();
    start(core_, 0, code);
    tile_.run();
    const Cycle end = core_.time();
    core_.assert_reset(end);
    return end;
  }

  riscv::bench::Tile& tile_ = world().tile;
  Core& core_ = *tile_.cores[0];
  Core& other_ = *tile_.cores[1];
  Stops stops_;
  std::unique_ptr<CoreProbe> probe_;
};

const std::vector<Word> kLoop{addi(5, 0, 3), lw(6, 0x200, 0), sw(6, 0x204, 0), addi(5, 5, -1),
                              bne(5, 0, -12)};

TEST_F(Probe, BreakpointsAreMetEachTimeAndCostNoTime) {
  const Cycle plain = undisturbed(kLoop);
  for (const std::uint32_t pc : {4U, 8U, 12U, 16U}) {
    stops_.told.clear();
    ASSERT_TRUE(probe_->insert(Trap::kSoftwareBreakpoint, pc, 4));
    start(core_, 0, kLoop);
    tile_.run();
    EXPECT_EQ(stops_.pcs(), (std::vector<std::uint32_t>{pc, pc, pc}));
    EXPECT_EQ(core_.time(), plain);
    core_.assert_reset(plain);
    ASSERT_TRUE(probe_->remove(Trap::kSoftwareBreakpoint, pc, 4));
  }
  EXPECT_FALSE(probe_->remove(Trap::kSoftwareBreakpoint, 4, 4));
  EXPECT_FALSE(probe_->insert(Trap::kSoftwareBreakpoint, 6, 4));
}

TEST_F(Probe, AnAccessThatWaitsForItsTurnIsMetOnce) {
  probe_->insert(Trap::kHardwareBreakpoint, 4, 4);
  start(core_, 0, kLoop);
  run_cycle_by_cycle(300);
  EXPECT_EQ(stops_.pcs(), (std::vector<std::uint32_t>{4, 4, 4}));
  // The FIFO is empty, so the instruction is retried when data arrive.
  stops_.told.clear();
  core_.assert_reset(300);
  probe_->insert(Trap::kSoftwareBreakpoint, 24, 4);
  start(core_, 0, kLoop, 300);
  tile_.run();
  ASSERT_EQ(core_.state(), CoreState::kBlocked);
  ASSERT_EQ(stops_.pcs().back(), 24U);
  const std::size_t before = stops_.told.size();
  tile_.fifo.push_back(1);
  tile_.watches.changed(support::Watch::kMailbox, 1000, 0);
  tile_.run(1001);
  EXPECT_EQ(stops_.told.size(), before);
}

TEST_F(Probe, OneBreakpointOfTwoAtAPlaceStays) {
  probe_->insert(Trap::kSoftwareBreakpoint, 12, 4);
  probe_->insert(Trap::kHardwareBreakpoint, 12, 4);
  probe_->remove(Trap::kSoftwareBreakpoint, 12, 4);
  start(core_, 0, kLoop);
  tile_.run();
  EXPECT_EQ(stops_.told.size(), 3U);
}

TEST_F(Probe, StepsStopBehindOneInstructionOrARange) {
  const Cycle plain = undisturbed(kLoop);
  start(core_, 0, kLoop);
  probe_->step(0, 0);
  stops_.act = [&] {
    probe_->cancel_step();
    if (stops_.told.size() < 6) probe_->step(0, 0);
    if (stops_.told.size() == 6) probe_->step(4, 20);  // until it leaves the loop
  };
  tile_.run();
  EXPECT_EQ(stops_.pcs(), (std::vector<std::uint32_t>{4, 8, 12, 16, 4, 8, 20}));
  EXPECT_EQ(core_.time(), plain);
}

TEST_F(Probe, ACoreIsFollowedThroughEachInstruction) {
  const Cycle plain = undisturbed(kLoop);
  probe_->follow(true);
  start(core_, 0, kLoop);
  tile_.run();
  EXPECT_EQ(core_.time(), plain);
  EXPECT_TRUE(stops_.told.empty());
  // Each place counts once before it is left and once after it is reached.
  std::vector<std::uint32_t> pcs = stops_.followed_pcs;
  pcs.erase(std::unique(pcs.begin(), pcs.end()), pcs.end());
  EXPECT_EQ(pcs, (std::vector<std::uint32_t>{0, 4, 8, 12, 16, 4, 8, 12, 16, 4, 8, 12, 16, 20, 24}));
  core_.assert_reset(plain);
  stops_.followed_pcs.clear();
  probe_->follow(false);
  start(core_, 0, kLoop);
  tile_.run();
  EXPECT_TRUE(stops_.followed_pcs.empty());
}

TEST_F(Probe, AStepCanBeginAtABreakpoint) {
  const Cycle plain = undisturbed(kLoop);
  probe_->insert(Trap::kSoftwareBreakpoint, 8, 4);
  start(core_, 0, kLoop);
  stops_.act = [&] {
    probe_->cancel_step();
    if (stops_.told.back().why == 'b') probe_->step(0, 0);
  };
  tile_.run();
  EXPECT_EQ(stops_.pcs(), (std::vector<std::uint32_t>{8, 12, 8, 12, 8, 12}));
  EXPECT_EQ(core_.time(), plain);
}

TEST_F(Probe, TheNextPcIsForetold) {
  for (const Word jump :
       {bne(5, 0, 12), beq(5, 0, 12), jal(1, 12), jalr(1, 0, 16), addi(7, 0, 1), lw(7, 0x200, 0)}) {
    std::vector<Word> code(8, nop());
    code[0] = addi(5, 0, 1);
    code[1] = jump;
    probe_->insert(Trap::kSoftwareBreakpoint, 4, 4);
    std::uint32_t foretold = 0;
    stops_.act = [&] {
      if (stops_.told.back().why == 'b') {
        foretold = probe_->next_pc();
        probe_->step(0, 0);
      } else {
        probe_->cancel_step();
        EXPECT_EQ(stops_.told.back().pc, foretold);
      }
    };
    stops_.told.clear();
    start(core_, 0, code);
    tile_.run();
    EXPECT_EQ(stops_.told.size(), 2U);
    core_.assert_reset(1000);
    probe_->clear();
  }
}

TEST_F(Probe, TheCoreGoesWhereItIsSent) {
  probe_->insert(Trap::kSoftwareBreakpoint, 8, 4);
  stops_.act = [&] {
    core_.set_reg(5, 77);
    core_.set_pc(20);
    probe_->clear();
  };
  start(core_, 0, kLoop);
  tile_.run();
  EXPECT_EQ(stops_.told.size(), 1U);
  EXPECT_EQ(core_.reg(5), 77U);
  EXPECT_EQ(tile_.word(0x204), 0U);
}

TEST_F(Probe, OwnAccessesAreToldBehindThem) {
  const Cycle plain = undisturbed(kLoop);
  probe_->insert(Trap::kWrite, 0x206, 2);
  probe_->insert(Trap::kRead, 0x200, 1);
  probe_->insert(Trap::kAccess, 0x300, 4);
  start(core_, 0, kLoop);
  tile_.run();
  using Told = Stops::Told;
  const std::vector<Told> twice{Told{'w', 8, 0x200, core_.order()},
                                Told{'w', 12, 0x206, core_.order()}};
  ASSERT_EQ(stops_.told.size(), 6U);
  EXPECT_EQ((std::vector<Told>(stops_.told.begin(), stops_.told.begin() + 2)), twice);
  EXPECT_EQ(core_.time(), plain);
  EXPECT_TRUE(probe_->remove(Trap::kWrite, 0x206, 2));
  EXPECT_FALSE(probe_->remove(Trap::kWrite, 0x206, 2));
}

TEST_F(Probe, WritesByOthersAreTold) {
  // The core polls; the other core writes there later.
  probe_->insert(Trap::kWrite, 0x200, 4);
  start(core_, 0, {lw(5, 0x200, 0), beq(5, 0, -4), nop()});
  start(other_, 0x1000,
        {addi(5, 0, 60), addi(5, 5, -1), bne(5, 0, -4), sw(28, 0x204, 0), addi(6, 0, 9),
         sw(6, 0x200, 0)});
  tile_.run();
  ASSERT_EQ(stops_.told.size(), 1U);
  EXPECT_EQ(stops_.told[0].writer, other_.order());
  EXPECT_EQ(stops_.told[0].address, 0x200U);
  EXPECT_EQ(core_.reg(5), 9U);
}

TEST_F(Probe, AWatchCanBeTakenAwayWhereItStops) {
  probe_->insert(Trap::kWrite, 0x204, 4);
  stops_.act = [&] { probe_->remove(Trap::kWrite, 0x204, 4); };
  start(core_, 0, kLoop);
  tile_.run();
  EXPECT_EQ(stops_.told.size(), 1U);
  EXPECT_EQ(core_.hooks().observer(), nullptr);
}

/// A core that sleeps in a poll until 5000 and is inspected in between.
TEST_F(Probe, SleepersComeToNewBreakpointsAndAreInTime) {
  const std::vector<Word> poll{nop(), lw(5, 0x200, 0), beq(5, 0, -4), addi(6, 0, 1)};
  const auto wake = [&] {
    tile_.l1[0x200] = 1;
    tile_.watches.l1_written(0x200, 4, 5000, 0);
    tile_.run();
    const Cycle end = core_.time();
    core_.assert_reset(10'000);
    tile_.l1[0x200] = 0;
    return end;
  };
  start(core_, 0, poll);
  tile_.run(1000);
  ASSERT_EQ(core_.state(), CoreState::kSleepingOnPoll);
  const Cycle plain = wake();

  for (const Cycle look : {1000U, 1001U, 1004U, 1008U, 2500U}) {
    stops_.told.clear();
    start(core_, 0, poll);
    tile_.run(look);
    probe_->insert(Trap::kSoftwareBreakpoint, 8, 4);
    EXPECT_TRUE(probe_->take_wake());
    EXPECT_FALSE(probe_->take_wake());
    core_.execute_poll(look);
    tile_.run(look + 100);
    EXPECT_GE(stops_.told.size(), 10U) << look;
    probe_->clear();
    tile_.run(4000);
    EXPECT_EQ(core_.state(), CoreState::kSleepingOnPoll);
    EXPECT_EQ(wake(), plain) << look;
  }
}

TEST_F(Probe, SpinnersComeToNewBreakpoints) {
  start(core_, 0, {nop(), addi(5, 0, 1), beq(0, 0, -4)});
  tile_.run(1000);
  ASSERT_EQ(core_.state(), CoreState::kSpinning);
  probe_->insert(Trap::kSoftwareBreakpoint, 4, 4);
  core_.execute_poll(1000);
  EXPECT_GE(core_.time(), 1000U);
  tile_.run(1100);
  EXPECT_GE(stops_.told.size(), 10U);
  probe_->clear();
  tile_.run(3000);
  EXPECT_EQ(core_.state(), CoreState::kSpinning);
}

}  // namespace
}  // namespace tvp::debug
