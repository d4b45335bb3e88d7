#include "platform/checks/record/l1_in_flight.h"

#include <gtest/gtest.h>

#include <vector>

namespace tvp::checks {
namespace {

constexpr BusMaster kPacker = BusMaster::kPacker2;
constexpr BusMaster kUnpacker = BusMaster::kUnpacker1;
constexpr BusMaster kNiu = BusMaster::kNoc0;
constexpr BusMaster kCore = BusMaster::kT1;

/// A record of L1 with all its findings.
struct Bench : L1InFlight::Listener {
  Probe probe;
  L1InFlight l1{probe};
  std::vector<std::pair<L1InFlight::Transfer, L1InFlight::Transfer>> complaints;

  Bench() { l1.set_listener(this); }
  void too_early(const L1InFlight::Transfer& first, const L1InFlight::Transfer& second) override {
    complaints.emplace_back(first, second);
  }
  /// Bytes [address, address + 16) from cycle `now` to `done`.
  void transfer(BusMaster agent, bool write, std::uint32_t address, Cycle now, Cycle done) {
    const L1Access access{
        .agent = agent, .address = address, .bytes = 16, .now = now, .done = done};
    write ? l1.written(access) : l1.read(access);
  }
  void core(bool write, std::uint32_t address, Cycle now) {
    l1.core_accesses(kCore, address, 4, write, now);
  }
  std::size_t said() {
    const std::size_t count = complaints.size();
    complaints.clear();
    return count;
  }
};

// Transfers of one side execute in order. NIUs may poll data of other NIUs, and cores may poll data
// of NIUs.
TEST(L1InFlight, HoldsTheSidesToEachOther) {
  constexpr BusMaster kUnits[] = {BusMaster::kUnpacker0, BusMaster::kUnpacker1, BusMaster::kPacker0,
                                  BusMaster::kPacker3,   BusMaster::kMover,     BusMaster::kNoc0,
                                  BusMaster::kNoc1};
  constexpr int kSide[] = {0, 0, 1, 1, 2, 3, 3};
  for (std::size_t a = 0; a < std::size(kUnits); ++a) {
    for (const bool first_writes : {false, true}) {
      for (const bool second_writes : {false, true}) {
        for (std::size_t b = 0; b < std::size(kUnits); ++b) {
          Bench bench;
          bench.transfer(kUnits[a], first_writes, 0x100, 10, 20);
          bench.transfer(kUnits[b], second_writes, 0x108, 15, 25);
          const bool wrong = kSide[a] != kSide[b] && (first_writes || second_writes);
          EXPECT_EQ(bench.said(), wrong ? 1U : 0U) << a << ' ' << b;
        }
        Bench bench;
        bench.transfer(kUnits[a], first_writes, 0x100, 10, 20);
        bench.core(second_writes, 0x108, 15);
        EXPECT_EQ(bench.said(), kSide[a] != 3 && (first_writes || second_writes) ? 1U : 0U) << a;
      }
    }
  }
}

// The NIU reads 512 bytes in 16 cycles. The second transfer starts four cycles before the end.
TEST(L1InFlight, DataThatANiuSendsMayBeWrittenBehindIt) {
  const struct {
    std::uint32_t address;
    std::size_t complaints;
  } cases[] = {{0x1000, 0}, {0x1000 + 12 * 32 - 16, 0}, {0x1000 + 12 * 32 - 8, 1}, {0x11F0, 1}};
  for (const auto& each : cases) {
    Bench bench;
    bench.l1.read({.agent = kNiu, .address = 0x1000, .bytes = 512, .now = 100, .done = 120});
    bench.transfer(BusMaster::kMover, true, each.address, 116, 130);
    EXPECT_EQ(bench.said(), each.complaints) << each.address;
    // Packers are slower, so they do not catch up with the NIU.
    const bool first_is_read = each.address < 0x1000 + 12 * 32;
    Bench packing;
    packing.l1.read({.agent = kNiu, .address = 0x1000, .bytes = 512, .now = 100, .done = 120});
    packing.transfer(kPacker, true, each.address, 116, 130);
    EXPECT_EQ(packing.said(), first_is_read ? 0U : 1U) << each.address;
  }
  // Writes of a NIU arrive in any order.
  Bench bench;
  bench.l1.written({.agent = kNiu, .address = 0x1000, .bytes = 512, .now = 100, .done = 120});
  bench.transfer(kPacker, true, 0x1000, 116, 130);
  EXPECT_EQ(bench.said(), 1U);
}

TEST(L1InFlight, AccessesOfHostAndScalarUnitAreNotCompared) {
  for (const BusMaster other : {BusMaster::kDebug, BusMaster::kThcon, BusMaster::kEthernetRx}) {
    Bench bench;
    bench.transfer(kPacker, true, 0x100, 10, 20);
    bench.transfer(other, true, 0x100, 12, 18);
    bench.transfer(kUnpacker, false, 0x200, 10, 20);
    bench.transfer(other, true, 0x200, 12, 18);
    EXPECT_EQ(bench.said(), 0U);
  }
}

TEST(L1InFlight, TransfersMeetInBytesAndCycles) {
  const struct {
    std::uint32_t address;
    Cycle now;
    bool meets;
  } kRows[] = {{0x0F0, 15, false}, {0x0F1, 15, true}, {0x10F, 15, true},
               {0x110, 15, false}, {0x100, 19, true}, {0x100, 20, false}};
  for (const auto& row : kRows) {
    Bench bench;
    bench.transfer(kPacker, true, 0x100, 10, 20);
    bench.transfer(kUnpacker, false, row.address, row.now, row.now + 5);
    EXPECT_EQ(bench.said(), row.meets ? 1U : 0U) << row.address << ' ' << row.now;
  }
}

// From the store to CMD_CTRL on, a NoC write reads L1 and a NoC read writes it.
TEST(L1InFlight, CommandsLastUntilTheirCountersSayThatTheyAreOver) {
  Bench bench;
  bench.l1.command_started(kNiu, kCore, 0x200, 64, true, 10);
  bench.core(false, 0x23C, 1000);
  EXPECT_EQ(bench.said(), 1U);
  bench.core(false, 0x240, 1000);
  bench.core(true, 0x1FC, 1000);
  EXPECT_EQ(bench.said(), 0U);
  bench.l1.command_received(kNiu, 0x220, 32);  // answers come in any order
  bench.core(false, 0x220, 1001);
  EXPECT_EQ(bench.said(), 1U) << "the counter counts whole commands";
  bench.l1.command_received(kNiu, 0x200, 32);
  EXPECT_EQ(bench.l1.commands(), 0U);
  bench.core(true, 0x200, 1002);
  EXPECT_EQ(bench.said(), 0U);
}

TEST(L1InFlight, TheSourceOfACommandMayBeReadAndNotWritten) {
  Bench bench;
  bench.l1.command_started(kNiu, kCore, 0x200, 64, false, 10);
  bench.core(false, 0x200, 20);
  bench.transfer(kUnpacker, false, 0x200, 20, 30);
  bench.transfer(BusMaster::kNoc1, true, 0x220, 20, 30);  // NIUs may poll each other
  EXPECT_EQ(bench.said(), 0U);
  bench.core(true, 0x210, 21);
  ASSERT_EQ(bench.complaints.size(), 1U);
  EXPECT_TRUE(bench.complaints[0].first.is_command);
  EXPECT_FALSE(bench.complaints[0].second.is_command);
  bench.said();
  bench.transfer(kPacker, true, 0x230, 40, 50);
  EXPECT_EQ(bench.said(), 1U);
}

// Data that counts as sent may still be in L1: a store there changes the sent data until the last
// byte has left. If a core has read the counters, its stores are not reported.
TEST(L1InFlight, StoresOverDataThatIsBeingSent) {
  for (const bool looks : {false, true}) {
    Bench bench;
    bench.l1.command_started(kNiu, kCore, 0x200, 64, false, 10);
    bench.l1.command_sent(kNiu, 0x200, 32, 30);
    bench.core(true, 0x200, 20);
    EXPECT_EQ(bench.said(), 1U) << "half of it counts as sent";
    bench.l1.command_sent(kNiu, 0x220, 32, 50);
    bench.l1.counters_read(BusMaster::kNoc1);
    bench.core(true, 0x200, 49);
    EXPECT_EQ(bench.said(), 1U) << "a core has read the other NIU's counters";
    bench.core(false, 0x200, 49);
    bench.transfer(kPacker, true, 0x230, 49, 50);  // the NIU's own reads count
    EXPECT_EQ(bench.said(), 0U);
    if (looks) bench.l1.counters_read(kNiu);
    EXPECT_EQ(bench.l1.commands(), looks ? 0U : 1U);
    bench.core(true, 0x200, looks ? 49 : 50);
    EXPECT_EQ(bench.said(), 0U);
    EXPECT_EQ(bench.l1.commands(), 0U);
  }
}

TEST(L1InFlight, LookingAtCountersForgetsAllThatIsSentAndNothingElse) {
  Bench bench;
  for (const std::uint32_t address : {0x200U, 0x300U, 0x400U, 0x500U}) {
    bench.l1.command_started(kNiu, kCore, address, 16, false, 10);
  }
  bench.l1.command_started(BusMaster::kNoc1, kCore, 0x600, 16, false, 10);
  for (const std::uint32_t address : {0x200U, 0x300U, 0x500U}) {
    bench.l1.command_sent(kNiu, address, 16, 100);
  }
  bench.l1.command_sent(BusMaster::kNoc1, 0x600, 16, 100);
  bench.l1.counters_read(kNiu);
  EXPECT_EQ(bench.l1.commands(), 2U);
  for (const std::uint32_t address : {0x200U, 0x300U, 0x500U}) bench.core(true, address, 20);
  EXPECT_EQ(bench.said(), 0U);
  bench.core(true, 0x400, 20);
  EXPECT_EQ(bench.said(), 1U);
  bench.core(true, 0x600, 20);
  EXPECT_EQ(bench.said(), 1U);
  bench.l1.counters_read(BusMaster::kNoc1);
  EXPECT_EQ(bench.l1.commands(), 1U);
}

TEST(L1InFlight, CommandsAreHeldToOneAnother) {
  const struct {
    bool first_writes, second_writes, sent;
    std::uint32_t address;
    std::size_t complaints;
  } kRows[] = {
      {false, true, false, 0x230, 1},  {true, false, false, 0x230, 1},
      {false, true, false, 0x240, 0},  {false, true, false, 0x1F0, 0},
      {false, true, false, 0x1F4, 1},  {true, true, false, 0x200, 0},  // any answer may be the last
      {false, false, false, 0x200, 0}, {false, true, true, 0x200, 0},
  };
  for (const auto& row : kRows) {
    Bench bench;
    bench.l1.command_started(BusMaster::kNoc1, kCore, 0x900, 16, row.second_writes, 5);
    bench.l1.command_started(BusMaster::kNoc1, kCore, 0x100, 16, row.second_writes, 5);
    bench.l1.command_started(kNiu, kCore, 0x200, 64, row.first_writes, 10);
    if (row.sent) bench.l1.command_sent(kNiu, 0x200, 64, 100);
    bench.l1.command_started(BusMaster::kNoc1, BusMaster::kB, row.address, 16, row.second_writes,
                             20);
    EXPECT_EQ(bench.said(), row.complaints) << row.address;
  }
}

// Returning data belongs to the command of its NIU and direction that has room for it.
TEST(L1InFlight, PartsBelongToTheFirstCommandTheyFit) {
  Bench bench;
  bench.l1.command_started(kNiu, kCore, 0x200, 64, true, 10);
  bench.l1.command_started(kNiu, kCore, 0x200, 64, true, 11);
  bench.l1.command_received(BusMaster::kNoc1, 0x200, 64);
  bench.l1.command_received(kNiu, 0x1F0, 64);
  bench.l1.command_received(kNiu, 0x210, 64);
  bench.l1.command_sent(kNiu, 0x200, 64, 12);
  EXPECT_EQ(bench.l1.commands(), 2U);
  bench.l1.command_received(kNiu, 0x220, 32);
  bench.l1.command_received(kNiu, 0x200, 64);  // more than the first has left
  EXPECT_EQ(bench.l1.commands(), 1U);
  bench.l1.command_received(kNiu, 0x200, 32);
  EXPECT_EQ(bench.l1.commands(), 0U);
}

TEST(L1InFlight, CommandsKnowWhichInstructionStartedThem) {
  Bench bench;
  bench.l1.note_pc(BusMaster::kB, 0x1000);
  bench.l1.note_pc(kCore, 0x2000);
  bench.l1.command_started(kNiu, kCore, 0x200, 0, true, 5);  // no bytes, so no command
  EXPECT_EQ(bench.l1.commands(), 0U);
  bench.l1.command_started(kNiu, kCore, 0x200, 16, true, 10);
  bench.core(true, 0x200, 20);
  ASSERT_EQ(bench.complaints.size(), 1U);
  const L1InFlight::Transfer& command = bench.complaints[0].first;
  EXPECT_EQ(command.core, kCore);
  EXPECT_EQ(command.pc, 0x2000U);
  EXPECT_EQ(command.access.now, 10U);
}

// Cores access L1 directly below the transfers that are under way, and report accesses above.
TEST(L1InFlight, CoresAreDirectBelowTransfersUnderWay) {
  Bench bench;
  const std::uint32_t pc = 0, stored = 0;
  std::uint32_t mapped = 0x8000;
  std::uint32_t direct = 0, beyond = 0;
  bench.probe.add({kCore, &pc, &stored, &direct, &mapped, &beyond});
  EXPECT_EQ(direct, 0x8000U);
  bench.transfer(kNiu, true, 0x100, 10, 20);  // may be polled
  EXPECT_EQ(direct, 0x8000U);
  bench.transfer(kPacker, true, 0x600, 10, 20);
  EXPECT_EQ(direct, 0x600U);
  bench.transfer(kUnpacker, false, 0x700, 10, 40);
  EXPECT_EQ(direct, 0x600U);
  bench.l1.command_started(kNiu, kCore, 0x500, 16, true, 12);
  EXPECT_EQ(direct, 0x500U);
  bench.l1.command_received(kNiu, 0x500, 16);
  EXPECT_EQ(direct, 0x600U);
  bench.core(false, 0x7000, 20);
  EXPECT_EQ(direct, 0x700U) << "the packer is done";
  mapped = 0x300;
  bench.probe.remapped();
  EXPECT_EQ(direct, 0x300U);
  mapped = 0x8000;
  bench.core(false, 0x7000, 40);
  EXPECT_EQ(direct, 0x8000U);
}

// With keep_stores(), cores report all accesses, and their stores have writers.
TEST(L1InFlight, StoresHaveWritersOnRequest) {
  Bench bench;
  const std::uint32_t pc = 0x1234, stored = 0;
  std::uint32_t mapped = 0x8000, direct = 0, beyond = 0;
  bench.probe.add({kCore, &pc, &stored, &direct, &mapped, &beyond});
  bench.l1.note_pc(kCore, pc);
  bench.core(true, 0x100, 5);
  EXPECT_EQ(bench.l1.last_writer(0x100), nullptr);
  EXPECT_EQ(direct, 0x8000U);
  bench.l1.keep_stores();
  EXPECT_EQ(direct, 0U);
  EXPECT_GE(beyond, mapped);
  bench.transfer(kPacker, true, 0x100, 10, 20);
  bench.core(true, 0x104, 30);
  bench.core(false, 0x108, 31);
  EXPECT_EQ(direct, 0U);
  ASSERT_NE(bench.l1.last_writer(0x104), nullptr);
  EXPECT_EQ(bench.l1.last_writer(0x104)->core, kCore);
  EXPECT_EQ(bench.l1.last_writer(0x104)->agent, kCore);
  EXPECT_EQ(bench.l1.last_writer(0x104)->pc, pc);
  EXPECT_EQ(bench.l1.last_writer(0x104)->cycle, 30U);
  EXPECT_EQ(bench.l1.last_writer(0x100)->agent, kPacker);
  EXPECT_EQ(bench.l1.last_writer(0x108)->agent, kPacker);
  bench.l1.host_writes(0x106, 1);
  EXPECT_EQ(bench.l1.last_writer(0x104)->agent, BusMaster::kDebug);
}

TEST(L1InFlight, NamesTheSenderOfANiusWrites) {
  Bench bench;
  EXPECT_EQ(bench.l1.sender_text(), "");
  bench.l1.comes_from({.pc = 0x5120, .core = BusMaster::kNc, .x = 1, .y = 2});
  EXPECT_EQ(bench.l1.sender_text(), " (a write that (1, 2) of NoC 0 sent, by NCRISC at pc 0x5120)");
  bench.l1.comes_from({.core = BusMaster::kNc, .x = 1, .y = 2});
  EXPECT_EQ(bench.l1.sender_text(), "") << "of an ethernet tile";
  bench.l1.comes_from({});
  EXPECT_EQ(bench.l1.sender_text(), "");
}

TEST(L1InFlight, KnowsTheCyclesOfTheLastProgram) {
  Bench bench;
  EXPECT_TRUE(bench.l1.is_of_last_program(0));
  bench.l1.program_begins();
  EXPECT_FALSE(bench.l1.is_of_last_program(100));
  bench.transfer(kPacker, true, 0x100, 50, 60);
  bench.transfer(kPacker, true, 0x100, 70, 80);
  EXPECT_FALSE(bench.l1.is_of_last_program(49));
  EXPECT_TRUE(bench.l1.is_of_last_program(50));
}

TEST(L1InFlight, FindsTheTransfersOfAThread) {
  Bench bench;
  const auto begin = [&](unsigned thread, std::uint32_t instruction, Cycle done) {
    bench.l1.written({.agent = kPacker,
                      .address = 0x100 * thread,
                      .bytes = 16,
                      .now = 10,
                      .done = done,
                      .instruction = instruction,
                      .thread = static_cast<std::uint8_t>(thread)});
  };
  begin(0, 0, 30);
  begin(1, 0x41000000, 30);
  EXPECT_EQ(bench.l1.under_way_by(0, 15), nullptr) << "no instruction made it";
  ASSERT_NE(bench.l1.under_way_by(1, 29), nullptr);
  EXPECT_EQ(bench.l1.under_way_by(1, 29)->access.address, 0x100U);
  EXPECT_EQ(bench.l1.under_way_by(1, 30), nullptr);
  EXPECT_EQ(bench.l1.under_way_by(2, 15), nullptr);
}

TEST(L1InFlight, KeepsItsRecordWithoutAListener) {
  Probe probe;
  L1InFlight l1{probe};
  l1.command_started(kNiu, kCore, 0x200, 16, true, 10);
  l1.written({.agent = kPacker, .address = 0x200, .bytes = 16, .now = 11, .done = 19});
  EXPECT_EQ(l1.commands(), 1U);
  EXPECT_NE(l1.last_writer(0x200), nullptr);
}

}  // namespace
}  // namespace tvp::checks
