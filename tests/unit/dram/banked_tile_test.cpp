// DRAM tiles whose channels have banks: bytes, times of rows, rates, refresh, and lockstep.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "models/dram/controller/banked_controller.h"
#include "models/dram/dram_tile.h"
#include "tests/support/memory_recorder.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::dram::banked_tile_test {
namespace {

using namespace regs::noc;  // register names
using noc::Command;
using noc::NocBench;
using noc::TestTile;
using support::Cycle;

const std::vector<std::pair<unsigned, unsigned>> kPlaces = {{1, 1}, {2, 1}, {1, 2}, {6, 5}};

struct Bench : NocBench {
  Bench(const std::string& name, bool lockstep) : NocBench(name, "fast", lockstep, kPlaces) {
    dram_config.controller.set("banked");
    dram = std::make_unique<DramTile>((name + "_dram").c_str(), dram_config, noc::wormhole_grid(),
                                      config, 0, calendar, faults, name + "_dram");
    for (auto& torus : network) dram->attach(*torus);
  }
  Command write(const TestTile& from, std::uint32_t source, std::uint32_t address,
                std::uint32_t bytes) {
    Command c;
    c.ctrl = kCmdWr | kCmdRespMarked;
    c.targ_lo = source;
    c.targ_mid = mid(0, from);
    c.ret_lo = address;
    c.ret_mid = mid(0, 0, 0);
    c.at_len_be = bytes;
    return c;
  }
  Command read(const TestTile& to, std::uint32_t address, std::uint32_t destination,
               std::uint32_t bytes) {
    Command c;
    c.ctrl = kCmdRd | kCmdRespMarked;
    c.targ_lo = address;
    c.targ_mid = mid(0, 0, 0);
    c.ret_lo = destination;
    c.ret_mid = mid(0, to);
    c.at_len_be = bytes;
    return c;
  }
  const DramChannel& channel() {
    return dynamic_cast<BankedController&>(dram->channel(0)).channel();
  }
  DramConfig dram_config;
  std::unique_ptr<DramTile> dram;
};

struct Benches {
  Bench main{"main", false};
  Bench lockstep{"lockstep", true};
  Bench broken{"broken", false};
  Benches() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
Benches& benches() {
  static Benches all;
  return all;
}

class BankedTile : public ::testing::Test {
 protected:
  void TearDown() override {
    bench.settle();
    for (auto& network : bench.network) EXPECT_NO_THROW(network->check_conservation());
    for (auto& tile : bench.tiles) EXPECT_EQ(tile->open_transactions(), 0u) << tile->name();
  }
  Cycle time_of_read(std::uint32_t address, std::uint32_t bytes) {
    TestTile& tile = bench.at(1, 1);
    const std::uint32_t before = tile.niu[0]->counter(kMstRdRespReceived);
    const Cycle start = bench.calendar.now();
    bench.issue(tile, 0, 0, bench.read(tile, address, 0x400, bytes));
    const Cycle end =
        bench.run_until([&] { return tile.niu[0]->counter(kMstRdRespReceived) != before; });
    bench.settle(20);
    return end - start;
  }
  /// Advances until just after a refresh.
  void skip_refresh() {
    const Cycle interval = 1900;
    const Cycle now = bench.calendar.now();
    bench.calendar.run_until((now / interval + 1) * interval + 300);
  }
  Bench& bench = benches().main;
};

// tt-metal noc_latencies.yaml: writes of 64 B to one address take 65 cycles each. Writes of 128 B,
// or to several addresses, take the core's issue time.
TEST_F(BankedTile, WritesOfLessThanALineToOnePlaceAreMergedOneAfterTheOther) {
  TestTile& tile = bench.at(1, 1);
  // The time of four writes counts from the second acknowledgement: a refresh may delay the first.
  const auto time_of_writes = [&](std::uint32_t bytes, std::uint32_t distance) {
    skip_refresh();
    const std::uint32_t before = tile.niu[0]->counter(kMstWrAckReceived);
    for (unsigned i = 0; i < 4; ++i) {
      Command c = bench.write(tile, 0x400, 0x100000 + i * distance, bytes);
      c.ctrl |= static_vc(1);
      bench.issue(tile, 0, i, c);
    }
    const auto acknowledged = [&](unsigned writes) {
      return bench.run_until(
          [&] { return tile.niu[0]->counter(kMstWrAckReceived) >= before + writes; });
    };
    const Cycle second = acknowledged(2);
    const Cycle last = acknowledged(4);
    bench.settle(20);
    return static_cast<double>(last - second);
  };
  EXPECT_NEAR(time_of_writes(64, 0), 2 * 65, 15);
  EXPECT_NEAR(time_of_writes(64, 64), 65, 15) << "two places";
  EXPECT_LT(time_of_writes(64, 128), 40);
  EXPECT_LT(time_of_writes(128, 0), 40);
}

TEST_F(BankedTile, ReadsTakeWhatTheirRowCosts) {
  // Groups are above the burst, columns above them. 8 KiB further is another bank, 32 KiB another
  // row of the same bank.
  skip_refresh();
  const Cycle closed = time_of_read(0x100000, 32);
  skip_refresh();
  time_of_read(0x100000, 32);
  const Cycle hit = time_of_read(0x100080, 32);
  const Cycle conflict = time_of_read(0x108000, 32);
  // tRCDRD and tRP of 24 cycles at 1.5 GHz are 16 AICLK cycles.
  EXPECT_NEAR(static_cast<double>(closed - hit), 16, 1);
  EXPECT_NEAR(static_cast<double>(conflict - hit), 32, 1);
}

TEST_F(BankedTile, AnObserverSeesEveryBurstOnceAndMovesNothing) {
  const auto time = [&] {
    skip_refresh();
    time_of_read(0x100000, 32);
    return time_of_read(0x100020, 100);
  };
  const Cycle alone = time();
  support::MemoryRecorder observer;
  bench.dram->observe(&observer);
  EXPECT_EQ(time(), alone);
  bench.dram->observe(nullptr);
  EXPECT_EQ(time(), alone);
  ASSERT_EQ(observer.seen.size(), 5U);
  // In the order in which banks serve them: an open row comes first.
  std::sort(observer.seen.begin() + 1, observer.seen.end(),
            [](const auto& x, const auto& y) { return x.address < y.address; });
  std::uint64_t next = 0x100020;
  for (unsigned i = 1; i < 5; ++i) {
    const support::ProbeEvent& part = observer.seen[i];
    EXPECT_EQ(part.memory, support::MemoryKind::kDram);
    EXPECT_EQ(part.agent, support::BusMaster::kNoc0);
    EXPECT_EQ(part.address, next);
    EXPECT_EQ(part.kind, support::ProbeEvent::Kind::kRead);
    EXPECT_GT(part.done, part.cycle);
    next += part.bytes;
  }
  EXPECT_EQ(next, 0x100020U + 100);
}

TEST_F(BankedTile, LongReadsStreamThroughTheGroups) {
  skip_refresh();
  time_of_read(0x200000, 128);  // opens the rows
  const Cycle small = time_of_read(0x200000, 32);
  const Cycle large = time_of_read(0x200000, 8192);
  // 255 more bursts take two CK cycles each; 24 B per AICLK cycle.
  EXPECT_NEAR(static_cast<double>(large - small), 255 * 2 * 2.0 / 3, 6);
}

// ISA DRAMTile/README.md: 22.2 to 22.3 GB/s of reads. Here they follow from the pins' 24 GB/s and
// from refresh, which also closes and opens rows.
TEST_F(BankedTile, ReadsReachTheDocumentedRateWithoutAnEfficiency) {
  std::uint64_t words = 0;
  const auto moved = [&] {
    std::uint64_t sum = 0;
    for (const auto& [x, y] : kPlaces) {
      sum += bench.at(x, y).niu[0]->counter(kMstRdDataWordReceived);
    }
    return sum;
  };
  std::uint32_t address = 0;
  constexpr Cycle kWarmUp = 10000;
  constexpr Cycle kWindow = 40000;
  const Cycle start = bench.calendar.now();
  while (bench.calendar.now() - start < kWarmUp + kWindow) {
    for (const auto& [x, y] : kPlaces) {
      TestTile& tile = bench.at(x, y);
      if (tile.niu[0]->counter(kMstReqsOutstandingId) >= 8) continue;
      if (tile.niu[0]->peek(kInitiatorStatus) != 0) continue;
      bench.issue(tile, 0, 0, bench.read(tile, address, 0x1000, 8192));
      address = (address + 8192) % 0x1000000;
    }
    bench.calendar.run_until(bench.calendar.now() + 10);
    if (bench.calendar.now() - start == kWarmUp) words = moved();
  }
  const double rate = static_cast<double>(moved() - words) * 32 / kWindow;
  EXPECT_NEAR(rate, 22.3, 0.03 * 22.3);
  EXPECT_LT(rate, 24 * (1 - 180.0 / 2850));
  bench.settle(20000);
  const ChannelStats& stats = bench.channel().stats();
  EXPECT_GT(stats.row_hits, 50 * stats.row_conflicts);
  const double refreshes = static_cast<double>(bench.calendar.now()) / 1900;
  EXPECT_NEAR(static_cast<double>(stats.command(dram::DramCommand::kRefresh)), refreshes,
              2 + 0.3 * refreshes);
}

/// Random transfers of four tiles, each to its own part of one channel, with many in flight.
std::uint64_t random_transfers(Bench& bench) {
  std::mt19937 engine(11);
  const auto random = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(engine() % below);
  };
  constexpr std::uint32_t kPart = 0x40000;  // bytes of DRAM per tile
  constexpr std::uint32_t kHalf =
      0x8000;  // bytes of a tile's memory: a half to write from, a half to read to
  std::vector<std::vector<std::uint8_t>> shadow(kPlaces.size(), std::vector<std::uint8_t>(kPart));
  for (unsigned i = 0; i < kPlaces.size(); ++i) {
    bench.at(kPlaces[i].first, kPlaces[i].second).fill(0, kHalf, i + 1);
  }
  for (unsigned round = 0; round < 60; ++round) {
    struct Check {
      unsigned tile;
      std::uint32_t to;
      std::vector<std::uint8_t> expected;
    };
    std::vector<Check> checks;
    for (unsigned i = 0; i < kPlaces.size(); ++i) {
      TestTile& tile = bench.at(kPlaces[i].first, kPlaces[i].second);
      // Writes and reads of one round use different addresses, since the NoC orders them on one
      // channel only.
      const bool write = (round + i) % 2 == 0;
      std::uint32_t to = kHalf;
      for (unsigned k = 0; k < 4; ++k) {
        const std::uint32_t bytes = 1 + random(random(3) == 0 ? 8000 : 200);
        const std::uint32_t at = random(kPart / 4 - bytes) + k * (kPart / 4);
        if (write) {
          const std::uint32_t from = random((kHalf - bytes) / 32) * 32 + at % 32;
          if (from + bytes > kHalf) continue;
          bench.issue(tile, 0, 0, bench.write(tile, from, i * kPart + at, bytes));
          std::memcpy(&shadow[i][at], &tile.memory_bytes[from], bytes);
        } else {
          const std::uint32_t into = to + at % 32;
          if (into + bytes > 2 * kHalf) continue;
          bench.issue(tile, 0, 0, bench.read(tile, i * kPart + at, into, bytes));
          checks.push_back({i, into, {&shadow[i][at], &shadow[i][at] + bytes}});
          to = (into + bytes + 31) / 32 * 32;
        }
        bench.run_until([&] { return tile.niu[0]->peek(kInitiatorStatus) == 0; });
      }
    }
    bench.settle();
    for (const Check& check : checks) {
      const TestTile& tile = bench.at(kPlaces[check.tile].first, kPlaces[check.tile].second);
      EXPECT_EQ(
          std::memcmp(check.expected.data(), &tile.memory_bytes[check.to], check.expected.size()),
          0)
          << round;
    }
  }
  std::uint64_t digest = bench.calendar.now();
  for (const auto& [x, y] : kPlaces) {
    const TestTile& tile = bench.at(x, y);
    digest = (digest ^ tile.hash) * 0x9E3779B97F4A7C15ULL;
  }
  for (unsigned i = 0; i < kPlaces.size(); ++i) {
    std::vector<std::uint8_t> held(kPart);
    bench.dram->debug_read(i * kPart, held.data(), kPart);
    EXPECT_EQ(held, shadow[i]);
  }
  return digest;
}

TEST_F(BankedTile, MovesEveryByteInOrder) {
  random_transfers(bench);
  EXPECT_GT(bench.channel().stats().reads, 1000U);
  EXPECT_GT(bench.channel().stats().writes, 1000U);
}

TEST_F(BankedTile, ByteEnablesSelectBytes) {
  TestTile& a = bench.at(1, 1);
  for (unsigned i = 0; i < 32; i += 4) a.set_word(0x200 + i, 0x22222222);
  for (unsigned i = 0; i < 32; i += 4) a.set_word(0x300 + i, 0x33333333);
  bench.issue(a, 0, 0, bench.write(a, 0x200, 0x3000, 32));
  bench.settle();
  Command enabled = bench.write(a, 0x300, 0x3000, 0x0000FF01);
  enabled.ctrl |= kCmdWrBe;
  bench.issue(a, 0, 0, enabled);
  bench.settle();
  std::uint32_t words[8];
  bench.dram->debug_read(0x3000, reinterpret_cast<std::uint8_t*>(words), 32);
  EXPECT_EQ(words[0], 0x22222233U);
  EXPECT_EQ(words[1], 0x22222222U);
  EXPECT_EQ(words[2], 0x33333333U);
  EXPECT_EQ(words[3], 0x33333333U);
}

TEST(BankedTileAlone, IsTheSameInLockstep) {
  Bench& lockstep = benches().lockstep;
  Bench& free = benches().broken;  // not yet broken
  EXPECT_EQ(random_transfers(free), random_transfers(lockstep));
  EXPECT_EQ(free.channel().stats().commands, lockstep.channel().stats().commands);
}

TEST(BankedTileAlone, ReservedAddressesAreAFault) {
  Bench& broken = benches().broken;
  TestTile& tile = broken.at(1, 1);
  broken.issue(tile, 0, 0, broken.read(tile, 0x80000000, 0x400, 32));
  EXPECT_THROW(broken.settle(), foundation::Fault);
}

}  // namespace
}  // namespace tvp::dram::banked_tile_test
