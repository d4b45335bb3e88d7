// Cores of a tile that access L1 at the same time. The reference is mesham/tt-sim
// perfbench/riscvbench, session 2026-08-17, phase R, on a Wormhole. One, two and three T cores use
// 2 KiB each. Stores go to four words 16 B apart ("spread") or within 16 B ("coalesce").
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/riscv/execute/l1_arbiter.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::l1_sharing_test {
namespace {

using namespace assembler;
using support::BusMaster;
using support::Cycle;

constexpr unsigned kCores = 5;
constexpr BusMaster kMasters[kCores] = {BusMaster::kB, BusMaster::kNc, BusMaster::kT0,
                                        BusMaster::kT1, BusMaster::kT2};
enum Index : unsigned { kB, kNc, kT0, kT1, kT2 };
constexpr std::uint32_t kDataOfCore = 2048;

struct World {
  CoreConfig config;
  foundation::StopOnFault faults;
  bench::Tile tile{"tile", 64 * 1024};
  L1Arbiter arbiter;
  World() {
    for (const BusMaster master : kMasters) {
      tile.add_core({master, "", 4096, 0}, config, faults).share_l1(arbiter);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

World& world() {
  static World w;
  return w;
}

/// Cycles per access of the cores, which all make 64 accesses per round.
std::vector<double> each(const std::vector<unsigned>& cores, const std::vector<Word>& four,
                         Cycle window = support::kNever, void (*prepare)(L1Arbiter&) = nullptr) {
  constexpr unsigned kRounds = 64, kAccesses = 64;
  World& w = world();
  std::vector<Word> program{addi(5, 0, kRounds)};
  for (unsigned i = 0; i < kAccesses / 4; ++i) {
    program.insert(program.end(), four.begin(), four.end());
  }
  program.push_back(addi(5, 5, -1));
  program.push_back(bne(5, 0, -4 * static_cast<std::int32_t>(kAccesses + 1)));
  program.push_back(lui(21, bench::Tile::kFifo));
  program.push_back(lw(0, 0, 21));
  for (Core* core : w.tile.cores) core->assert_reset(0);
  w.arbiter = {};  // time starts again
  if (prepare != nullptr) prepare(w.arbiter);
  w.tile.load(0, program);
  for (const unsigned core : cores) {
    w.tile.cores[core]->release_reset(0, 0);
    w.tile.cores[core]->set_reg(20, 0x4000 + core * kDataOfCore);
  }
  if (window == support::kNever) {
    w.tile.run();
  } else {
    for (Cycle end = 0; w.tile.scheduler.next() != support::kNever;) {
      end = std::max(end, w.tile.scheduler.next()) + window;
      w.tile.run(end);
    }
  }
  std::vector<double> cycles;
  for (const unsigned core : cores) {
    cycles.push_back(static_cast<double>(w.tile.cores[core]->time()) / (kRounds * kAccesses));
  }
  return cycles;
}

const std::vector<Word> kSpread{sw(6, 0, 20), sw(6, 16, 20), sw(6, 32, 20), sw(6, 48, 20)};
const std::vector<Word> kSameBank{sw(6, 0, 20), sw(6, 4, 20), sw(6, 0, 20), sw(6, 4, 20)};
const std::vector<Word> kLoads{lw(6, 0, 20), lw(7, 16, 20), lw(8, 32, 20), lw(9, 48, 20)};

void expect_near(const std::vector<double>& cycles, const std::vector<double>& measured,
                 double share) {
  ASSERT_EQ(cycles.size(), measured.size());
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    EXPECT_NEAR(cycles[i], measured[i], share * measured[i]) << "core " << i;
  }
}

TEST(L1Sharing, OneCoreStoresEveryFiveCycles) {
  expect_near(each({kT1}, kSpread), {5.166}, 0.04);
  expect_near(each({kT1}, kSameBank), {5.170}, 0.04);
}

/// The cycles that a stream has lost at its end.
Cycle lost(L1Arbiter& arbiter, const L1Arbiter::Stream& stream) {
  constexpr Cycle kLater = 1'000'000;
  L1Arbiter::Stream left = stream;
  arbiter.pass(left, kLater);
  EXPECT_EQ(left.words, 0u);
  return left.begin - stream.begin - stream.turns();
}

/// Eight stores to bank 3, from cycle 100 on.
L1Arbiter with_stores() {
  L1Arbiter arbiter;
  for (Cycle i = 0; i < 8; ++i)
    arbiter.store(BusMaster::kB, 0x30 + 4 * i % 16, 90 + i, 100 + 5 * i);
  return arbiter;
}

TEST(L1Sharing, AStreamOfWordsWaitsForEachStoreThatHasItsBank) {
  L1Arbiter arbiter = with_stores();
  // Both lanes of the first turn, then bank 3 every eight cycles, plus waits. Bank 3 is occupied
  // from 100 to 105, 113 to 115, 123 to 125 and 133 to 135.
  EXPECT_EQ(lost(arbiter, {.word = 2, .words = 512, .lanes = 2, .begin = 100}), 11u);
  EXPECT_EQ(lost(arbiter, {.word = 2, .words = 18, .lanes = 2, .begin = 100}), 7u);
  EXPECT_EQ(lost(arbiter, {.word = 3, .words = 1, .lanes = 1, .begin = 138}), 2u);
}

TEST(L1Sharing, WordsOfOtherBanksAndTimesWaitForNobody) {
  L1Arbiter arbiter = with_stores();
  L1Arbiter nobody;
  EXPECT_EQ(lost(arbiter, {.word = 4, .words = 8, .lanes = 2, .begin = 100}), 0u);
  EXPECT_EQ(lost(arbiter, {.word = 2, .words = 512, .lanes = 2, .begin = 140}), 0u);
  EXPECT_EQ(lost(arbiter, {.word = 2, .words = 2, .lanes = 2, .begin = 99}), 0u);
  EXPECT_EQ(lost(nobody, {.word = 2, .words = 512, .lanes = 2, .begin = 100}), 0u);
}

TEST(L1Sharing, WordsWaitForStoresThatAreStillToPass) {
  L1Arbiter arbiter = with_stores();
  EXPECT_EQ(lost(arbiter, {.word = 2, .words = 512, .lanes = 2, .begin = 100}), 11u);
}

TEST(L1Sharing, StoresBeforeTheFourthThatWaitsHoldTheirBanks) {
  L1Arbiter arbiter;
  arbiter.note(0x50, 200);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 202}), 3u);
  EXPECT_EQ(lost(arbiter, {.word = 6, .words = 1, .lanes = 1, .begin = 202}), 0u);
}

// Evaluating the stream in parts gives the same result.
TEST(L1Sharing, AStreamPassesUpToACycle) {
  L1Arbiter arbiter = with_stores();
  L1Arbiter::Stream left{.word = 2, .words = 512, .lanes = 2, .begin = 100};
  arbiter.pass(left, 103);
  EXPECT_EQ(left.word, 4u);
  EXPECT_EQ(left.begin, 106u) << "the turn that asked at 100 is over at 105";
  for (Cycle until = 106; left.words != 0; until += 7) arbiter.pass(left, until);
  EXPECT_EQ(left.begin, 100u + 256 + 11);
}

// Stores with gaps delay no core, but occupy their banks.
TEST(L1Sharing, SingleStoresHoldTheirBanksWhileAPacketComes) {
  const std::vector<Word> spaced{sw(6, 0, 20), mul(7, 7, 7), mul(7, 7, 7), mul(7, 7, 7)};
  const unsigned bank = (0x4000 + kB * kDataOfCore) / 16 % 16;
  const auto of_last = [&] {
    const auto end = static_cast<Cycle>(world().tile.cores[kB]->time());
    return lost(world().arbiter, {.word = bank, .words = 128, .lanes = 2, .begin = end - 100});
  };
  each({kB}, spaced);
  EXPECT_EQ(of_last(), 0u) << "nobody hears them";
  each({kB}, spaced, support::kNever, [](L1Arbiter& arbiter) { arbiter.packet_begins(0); });
  EXPECT_GT(of_last(), 10u);
}

/// An arbiter with a listener for reads.
L1Arbiter heard() {
  L1Arbiter arbiter;
  arbiter.packet_begins(0);
  return arbiter;
}

TEST(L1Sharing, WordsAndReadsOfABankTakeTurns) {
  L1Arbiter arbiter = heard();
  arbiter.note_read(BusMaster::kB, 0x50, 200);
  arbiter.note_read(BusMaster::kB, 0x50, 240);
  arbiter.note_read(BusMaster::kB, 0x50, 280);
  arbiter.note_read(BusMaster::kT1, 0x90, 280);
  std::uint16_t refused = 0;
  for (const auto& [begin, waits] : {std::pair<Cycle, Cycle>{200, 1}, {240, 0}, {280, 1}}) {
    L1Arbiter::Stream left{.word = 5, .words = 1, .lanes = 1, .begin = begin, .refused = refused};
    arbiter.pass(left, begin + 20);
    EXPECT_EQ(left.begin, begin + 1 + waits);
    refused = left.refused;
  }
  EXPECT_EQ(lost(arbiter, {.word = 9, .words = 1, .lanes = 1, .begin = 280}), 1u) << "a bank each";
}

TEST(L1Sharing, AWordWaitsACycleForWhatCoresRead) {
  L1Arbiter arbiter = heard();
  arbiter.note_read(BusMaster::kB, 0x50, 200);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 200}), 1u);
  EXPECT_EQ(lost(arbiter, {.word = 6, .words = 1, .lanes = 1, .begin = 200}), 0u);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 199}), 0u);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 201}), 0u);
}

// Cores fetch code ahead of the events of others.
TEST(L1Sharing, WhatWasReadAheadOfAPacketIsMetWhereItIsHeard) {
  L1Arbiter arbiter;
  for (const Cycle at : {200, 230, 400}) arbiter.note_read(BusMaster::kB, 0x50, at);
  arbiter.polls(BusMaster::kT1, 150, 80, {{0, 0x60}});
  arbiter.packet_begins(210);
  arbiter.packet_ends(240);
  const auto waits = [&](std::uint32_t word, Cycle begin) {
    return lost(arbiter, {.word = word, .words = 1, .lanes = 1, .begin = begin});
  };
  EXPECT_EQ(waits(5, 230), 1u);
  EXPECT_EQ(waits(6, 230), 1u);
  for (const Cycle not_heard : {200, 400}) EXPECT_EQ(waits(5, not_heard), 0u);
  for (const Cycle not_heard : {150, 310, 390}) EXPECT_EQ(waits(6, not_heard), 0u);
}

// Polls are no such reads: a core that wakes does something else.
TEST(L1Sharing, WhoAsksHowItLooksIsToldOfNoReads) {
  L1Arbiter arbiter = heard();
  arbiter.note_read(BusMaster::kB, 0x50, 200);
  arbiter.polls(BusMaster::kT1, 100, 10, {{0, 0x50}});
  L1Arbiter::Stream left{.word = 5, .words = 32, .lanes = 1, .begin = 200};
  arbiter.pass(left, support::kNever);
  EXPECT_EQ(left.begin, 232u);
  EXPECT_EQ(left.refused, 0u);
}

TEST(L1Sharing, NoReadIsLostThatCanBeAskedFor) {
  constexpr Cycle kReads = 20000;
  L1Arbiter arbiter = heard();
  Cycle waits_since = 1;  // a packet that has not been queried yet
  arbiter.add_stream(waits_since);
  for (Cycle at = 1; at <= kReads; ++at) {
    for (const BusMaster core : kMasters) arbiter.note_read(core, 0x50, at);
    if (at % 1000 == 0) {
      arbiter.packet_begins(at);
      arbiter.packet_ends(at);
    }
  }
  for (Cycle at = 1; at <= kReads; ++at)
    ASSERT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = at}), 1u) << at;
}

TEST(L1Sharing, WhatACoreFetchedAheadOfItsResetIsNotRead) {
  L1Arbiter arbiter = heard();
  arbiter.note_read(BusMaster::kB, 0x50, 200);
  arbiter.note_read(BusMaster::kB, 0x50, 230);
  arbiter.reset(BusMaster::kB, 210);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 200}), 1u);
  EXPECT_EQ(lost(arbiter, {.word = 5, .words = 1, .lanes = 1, .begin = 230}), 0u);
}

/// The rule per word: if a core reads the bank, the stream waits for one cycle, once.
Cycle lost_to_poll(L1Arbiter::Stream stream, Cycle since, Cycle until, Cycle period,
                   const std::vector<L1Arbiter::Polled>& loads) {
  const Cycle alone = stream.begin + stream.turns();
  bool lost_before[16] = {};
  for (; stream.words != 0; stream.pass(1, stream.begin + 1)) {
    bool read[16] = {};
    for (const L1Arbiter::Polled& load : loads) {
      const Cycle first = since + load.offset;
      if (stream.begin >= first && stream.begin < until && (stream.begin - first) % period == 0)
        read[load.address / 16 % 16] = true;
    }
    bool waits = false;
    for (std::uint32_t word = 0; word < std::min(stream.lanes, stream.words); ++word) {
      const unsigned bank = (stream.word + word) % 16;
      if (!read[bank]) continue;
      waits = waits || !lost_before[bank];
      lost_before[bank] = !lost_before[bank];
    }
    stream.begin += waits;
  }
  return stream.begin - alone;
}

TEST(L1Sharing, PollsThatNobodyExecutesHoldTheirBanks) {
  const std::vector<L1Arbiter::Polled> loads{{0, 0x30}, {9, 0x114}, {17, 0x20}};
  for (Cycle period : {15, 16, 17, 24, 43}) {
    for (std::uint32_t word = 0; word < 16; ++word) {
      for (std::uint32_t lanes : {1, 2}) {
        const L1Arbiter::Stream stream{
            .word = word, .words = 512, .lanes = lanes, .begin = 95 + word};
        L1Arbiter arbiter = heard();
        arbiter.polls(BusMaster::kT1, 100, period, loads);
        EXPECT_EQ(arbiter.held_until(), support::kNever);
        const Cycle waits = lost_to_poll(stream, 100, support::kNever, period, loads);
        EXPECT_EQ(lost(arbiter, stream), waits);
        // In parts, as they become known.
        L1Arbiter in_parts = arbiter;
        L1Arbiter::Stream left = stream;
        for (Cycle until = 106; left.words != 0; until += 7) in_parts.pass(left, until);
        EXPECT_EQ(left.begin - stream.begin - stream.turns(), waits);
        arbiter.polls_no_more(BusMaster::kT1, 210);
        EXPECT_EQ(arbiter.held_until(), 210u);
        EXPECT_EQ(lost(arbiter, stream), lost_to_poll(stream, 100, 210, period, loads));
      }
    }
  }
}

TEST(L1Sharing, APollThatIsOverIsMetWhileItCanBeAskedFor) {
  L1Arbiter arbiter = heard();
  Cycle waits_since = 100;
  arbiter.add_stream(waits_since);
  constexpr Cycle kPolls = 50;
  for (Cycle i = 0; i < kPolls; ++i) {
    arbiter.polls(BusMaster::kT1, 100 + 100 * i, 15, {{0, 0x30}});
    arbiter.polls_no_more(BusMaster::kT1, 140 + 100 * i);
  }
  EXPECT_EQ(arbiter.held_until(), 100 * kPolls + 40);
  for (Cycle i = 0; i < kPolls; ++i) {
    const Cycle begin = 100 + 100 * i;
    EXPECT_EQ(lost(arbiter, {.word = 3, .words = 1, .lanes = 1, .begin = begin + 15}), 1u);
    EXPECT_EQ(lost(arbiter, {.word = 3, .words = 1, .lanes = 1, .begin = begin + 45}), 0u);
  }
}

// A stream meets a sleeping core like one that executes its poll, and meets its accesses after it
// wakes.
TEST(L1Sharing, SleepingCoresAreMetAsThoseThatPoll) {
  World& w = world();
  Core& core = *w.tile.cores[kT1];
  constexpr std::uint32_t kFlag = 0x4000 + 0x30;
  const std::vector<Word> program{lw(5, 0x30, 20), beq(5, 0, -4), lw(6, 0x40, 20),
                                  lui(21, bench::Tile::kFifo), lw(0, 0, 21)};
  std::vector<Cycle> of_each[2];
  for (const bool sleeps : {false, true}) {
    for (Core* other : w.tile.cores) other->assert_reset(0);
    w.arbiter = {};
    w.arbiter.packet_begins(0);
    w.tile.load(0, program);
    w.tile.load(kFlag, {0});
    core.set_poll_sleep(sleeps);
    core.release_reset(0, 0);
    core.set_reg(20, 0x4000);
    w.tile.run(500);
    EXPECT_EQ(core.state() == CoreState::kSleepingOnPoll, sleeps);
    for (std::uint32_t word = 0; word < 16; ++word)
      of_each[sleeps].push_back(
          lost(w.arbiter, {.word = word, .words = 256, .lanes = 2, .begin = 350}));
    w.tile.load(kFlag, {1});
    w.tile.watches.l1_written(kFlag, 4, 500, 0);
    w.tile.run();
    for (std::uint32_t word = 0; word < 16; ++word)
      of_each[sleeps].push_back(
          lost(w.arbiter, {.word = word, .words = 256, .lanes = 2, .begin = 420}));
  }
  core.set_poll_sleep(true);
  EXPECT_EQ(of_each[true], of_each[false]);
  EXPECT_GT(*std::max_element(of_each[true].begin(), of_each[true].end()), 1u);
}

TEST(L1Sharing, AStreamOfStoresHoldsItsBank) {
  each({kB}, kSameBank);
  const auto end = static_cast<Cycle>(world().tile.cores[kB]->time());
  const unsigned bank = (0x4000 + kB * kDataOfCore) / 16 % 16;
  // Almost every time the words come to the bank, every eight cycles, a store has it.
  const Cycle cycles =
      lost(world().arbiter, {.word = bank, .words = 512, .lanes = 2, .begin = end - 700});
  EXPECT_GT(cycles, 60u);
  EXPECT_LT(cycles, 130u);
}

TEST(L1Sharing, TwoCoresOnPortsOfTheirOwnMeetInBanks) {
  expect_near(each({kT0, kT1}, kSpread), {5.37, 5.37}, 0.08);
  expect_near(each({kT0, kT1}, kSameBank), {9.98, 9.98}, 0.03);
}

TEST(L1Sharing, TwoCoresOfOnePortTakeTurns) {
  const std::vector<double> stores = each({kT1, kT2}, kSpread);
  expect_near(stores, {10, 10}, 0.03);
  expect_near(each({kB, kT0}, kSpread), {10, 10}, 0.03);
}

// The rule lets T0 run alone on its port, ahead of the other two and without bank conflicts.
// Measured, it takes 6.9 cycles if the stores are spread. The other two take as long as measured.
TEST(L1Sharing, ThreeCores) {
  expect_near(each({kT1, kT2, kT0}, kSpread), {10.94, 10.94, 5}, 0.05);
  expect_near(each({kT0, kT1, kT2}, kSameBank), {9.98, 15.5, 15.5}, 0.05);
}

TEST(L1Sharing, LoadsTakeTheirPortOneByOne) {
  expect_near(each({kT1}, kLoads), {1.719}, 0.03);
  expect_near(each({kT0, kT1}, kLoads), {1.866, 1.794}, 0.08);
  expect_near(each({kT0, kT1, kT2}, kLoads), {1.885, 2.05, 2.07}, 0.08);
}

// The order of waits does not depend on how the host runs the cores.
TEST(L1Sharing, WindowsChangeNothing) {
  for (const auto& four : {kSpread, kSameBank, kLoads}) {
    const std::vector<double> free = each({kB, kT0, kT1, kT2}, four);
    EXPECT_EQ(each({kB, kT0, kT1, kT2}, four, 1), free);
    EXPECT_EQ(each({kB, kT0, kT1, kT2}, four, 37), free);
  }
}

// Stores with gaps pass, independently of other stores.
TEST(L1Sharing, SingleAccessesDoNotWait) {
  const std::vector<Word> spaced{sw(6, 0, 20), mul(7, 7, 7), mul(7, 7, 7), mul(7, 7, 7)};
  const double alone = each({kT1}, spaced)[0];
  EXPECT_DOUBLE_EQ(each({kT1, kT2}, spaced)[0], alone);
}

}  // namespace
}  // namespace tvp::riscv::l1_sharing_test
