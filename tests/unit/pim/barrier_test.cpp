// Barriers of units through their registers: wires in a rank, the command/address bus between ranks
// of a channel, the host between channels. Bounds follow from the slots.

#include "models/pim/unit/barrier.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "foundation/regs/pim.h"
#include "models/support/tile_scheduler.h"

namespace tvp::pim::barrier_test {
namespace {

namespace regs = tvp::regs::pim::barrier;
using support::Cycle;

// Two banks per chip, two chips per rank, two ranks per channel, two channels, two sockets: 32
// units, ranks of 4, channels of 8, sockets of 16.
constexpr const char* kHierarchy = "bank=2 chip=2 rank=2 channel=2 socket=2";
constexpr unsigned kUnits = 32;
constexpr Cycle kWires = 16;      // pim.barrier_cycles
constexpr Cycle kWayBack = 5;     // part of it: one cycle and pim.receive_cycles
constexpr unsigned kRequest = 8;  // pim.bus_request_cycles
constexpr unsigned kHostSync = 120;

/// Cycles of 350 MHz in tCK of 1200 MHz, rounded up: 24/7 tCK per cycle.
dram::MemCycle ck(Cycle cycle) { return (cycle * 24 + 6) / 7; }
Cycle cycle_of(dram::MemCycle ck) { return (ck * 7 + 23) / 24; }
/// Release of units whose ranks decode the word at `ck`.
Cycle read_at(dram::MemCycle ck) { return cycle_of(ck) + kWayBack; }
/// The cycle at which a rank's counter is full if its last unit came at `cycle`.
Cycle full_at(Cycle cycle) { return cycle + kWires - kWayBack; }

class Barriers : public ::testing::Test {
 protected:
  struct Unit {
    Unit(Barriers& bench, unsigned number)
        : port("unit" + std::to_string(number), number, *bench.barrier, bench.calendar,
               bench.calendar.add_tile(scheduler), watch_hub, bench.faults) {
      scheduler.add(port);
    }
    support::TileScheduler scheduler;
    support::WatchHub watch_hub;
    BarrierPort port;
  };

  void make(ddr::ExternalBarrier* external = nullptr) {
    const PimHierarchy hierarchy = PimHierarchy::parse(kHierarchy);
    channels =
        std::make_unique<ChannelArray>(config, hierarchy, *dram::find_preset("ddr4_2400"), faults);
    barrier = std::make_unique<Barrier>(config, *channels, calendar, external);
    for (unsigned i = 0; i < kUnits; ++i) units.push_back(std::make_unique<Unit>(*this, i));
    calendar.run_until(100);
  }
  std::vector<unsigned> group(unsigned first, unsigned count) {
    std::vector<unsigned> members(count);
    std::iota(members.begin(), members.end(), first);
    barrier->make_group(members);
    return members;
  }
  void arrive(unsigned unit) {
    support::MmioAccess access{
        .write = true, .offset = regs::kArrive, .data = 1, .now = calendar.now()};
    units[unit]->port.access(access);
  }
  std::uint32_t generation(unsigned unit) {
    support::MmioAccess access{.offset = regs::kGeneration, .now = calendar.now()};
    units[unit]->port.access(access);
    return access.data;
  }
  void pass_to(Cycle cycle) { calendar.run_until(cycle); }

  foundation::StopOnFault faults;
  PimConfig config;
  support::Calendar calendar{lookahead(config)};
  std::unique_ptr<ChannelArray> channels;
  std::unique_ptr<Barrier> barrier;
  std::vector<std::unique_ptr<Unit>> units;
};

TEST_F(Barriers, WiresJoinARankAndTakeNoSlot) {
  make();
  for (const unsigned unit : group(4, 4)) arrive(unit);
  const Cycle now = calendar.now();
  pass_to(now + kWires);
  EXPECT_EQ(generation(4), 0U);
  pass_to(now + kWires + 1);
  for (unsigned unit = 4; unit < 8; ++unit) EXPECT_EQ(generation(unit), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 0U);
  EXPECT_EQ(barrier->passed(), 1U);
}

TEST_F(Barriers, RanksOfAChannelMeetWithARequestAndOneWord) {
  make();
  const auto members = group(0, 8);
  for (unsigned unit = 0; unit < 7; ++unit) arrive(unit);
  pass_to(150);
  const Cycle last = calendar.now();
  arrive(7);
  const Cycle expected = read_at(ck(full_at(last)) + kRequest + 1);
  EXPECT_GT(expected, last + kWires);
  pass_to(expected);
  EXPECT_EQ(generation(0), 0U);
  pass_to(expected + 1);
  for (const unsigned unit : members) EXPECT_EQ(generation(unit), 1U) << unit;
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 1U);
  EXPECT_EQ((*channels)[1].commands.stats().pim_slots, 0U);
}

TEST_F(Barriers, NormalCommandsDelayTheWord) {
  make();
  group(0, 8);
  const Cycle last = calendar.now();
  // The host uses every slot for 200 tCK after the word.
  const dram::MemCycle word = ck(full_at(last)) + kRequest;
  for (unsigned i = 0; i < 200; ++i) (*channels)[0].commands.issue(ddr::CaCommand::kRead, word);
  for (unsigned unit = 0; unit < 8; ++unit) arrive(unit);
  const Cycle expected = read_at(word + 200 + 1);
  pass_to(expected);
  EXPECT_EQ(generation(7), 0U);
  pass_to(expected + 1);
  EXPECT_EQ(generation(7), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().waited, 199U * 200 / 2 + 200);
}

TEST_F(Barriers, BroadcastsTakeAWordARank) {
  config.barrier_scheme.set("broadcasts");
  make();
  group(0, 8);
  const Cycle last = calendar.now();
  for (unsigned unit = 0; unit < 8; ++unit) arrive(unit);
  // Both requests come at once, so the second word is a slot later.
  const Cycle expected = read_at(ck(full_at(last)) + kRequest + 2);
  pass_to(expected);
  EXPECT_EQ(generation(0), 0U);
  pass_to(expected + 1);
  EXPECT_EQ(generation(0), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 2U);
}

TEST_F(Barriers, ChannelsMeetAtTheHost) {
  make();
  const auto members = group(0, 16);
  const Cycle last = calendar.now();
  for (const unsigned unit : members) arrive(unit);
  const Cycle expected = read_at(ck(full_at(last)) + kRequest + kHostSync + 1);
  pass_to(expected);
  EXPECT_EQ(generation(15), 0U);
  pass_to(expected + 1);
  for (const unsigned unit : members) EXPECT_EQ(generation(unit), 1U) << unit;
  for (unsigned channel : {0U, 1U}) EXPECT_EQ((*channels)[channel].commands.stats().pim_slots, 1U);
  EXPECT_EQ(barrier->passed(), 1U);
}

TEST_F(Barriers, EachLevelBeyondTheChannelCostsOnceMore) {
  make();
  group(0, kUnits);
  const Cycle last = calendar.now();
  for (unsigned unit = 0; unit < kUnits; ++unit) arrive(unit);
  const Cycle expected = read_at(ck(full_at(last)) + kRequest + 2 * kHostSync + 1);
  pass_to(expected);
  EXPECT_EQ(generation(0), 0U);
  pass_to(expected + 1);
  EXPECT_EQ(generation(0), 1U);
  EXPECT_EQ(generation(31), 1U);
}

TEST_F(Barriers, SeveralGroupsShareABusAndKeepApart) {
  make();
  // Units 0 and 4 of both ranks, 1 and 5 of both ranks.
  barrier->make_group(std::vector<unsigned>{0, 4});
  barrier->make_group(std::vector<unsigned>{1, 5});
  const Cycle last = calendar.now();
  for (const unsigned unit : {0U, 1U, 4U}) arrive(unit);
  pass_to(last + 100);
  EXPECT_EQ(generation(0), 1U);
  EXPECT_EQ(generation(4), 1U);
  EXPECT_EQ(generation(1), 0U);
  arrive(5);
  pass_to(last + 200);
  EXPECT_EQ(generation(1), 1U);
  EXPECT_EQ(generation(5), 1U);
  EXPECT_EQ(generation(0), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 2U);
  // A barrier can be used again.
  arrive(0);
  arrive(4);
  pass_to(last + 300);
  EXPECT_EQ(generation(4), 2U);
}

TEST_F(Barriers, FixedTakesTheSameHoweverFar) {
  config.barrier.set("fixed");
  make();
  const auto members = group(0, kUnits);
  const Cycle now = calendar.now();
  for (const unsigned unit : members) arrive(unit);
  pass_to(now + kWires);
  EXPECT_EQ(generation(31), 0U);
  pass_to(now + kWires + 1);
  EXPECT_EQ(generation(31), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 0U);
}

/// An external controller that the test controls.
struct HandController : ddr::ExternalBarrier {
  std::uint32_t ranks = 0;
  std::vector<std::pair<unsigned, dram::MemCycle>> arrivals;
  ddr::ReleaseListener* listener = nullptr;
  unsigned looked_at = 0;
  void begin(std::uint32_t of) override { ranks = of; }
  void arrive(unsigned rank, dram::MemCycle at, ddr::ReleaseListener& to) override {
    arrivals.emplace_back(rank, at);
    listener = &to;
  }
  void rethrow() override { ++looked_at; }
};

TEST_F(Barriers, AnotherControllerHearsTheRanksAndReleasesThem) {
  HandController controller;
  make(&controller);
  const auto members = group(0, 8);
  EXPECT_EQ(controller.ranks, 0b11U);
  for (unsigned unit = 4; unit < 8; ++unit) arrive(unit);
  const Cycle first = calendar.now();
  pass_to(first + 100);
  for (unsigned unit = 0; unit < 4; ++unit) arrive(unit);
  const Cycle last = calendar.now();
  pass_to(full_at(last) + 1);
  using Arrivals = std::vector<std::pair<unsigned, dram::MemCycle>>;
  EXPECT_EQ(controller.arrivals, (Arrivals{{1, ck(full_at(first))}, {0, ck(full_at(last))}}));
  EXPECT_EQ(controller.looked_at, 1U) << "a cycle behind each arrival";
  controller.listener->released(ck(last + 200));
  pass_to(full_at(last) + 2);
  EXPECT_EQ(controller.looked_at, 2U);
  const Cycle expected = read_at(ck(last + 200));
  pass_to(expected);
  EXPECT_EQ(generation(0), 0U);
  pass_to(expected + 1);
  for (const unsigned unit : members) EXPECT_EQ(generation(unit), 1U) << unit;
  EXPECT_EQ(barrier->passed(), 1U);
  EXPECT_EQ((*channels)[0].commands.stats().pim_slots, 0U) << "it speaks the words itself";
  EXPECT_NO_THROW(barrier->make_group(std::vector<unsigned>{8, 9}));
  EXPECT_THROW(barrier->make_group(std::vector<unsigned>{16, 20}), foundation::Fault);
}

TEST_F(Barriers, ArrivingTwiceIsAFault) {
  make();
  group(0, 8);
  arrive(3);
  EXPECT_THROW(arrive(3), foundation::Fault);
}

}  // namespace
}  // namespace tvp::pim::barrier_test
