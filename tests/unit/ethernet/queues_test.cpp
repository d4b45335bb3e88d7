#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/described_chips.h"
#include "tests/support/fault_of.h"
#include "tests/unit/ethernet/two_tiles.h"

namespace tvp::ethernet::test {
namespace {

namespace txq = regs::ethernet::txq;
namespace rxq = regs::ethernet::rxq;
using regs::ethernet::kAtomicCounter;
using regs::ethernet::kRxq0;
using regs::ethernet::kRxq1;
using regs::ethernet::kTxq0;
using regs::ethernet::kTxq1;

/// Modules must exist before elaboration, so all systems are created first and each test takes the
/// next one.
class Queues : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!pool_.empty()) return;
    for (unsigned i = 0; i < 48; ++i) {
      pool_.push_back(std::make_unique<TwoTiles>(("system" + std::to_string(i)).c_str()));
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static TwoTiles& fresh() { return *pool_.at(used_++); }

  static void fill(Tile& tile, std::uint32_t address, std::uint32_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    for (std::uint32_t i = 0; i < bytes; ++i) {
      tile.l1.bytes()[address + i] = static_cast<std::uint8_t>(random());
    }
  }
  static std::uint32_t word(Tile& tile, std::uint32_t address) {
    std::uint32_t value;
    std::memcpy(&value, tile.l1.bytes() + address, 4);
    return value;
  }

 private:
  static inline std::vector<std::unique_ptr<TwoTiles>> pool_;
  static inline unsigned used_ = 0;
};

// ISA EthernetTxRx.md, "Associating TX queues": base firmware leaves queue 0 in TT-link mode, which
// sends keepalives and drops nothing. Queue 1 is raw and sends only on command.
TEST_F(Queues, FirmwareLeavesQueue0InTtLinkModeAndQueue1Raw) {
  TwoTiles& s = fresh();
  const struct {
    std::uint32_t address, value;
  } kRegisters[] = {
      {kTxq0 + txq::kCtrl, txq::kCtrlKeepalive | txq::kCtrlDisDrop},
      {kTxq1 + txq::kCtrl, 0},
      {kRxq0 + rxq::kCtrl, rxq::kCtrlPacketMode},
      {kRxq1 + rxq::kCtrl, 0},
  };
  std::vector<std::uint32_t> idle;
  for (const std::uint32_t queue : {kTxq0, kTxq1}) {
    for (const std::uint32_t r : {txq::kCmd, txq::kTransferCnt, txq::kPktStartCnt, txq::kPktEndCnt,
                                  txq::kWordCnt, txq::kDestMacAddrHi, txq::kDestMacAddrLo,
                                  txq::kSrcMacAddrHi, txq::kSrcMacAddrLo, txq::kEthType}) {
      idle.push_back(queue + r);
    }
  }
  for (const auto& r : kRegisters) s.a.e.read(5000, r.address);
  for (const std::uint32_t address : idle) s.a.e.read(5000, address);
  s.run(6000);
  ASSERT_EQ(s.a.e.observed.size(), std::size(kRegisters) + idle.size());
  for (std::size_t i = 0; i < std::size(kRegisters); ++i)
    EXPECT_EQ(s.a.e.observed[i].value, kRegisters[i].value) << std::hex << kRegisters[i].address;
  for (std::size_t i = 0; i < idle.size(); ++i)
    EXPECT_EQ(s.a.e.observed[std::size(kRegisters) + i].value, 0U) << std::hex << idle[i];
  EXPECT_EQ(s.link.end(0).statistics().packets, 0U) << "nobody has sent anything";
}

// The CMD store at 104 is latched at 112. 16 B fill the buffer in 1.28 ns (edge 114). 66 B take
// 5.28 ns, the link 330 ns (edge 450), the receive queue 50 cycles.
TEST_F(Queues, SixteenBytesArriveAtTheDerivedCycle) {
  TwoTiles& s = fresh();
  fill(s.a, 0x20000, 16, 1);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.b.e.read(499, 0x21000);
  s.b.e.read(500, 0x21000);
  s.run(2000);
  ASSERT_EQ(s.b.e.observed.size(), 2u);
  EXPECT_EQ(s.b.e.observed[0].value, 0u);
  EXPECT_EQ(s.b.e.observed[1].value, word(s.a, 0x20000));
  EXPECT_EQ(std::memcmp(s.a.l1.bytes() + 0x20000, s.b.l1.bytes() + 0x21000, 16), 0);
}

// Five packets of 1488 B and one of 752 B. The first is on the line at ceil(112 + 119.04) = 232,
// and the rest follow without a gap: 5 * 123.04 + 64.16 = 679.36 ns. With 330 ns and 50 cycles that
// gives 1292.
TEST_F(Queues, ALongTransferIsSplitAndKeepsTheLineBusy) {
  TwoTiles& s = fresh();
  fill(s.a, 0x20000, 8192, 2);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x28000, 8192);
  s.b.e.read(1291, 0x28000 + 8188);
  s.b.e.read(1292, 0x28000 + 8188);
  s.run(3000);
  EXPECT_EQ(s.b.e.observed[0].value, 0u);
  EXPECT_EQ(s.b.e.observed[1].value, word(s.a, 0x20000 + 8188));
  EXPECT_EQ(std::memcmp(s.a.l1.bytes() + 0x20000, s.b.l1.bytes() + 0x28000, 8192), 0);
  EXPECT_EQ(s.link.end(0).statistics().packets, 6u);
  EXPECT_EQ(s.link.end(0).statistics().busy_ps, 679360u);
}

// A round trip of a message and an equal answer, as in tt-metal's all_ethernet_links_latency
// without the cores' work: twice the one-way time above.
TEST_F(Queues, RoundTripGrowsWithSizeAsMeasuredOnSilicon) {
  const struct {
    std::uint32_t bytes;
    double measured_ns;
  } rows[] = {{16, 894}, {128, 911}, {1024, 1245}, {2048, 1479}, {4096, 1803}, {8192, 2451}};
  double first = 0;
  for (const auto& row : rows) {
    TwoTiles& s = fresh();
    const std::uint32_t bytes = row.bytes + 16;  // the benchmark's flag follows the payload
    fill(s.a, 0x20000, bytes, 3);
    const std::uint32_t last = 0x20000 + bytes - 4;
    s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x20000, bytes);
    s.b.e.poll(0, last, word(s.a, last));
    s.b.e.send(0, kTxq0, txq::kCmdL1Write, 0x20000, 0x30000, bytes);
    s.a.e.poll(0, last + 0x10000, word(s.a, last));
    s.run(6000);
    ASSERT_EQ(s.a.e.observed.size(), 2u);
    const auto round_trip = static_cast<double>(s.a.e.observed[1].when - 100);
    if (first == 0) first = round_trip - row.measured_ns;
    EXPECT_NEAR(round_trip - first, row.measured_ns, 0.08 * row.measured_ns) << row.bytes;
  }
}

TEST_F(Queues, CountersAndSequenceNumbersFollowThePackets) {
  TwoTiles& s = fresh();
  fill(s.a, 0x20000, 4096, 4);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x28000, 3000);  // 1488 + 1488 + 24: refused
  EXPECT_THROW(s.run(3000), foundation::Fault);

  TwoTiles& t = fresh();
  t.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x28000, 3008);  // 1488 + 1488 + 32
  for (std::uint32_t r : {txq::kTransferCnt, txq::kPktStartCnt, txq::kPktEndCnt, txq::kWordCnt}) {
    t.a.e.read(5000, kTxq0 + r);
  }
  for (std::uint32_t r : {rxq::kPktEndCnt, rxq::kWordCnt, rxq::kLocalRxSeqNum, rxq::kPacketDropCnt,
                          rxq::kOutstandingWrCnt}) {
    t.b.e.read(5000, kRxq0 + r);
  }
  t.a.e.read(5000, kRxq0 + rxq::kRemoteRxSeqNum);
  t.run(6000);
  // Words of 16 B with 30 B of L2 and TT-link header: 95 + 95 + 4.
  const std::uint32_t sent[] = {1, 3, 3, 194};
  const std::uint32_t received[] = {3, 194, 3, 0, 0};
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(t.a.e.observed.at(1 + i).value, sent[i]) << i;
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(t.b.e.observed.at(i).value, received[i]) << i;
  EXPECT_EQ(t.a.e.observed.at(5).value, 3u);
  EXPECT_EQ(t.a.queues.tx(0).unacknowledged(), 0u);
}

// The data are committed at 500. The peer's keepalive timer expires at 512. The update takes 4 ns
// of line, 330 ns of link and 50 cycles.
TEST_F(Queues, AcknowledgementsArePacedByTheKeepaliveTimer) {
  TwoTiles& s = fresh();
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.a.e.read(895, kRxq0 + rxq::kRemoteRxSeqNum);
  s.a.e.read(896, kRxq0 + rxq::kRemoteRxSeqNum);
  s.run(2000);
  EXPECT_EQ(s.a.e.observed.at(1).value, 0u);
  EXPECT_EQ(s.a.e.observed.at(2).value, 1u);
  EXPECT_EQ(s.a.queues.tx(0).unacknowledged(), 0u);
}

// The same, but the peer's keepalives are turned off before.
TEST_F(Queues, AQueueWithoutKeepalivesAcknowledgesNothing) {
  TwoTiles& s = fresh();
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.b.e.write(501, kTxq0 + txq::kCtrl, txq::kCtrlDisDrop);
  s.a.e.read(1900, kRxq0 + rxq::kRemoteRxSeqNum);
  s.run(2000);
  EXPECT_EQ(s.a.e.observed.at(1).value, 0u);
  EXPECT_EQ(s.a.queues.tx(0).unacknowledged(), 1u);
}

TEST_F(Queues, CommandReadsOneUntilItIsLatched) {
  TwoTiles& s = fresh();
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);  // CMD store at 104
  s.a.e.read(111, kTxq0 + txq::kCmd);
  s.a.e.read(112, kTxq0 + txq::kCmd);
  s.run(2000);
  EXPECT_EQ(s.a.e.observed.at(1).value, 1u);
  EXPECT_EQ(s.a.e.observed.at(2).value, 0u);
}

/// Agents that sleep on the registers of the queues.
struct Wakes : support::Sleeper {
  std::vector<Cycle> at;
  void location_changed(Cycle when, unsigned) override { at.push_back(when); }
};

// A core that polls a register sleeps until the register changes, and must see the change in that
// cycle.
TEST_F(Queues, EveryChangeOfARegisterIsToldToWhoSleepsOnIt) {
  constexpr Cycle kFirst = 105, kLast = 140;
  for (const std::uint32_t reg :
       {txq::kCmd, txq::kTransferCnt, txq::kPktStartCnt, txq::kPktEndCnt, txq::kWordCnt}) {
    TwoTiles& s = fresh();
    Wakes wakes;
    s.a.watch_hub.sleep(wakes, 1U << static_cast<unsigned>(support::Watch::kEthernet), {});
    s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
    for (Cycle t = kFirst; t <= kLast; ++t) s.a.e.read(t, kTxq0 + reg);
    s.run(400);
    const auto& seen = s.a.e.observed;
    ASSERT_EQ(seen.size(), 1 + kLast - kFirst + 1);
    unsigned changes = 0;
    for (std::size_t i = 2; i < seen.size(); ++i) {
      if (seen[i].value == seen[i - 1].value) continue;
      ++changes;
      EXPECT_NE(std::find(wakes.at.begin(), wakes.at.end(), seen[i].when), wakes.at.end())
          << std::hex << reg << std::dec << " at " << seen[i].when;
    }
    EXPECT_EQ(changes, 1u) << std::hex << reg;
  }
}

// The packet of the CMD store at 104 has left by 120 and is lost, like all packets. Software
// shortens the timeout. Overdue packets are then sent again at once, and once per period.
TEST_F(Queues, AShorterResendTimeoutCountsForPacketsUnderWay) {
  TwoTiles& s = fresh();
  s.config.drop_rate.set("1");
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.a.e.write(1000, kTxq0 + txq::kRemoteSeqTimeout, 600);
  for (const Cycle t : {999, 1020, 1590, 1640}) s.a.e.read(t, kTxq0 + txq::kPktStartCnt);
  s.run(2000);
  const unsigned sent[] = {1, 2, 2, 3};
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(s.a.e.observed.at(1 + i).value, sent[i]) << i;
}

// A packet that is sent again before the peer's keepalive timer sends the acknowledgement arrives
// twice. The peer discards and counts the second one (ISA EthernetTxRx.md). The acknowledgement is
// not counted as dropped.
TEST_F(Queues, PacketsThatComeAgainAreCountedAsDropped) {
  TwoTiles& s = fresh();
  s.a.e.write(10, kTxq0 + txq::kRemoteSeqTimeout, 300);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.a.e.read(3000, kTxq0 + txq::kPktStartCnt);
  s.a.e.read(3000, kRxq0 + rxq::kPktEndCnt);
  s.a.e.read(3000, kRxq0 + rxq::kPacketDropCnt);
  s.b.e.read(3000, kRxq0 + rxq::kPacketDropCnt);
  s.run(4000);
  const std::uint32_t sent = s.a.e.observed.at(1).value;
  EXPECT_GE(sent, 2U);
  EXPECT_GE(s.a.e.observed.at(2).value, 1U) << "acknowledgements";
  EXPECT_EQ(s.a.e.observed.at(3).value, 0U);
  EXPECT_EQ(s.b.e.observed.at(0).value, sent - 1);
}

/// Recorded changes of a signal or a level.
struct Told : support::SignalSink {
  void change(std::uint32_t, Cycle when, std::uint64_t value) override {
    all.emplace_back(when, static_cast<std::int64_t>(value));
  }
  void add(std::uint32_t, Cycle when, std::int64_t delta) override {
    all.emplace_back(when, delta);
  }
  std::vector<std::pair<Cycle, std::int64_t>> all;
};

// The times of SixteenBytesArriveAtTheDerivedCycle: latched at 112, on the line from 114 to 119.28.
TEST_F(Queues, WavesShowWindowAndBufferOfATransfer) {
  TwoTiles& s = fresh();
  Told window, buffer;
  s.a.queues.tx(0).window_signal().attach(window, 0);
  s.a.queues.tx(0).buffer_signal().attach(buffer, 1);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.run(3000);
  ASSERT_GE(window.all.size(), 2U);
  EXPECT_EQ(window.all[0], (std::pair<Cycle, std::int64_t>(112, 1)));
  EXPECT_EQ(window.all[1].second, 0) << "acknowledged";
  ASSERT_GE(buffer.all.size(), 2U);
  EXPECT_EQ(buffer.all[0], (std::pair<Cycle, std::int64_t>(112, 16)));
  EXPECT_EQ(buffer.all[1], (std::pair<Cycle, std::int64_t>(120, -16)));
}

TEST_F(Queues, RegisterWritesReachThePeersRegisters) {
  TwoTiles& s = fresh();
  s.a.e.write(50, kTxq0 + txq::kRemoteRegData, 5);
  for (unsigned i = 0; i < 3; ++i) {
    s.a.e.send(100, kTxq0, txq::kCmdMmioWrite, 0, kAtomicCounter, 0);
  }
  s.b.e.read(3000, kAtomicCounter);
  s.run(4000);
  EXPECT_EQ(s.b.e.observed.at(0).value, 15u);
}

TEST_F(Queues, DataIsWrittenBeforeALaterRegisterWrite) {
  TwoTiles& s = fresh();
  fill(s.a, 0x20000, 4096, 5);
  s.a.e.write(50, kTxq0 + txq::kRemoteRegData, 1);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x28000, 4096);
  s.a.e.send(100, kTxq0, txq::kCmdMmioWrite, 0, kAtomicCounter, 0);
  s.b.e.poll(0, kAtomicCounter, 1);
  s.b.e.read(0, 0x28000 + 4092);
  s.run(4000);
  EXPECT_EQ(s.b.e.observed.at(1).value, word(s.a, 0x20000 + 4092));
}

void random_traffic(TwoTiles& s, unsigned seed, unsigned transfers) {
  std::mt19937 random(seed);
  for (Tile* tile : {&s.a, &s.b}) {
    for (std::uint32_t i = 0; i < 0x10000; ++i) {
      tile->l1.bytes()[0x10000 + i] = static_cast<std::uint8_t>(random());
    }
    std::uint32_t to = 0x20000;
    for (unsigned i = 0; i < transfers; ++i) {
      const auto bytes = static_cast<std::uint32_t>(1 + random() % 256) * 16;
      const std::uint32_t from = 0x10000 + static_cast<std::uint32_t>(random() % 0xF00) * 16;
      if (to + bytes > 0x40000) break;
      tile->e.send(random() % 3000, kTxq0, txq::kCmdL1Write, from, to, bytes);
      to += bytes;
    }
  }
}

/// The receiver's memory after random_traffic, computed without the queues.
std::vector<std::uint8_t> expected_memory(TwoTiles& s, bool at_b, unsigned seed,
                                          unsigned transfers) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> result;
  for (Tile* tile : {&s.a, &s.b}) {
    for (std::uint32_t i = 0; i < 0x10000; ++i) random();
    std::vector<std::uint8_t> memory(0x20000);
    std::uint32_t to = 0;
    for (unsigned i = 0; i < transfers; ++i) {
      const auto bytes = static_cast<std::uint32_t>(1 + random() % 256) * 16;
      const std::uint32_t from = 0x10000 + static_cast<std::uint32_t>(random() % 0xF00) * 16;
      if (to + bytes > 0x20000) break;
      random();
      std::memcpy(memory.data() + to, tile->l1.bytes() + from, bytes);
      to += bytes;
    }
    if ((tile == &s.a) == at_b) result = memory;
  }
  return result;
}

class Lossy : public Queues, public ::testing::WithParamInterface<std::pair<double, double>> {};

TEST_P(Lossy, EverythingArrivesOnceAndInOrder) {
  TwoTiles& s = fresh();
  s.config.drop_rate.set(std::to_string(GetParam().first));
  s.config.corrupt_rate.set(std::to_string(GetParam().second));
  s.config.error_seed.set("99");
  random_traffic(s, 6, 40);
  s.run(4'000'000);
  for (bool at_b : {false, true}) {
    const auto expected = expected_memory(s, at_b, 6, 40);
    Tile& tile = at_b ? s.b : s.a;
    EXPECT_EQ(std::memcmp(tile.l1.bytes() + 0x20000, expected.data(), expected.size()), 0) << at_b;
  }
  EXPECT_EQ(s.a.queues.tx(0).unacknowledged(), 0u);
  EXPECT_EQ(s.b.queues.tx(0).unacknowledged(), 0u);
  const bool errors = GetParam().first + GetParam().second > 0;
  EXPECT_EQ(s.a.queues.tx(0).resends() > 0, errors);
  const LinkEnd::Statistics& sent = s.link.end(0).statistics();
  EXPECT_EQ(s.link.end(1).statistics().received + sent.dropped, sent.packets);
}

INSTANTIATE_TEST_SUITE_P(Rates, Lossy,
                         ::testing::Values(std::pair{0.0, 0.0}, std::pair{0.2, 0.0},
                                           std::pair{0.0, 0.2}, std::pair{0.3, 0.3}));

TEST_F(Queues, AFullWindowHoldsTheCommandUntilAnAcknowledgement) {
  TwoTiles& s = fresh();
  s.config.window_packets.set("4");
  s.a.e.write(10, kTxq0 + txq::kMaxPktSizeBytes, 16);
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 5 * 16);
  s.a.e.poll(0, kTxq0 + txq::kCmd, 0);
  s.run(5000);
  // Four packets fit; the acknowledgement of the packets that arrived by 512 comes at 896 (see
  // above).
  EXPECT_GE(s.a.e.observed.at(1).when, 896u);
  EXPECT_LE(s.a.e.observed.at(1).when, 896u + 3);
}

TEST_F(Queues, RawPacketsAreAppendedAndWrapped) {
  TwoTiles& s = fresh();
  fill(s.a, 0x20000, 64, 7);
  s.b.e.write(10, kRxq1 + rxq::kBufStartWordAddr, 0x30000 >> 4);
  s.b.e.write(10, kRxq1 + rxq::kBufSizeWords, 4);
  s.b.e.write(10, kRxq1 + rxq::kCtrl, rxq::kCtrlBufWrap);
  s.a.e.send(100, kTxq1, txq::kCmdRaw, 0x20000, 0, 40);
  s.a.e.send(100, kTxq1, txq::kCmdRaw, 0x20000 + 40, 0, 31);
  s.b.e.read(3000, kRxq1 + rxq::kBufPtr);
  s.run(4000);
  EXPECT_EQ(s.b.e.observed.at(0).value, 7u);  // 71 bytes in a ring of 64
  EXPECT_EQ(std::memcmp(s.b.l1.bytes() + 0x30000, s.a.l1.bytes() + 0x20000 + 64, 7), 0);
  EXPECT_EQ(std::memcmp(s.b.l1.bytes() + 0x30007, s.a.l1.bytes() + 0x20007, 57), 0);
}

TEST_F(Queues, AFullRawBufferDrops) {
  TwoTiles& s = fresh();
  s.b.e.write(10, kRxq1 + rxq::kBufStartWordAddr, 0x30000 >> 4);
  s.b.e.write(10, kRxq1 + rxq::kBufSizeWords, 2);
  s.a.e.send(100, kTxq1, txq::kCmdRaw, 0x20000, 0, 32);
  s.a.e.send(100, kTxq1, txq::kCmdRaw, 0x20000, 0, 32);
  s.b.e.read(3000, kRxq1 + rxq::kPacketDropCnt);
  s.b.e.read(3000, kRxq1 + rxq::kPktEndCnt);
  s.run(4000);
  EXPECT_EQ(s.b.e.observed.at(0).value, 1u);
  EXPECT_EQ(s.b.e.observed.at(1).value, 2u);
}

TEST_F(Queues, MistakesOfSoftwareStopTheRun) {
  const struct {
    std::uint32_t queue, command, source, destination, bytes;
  } bad[] = {
      {kTxq0, txq::kCmdL1Write, 0x20008, 0x21000, 16},    // misaligned source
      {kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 0},     // empty
      {kTxq0, txq::kCmdL1Write, 0x20000, 0x40000, 16},    // beyond the peer's L1
      {kTxq0, txq::kCmdL1Write, 0x40000, 0x20000, 16},    // beyond its own
      {kTxq1, txq::kCmdMmioWrite, 0, kAtomicCounter, 0},  // queue 1 cannot
      {kTxq0, 3, 0x20000, 0x21000, 16},                   // no such command
      {kTxq0, txq::kCmdMmioWrite, 0, 0xFFB00000, 0},      // local RAM is not on the bus
  };
  for (const auto& b : bad) {
    TwoTiles& s = fresh();
    s.a.e.send(100, b.queue, b.command, b.source, b.destination, b.bytes);
    EXPECT_THROW(s.run(3000), foundation::Fault) << b.source << " " << b.destination;
  }
}

TEST_F(Queues, ACommandWhileBusyStopsTheRun) {
  TwoTiles& s = fresh();
  s.a.e.send(100, kTxq0, txq::kCmdL1Write, 0x20000, 0x21000, 16);
  s.a.e.write(0, kTxq0 + txq::kCmd, txq::kCmdL1Write);
  EXPECT_THROW(s.run(3000), foundation::Fault);
}

TEST_F(Queues, MacRegistersAreRefusedByName) {
  TwoTiles& s = fresh();
  s.a.e.read(10, regs::ethernet::kMac + 0x40);
  EXPECT_TRUE(
      tvp::test::faults([&] { s.run(100); }, foundation::FaultKind::kUnmodelled, {"0xFFBA0040"}));
}

TEST_F(Queues, RegistersThatCannotBeWrittenAreRefusedByName) {
  TwoTiles& s = fresh();
  s.a.e.write(10, kRxq0 + rxq::kOutstandingWrCnt, 1);
  EXPECT_TRUE(tvp::test::faults([&] { s.run(100); }, foundation::FaultKind::kUnmodelled,
                                {"ETH_RXQ_OUTSTANDING_WR_CNT"}));
}

TEST_F(Queues, LockstepWindowsAndDefaultAgree) {
  const auto digest = [](TwoTiles& s) {
    std::vector<std::uint64_t> d;
    for (Tile* tile : {&s.a, &s.b}) {
      for (const auto& o : tile->e.observed) d.push_back(o.when << 8 ^ o.value);
      std::uint64_t h = 0;
      for (std::uint32_t i = 0; i < tests::wormhole().memories.ethernet_l1_bytes; ++i) {
        h = (h ^ tile->l1.bytes()[i]) * 0x100000001B3ULL;
      }
      d.push_back(h);
    }
    return d;
  };
  std::vector<std::vector<std::uint64_t>> digests;
  for (unsigned variant = 0; variant < 3; ++variant) {
    TwoTiles& s = fresh();
    s.config.drop_rate.set("0.1");
    random_traffic(s, 8, 30);
    // Samples during traffic and resends, so that any shift in time is visible.
    for (Cycle t = 5000; t < 200000; t += 611) {
      s.a.e.read(t, kRxq0 + rxq::kWordCnt);
      s.b.e.read(t, kTxq0 + txq::kPktEndCnt);
    }
    for (auto& c : s.calendar) c.set_lockstep(variant == 1);
    s.run(400000, variant == 2 ? 17 : 0);
    EXPECT_GT(s.a.queues.tx(0).resends(), 0u);
    digests.push_back(digest(s));
  }
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0], digests[2]);
}

}  // namespace
}  // namespace tvp::ethernet::test
