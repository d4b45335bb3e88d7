#include "models/noc/niu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "models/noc/boot.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::noc::niu_test {
namespace {

using namespace regs::noc;  // register names
using support::Cycle;

const std::vector<std::pair<unsigned, unsigned>> kPlaces = {
    {1, 1}, {2, 1}, {1, 2}, {9, 11}, {4, 5},
    {6, 5}, {4, 7}, {6, 7}, {0, 0},  {7, 4}};  ///< for its registers only

/// One elaboration a process: the benches live as long as the executable.
std::vector<std::unique_ptr<NocBench>>& benches() {
  static std::vector<std::unique_ptr<NocBench>> all = [] {
    std::vector<std::unique_ptr<NocBench>> made;
    made.push_back(std::make_unique<NocBench>("fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("detailed", "detailed", false, kPlaces));
    // A fault inside a run leaves a bench unusable: these are for one test each.
    made.push_back(std::make_unique<NocBench>("chain_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("chain_detailed", "detailed", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("atomic_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("atomic_detailed", "detailed", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("rectangle_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("rectangle_detailed", "detailed", false, kPlaces));
    for (auto& bench : made) bench->at(0, 0).niu[0]->poke(kRouterCfg1, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  return all;
}

class NiuTest : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    for (auto& tile : bench.tiles) {
      std::fill(tile->memory_bytes.begin(), tile->memory_bytes.end(), 0);
      tile->log.clear();
      tile->logging = true;
      for (auto& word : tile->mmio) word = 0;
    }
    remember();
  }
  void TearDown() override {
    bench.settle();
    for (auto& network : bench.network) EXPECT_NO_THROW(network->check_conservation());
    for (auto& tile : bench.tiles) {
      for (auto& niu : tile->niu) EXPECT_TRUE(niu->idle()) << niu->place().where;
      EXPECT_EQ(tile->open_transactions(), 0u) << tile->name();
    }
  }
  void remember() {
    before.clear();
    for (auto& tile : bench.tiles) {
      for (auto& niu : tile->niu) {
        std::vector<std::uint32_t> values;
        for (unsigned i = 0; i < kCounters; ++i) values.push_back(niu->counter(i));
        before.push_back(values);
      }
    }
  }
  std::uint32_t moved(const TestTile& tile, unsigned noc, unsigned index) const {
    return tile.niu[noc]->counter(index) - before[tile.index * 2 + noc][index];
  }
  /// All counters that moved, as "index:amount" in order.
  std::string moved(const TestTile& tile, unsigned noc = 0) const {
    std::string text;
    for (unsigned i = 0; i < kCounters; ++i) {
      const std::uint32_t amount = moved(tile, noc, i);
      if (amount != 0) text += std::to_string(i) + ":" + std::to_string(amount) + " ";
    }
    return text;
  }
  Command write_command(const TestTile& to, std::uint32_t from_address, std::uint32_t to_address,
                        std::uint32_t bytes, std::uint32_t flags = kCmdRespMarked,
                        unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdWr | flags;
    c.targ_lo = from_address;
    c.targ_mid = bench.mid(noc, a);
    c.ret_lo = to_address;
    c.ret_mid = bench.mid(noc, to);
    c.at_len_be = bytes;
    return c;
  }
  Command read_command(const TestTile& from, std::uint32_t from_address, std::uint32_t to_address,
                       std::uint32_t bytes, unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdRd | kCmdRespMarked;
    c.targ_lo = from_address;
    c.targ_mid = bench.mid(noc, from);
    c.ret_lo = to_address;
    c.ret_mid = bench.mid(noc, a);
    c.at_len_be = bytes;
    return c;
  }
  Command atomic_command(const TestTile& to, std::uint32_t address, std::uint32_t at_len_be,
                         std::uint32_t data, std::uint32_t flags = kCmdRespMarked) {
    Command c;
    c.ctrl = kCmdAt | flags;
    c.targ_lo = address;
    c.targ_mid = bench.mid(0, to);
    c.ret_lo = 0x40;
    c.ret_mid = bench.mid(0, a);
    c.at_len_be = at_len_be;
    c.at_data = data;
    return c;
  }
  bool busy(const TestTile& tile, unsigned noc = 0) const {
    return tile.niu[noc]->peek(kInitiatorStatus) != 0;
  }

  NocBench& bench = *benches()[GetParam()];
  TestTile& a = bench.at(1, 1);
  TestTile& b = bench.at(2, 1);
  TestTile& far = bench.at(9, 11);
  std::vector<std::vector<std::uint32_t>> before;
};

// ISA NoC/README.md: 5 cycles NIU to router, 9 a hop, 5 router to NIU, both ways round the ring.
constexpr Cycle kEnds = 10;
constexpr Cycle kHop = 9;
// The parts of a NIU's latency; assumed values, see the settings.
constexpr Cycle kAssign = 3;
constexpr Cycle kRequest = 2;
constexpr Cycle kServe = 2;
constexpr Cycle kRespond = 3;
constexpr Cycle kReceive = 1;
constexpr Cycle kReadRest = 3;  ///< bytes of L1 later than a flit a cycle
constexpr Cycle kCommit = 3;    ///< last flit of a write in L1

TEST_P(NiuTest, IdentificationRegisters) {
  EXPECT_EQ(a.load(0, kNodeId, 0), 1u | 1u << 6 | 10u << 12 | 12u << 19 | 1u << 28);
  EXPECT_EQ(a.last_latency(), 7u);
  // NoC 1 numbers from the other corner.
  EXPECT_EQ(a.load(1, kNodeId, 0), 8u | 10u << 6 | 10u << 12 | 12u << 19);
  EXPECT_EQ(far.load(0, kNodeId, 0), 9u | 11u << 6 | 10u << 12 | 12u << 19 | 7u << 26);
  EXPECT_EQ(a.load(1, 0x800 + kEndpointId, 0), 1u << 24);
  EXPECT_EQ(bench.at(0, 0).load(0, kEndpointId, 0) >> 16 & 0xFF, 8u);
  EXPECT_EQ(a.load(0, kNocIdLogical, 0), 1u | 1u << 6);
}

/// Of a NIU that nobody has used: zero out of reset, and each keeps its own bits.
TEST_P(NiuTest, InitiatorsHaveTheRegistersOfTheirTable) {
#define INITIATOR(Name, offset, count, access) {#Name, offset, std::string(#access) == "ReadWrite"},
  const struct {
    const char* name;
    std::uint32_t offset;
    bool writable;
  } kRows[] = {
#include "models/regs/noc.def"
  };
  TestTile& tile = bench.at(7, 4);
  std::map<std::uint32_t, std::uint32_t> expected;
  for (unsigned i = 0; i < kInitiators; ++i)
    for (const auto& row : kRows)
      if (row.writable) expected[i * kCmdBufOffset + row.offset] = 0;
  const auto expect_all = [&](const char* behind) {
    for (const auto& [offset, value] : expected)
      EXPECT_EQ(tile.load(0, offset, 0), value) << std::hex << offset << " behind " << behind;
  };
  expect_all("reset");
  for (unsigned i = 0; i < kInitiators; ++i) {
    for (const auto& row : kRows) {
      if (!row.writable || row.offset == kCmdCtrl) continue;
      const std::uint32_t offset = i * kCmdBufOffset + row.offset;
      for (const std::uint32_t value : {0x12345678U * (i + 1) + offset, ~0U}) {
        tile.store(0, offset, value, 0);
        expected[offset] = row.offset == kPacketTag ? value & 0xFFFF : value;
        expect_all(row.name);
      }
      tile.store(0, offset, 0, 0);
      expected[offset] = 0;
    }
  }
  EXPECT_EQ(tile.load(0, kInitiatorStatus, 0), 0U);
}

TEST_P(NiuTest, RegistersKeepWhatIsWrittenAndUnknownOnesStop) {
  a.store(0, 0xC00 + kRetAddrMid, 0x12345678, 0);
  EXPECT_EQ(a.load(0, 0xC00 + kRetAddrMid, 0), 0x12345678u);
  a.store(0, kPacketTag, 0xFFFF1400, 0);
  EXPECT_EQ(a.load(0, kPacketTag, 0), 0x1400u) << "the high half reads as zero";
  a.store(0, kPacketTag, 0, 0);
  a.store(0, kRouterCfg2, 77, 0);
  EXPECT_EQ(a.load(0, kRouterCfg2, 0), 77u);
  EXPECT_THROW(a.load(0, 0x300, 0), foundation::Fault);
  EXPECT_THROW(a.store(0, kNodeId, 0, 0), foundation::Fault);
  EXPECT_THROW(a.store(0, kStatusCounters, 0, 0), foundation::Fault);
}

TEST_P(NiuTest, NonPostedWriteMovesBytesAndCounters) {
  a.fill(0x1000, 100, 1);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2010 - 0x10, 100));
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId), 1u);
  EXPECT_EQ(moved(a, 0, kMstWriteReqsOutgoingId), 1u);
  EXPECT_TRUE(busy(a));
  bench.settle();
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x2000], 100), 0);
  // WR_ACK_RECEIVED, CMD_ACCEPTED, WR_DATA_WORD_SENT, WR_REQ_SENT, WR_REQ_STARTED.
  EXPECT_EQ(moved(a), "1:1 4:1 8:4 10:1 12:1 ");
  EXPECT_EQ(moved(b), "49:1 56:4 58:1 60:1 ");
}

TEST_P(NiuTest, PostedWriteIsNotAnswered) {
  a.fill(0x1000, 64, 2);
  bench.issue(a, 0, 2, write_command(b, 0x1000, 0x3000, 64, 0));
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId), 0u);
  bench.settle();
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x3000], 64), 0);
  EXPECT_EQ(moved(a), "4:1 9:2 11:1 13:1 ");
  EXPECT_EQ(moved(b), "57:2 59:1 61:1 ");
}

// NOC_PACKET_TAG_HEADER_STORE (ISA NoC/MemoryMap.md): the first 16 bytes go to NOC_AT_DATA << 4,
// too.
TEST_P(NiuTest, PostedWriteMayStoreItsFirstBytesTwice) {
  a.fill(0x1000, 64, 2);
  for (const bool posted : {false, true}) {
    Command c = write_command(b, 0x1000, 0x3000, 64, posted ? 0 : kCmdRespMarked);
    c.tag = kTagHeaderStore;
    c.at_data = 0x500;
    bench.issue(a, 0, 2, c);
    bench.settle();
    EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x3000], 64), 0);
    EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x5000], 16) == 0, posted);
    EXPECT_EQ(b.word(0x5010), 0u);
  }
}

TEST_P(NiuTest, DebuggersReadAndWriteSeveralRegistersAtOnce) {
  constexpr unsigned kBytes = 12;
  const auto debug = [&](tlm::tlm_command command, std::vector<std::uint32_t>& data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(kRetAddrLo);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
    payload.set_data_length(kBytes);
    payload.set_streaming_width(kBytes);
    return (*a.regs[0])->transport_dbg(payload);
  };
  std::vector<std::uint32_t> words{0x11, 0x22, 0x33};
  EXPECT_EQ(debug(tlm::TLM_WRITE_COMMAND, words), kBytes);
  EXPECT_EQ(a.load(0, kRetAddrLo, 0), 0x11u);
  EXPECT_EQ(a.load(0, kRetAddrMid, 0), 0x22u);
  EXPECT_EQ(a.load(0, kRetAddrHi, 0), 0x33u);
  std::vector<std::uint32_t> back(4, 0xA5A5A5A5);
  EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, back), kBytes);
  words.push_back(0xA5A5A5A5);  // nothing behind them
  EXPECT_EQ(back, words);
}

TEST_P(NiuTest, ReadFetchesAndCountsUnderItsTransactionId) {
  far.fill(0x4000, 333, 3);
  Command c = read_command(far, 0x4000, 0x5000, 333);
  c.tag = 5u << kTagTransactionIdShift;
  bench.issue(a, 0, 1, c);
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId + 5), 1u);
  bench.settle();
  EXPECT_EQ(std::memcmp(&far.memory_bytes[0x4000], &a.memory_bytes[0x5000], 333), 0);
  EXPECT_EQ(moved(a), "2:1 3:11 4:1 5:1 14:1 ");
  EXPECT_EQ(moved(far), "50:1 51:11 52:1 53:1 ");
}

TEST_P(NiuTest, ReadMayAnswerToAnotherTile) {
  b.fill(0x100, 32, 4);
  Command c = read_command(b, 0x100, 0x600, 32);
  c.ret_mid = bench.mid(0, far);
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(std::memcmp(&b.memory_bytes[0x100], &far.memory_bytes[0x600], 32), 0);
  EXPECT_EQ(moved(far), "2:1 3:1 16:255 ") << "RET counts; its outstanding counter wraps at 8 bits";
  EXPECT_EQ(moved(a), "4:1 5:1 14:1 16:1 ");
  a.store(0, kClearOutstandingReqCnt, 1, bench.calendar.now());
  far.store(0, kClearOutstandingReqCnt, 1, bench.calendar.now());
}

TEST_P(NiuTest, InlineWriteToMemoryUsesByteEnablesOfTheLine) {
  for (unsigned i = 0; i < 16; i += 4) b.set_word(0x200 + i, 0x11111111);
  Command c;
  c.ctrl = kCmdWr | kCmdWrInline | kCmdWrBe | kCmdRespMarked;
  c.targ_lo = 0x204;  // rounded down to 0x200
  c.targ_mid = bench.mid(0, b);
  c.at_data = 0xAABBCCDD;
  c.at_len_be = 0x00F0 | 0x3u << 28;
  bench.issue(a, 0, 3, c);
  EXPECT_EQ(moved(a, 0, kMstWriteReqsOutgoingId), 0u);
  bench.settle();
  EXPECT_EQ(b.word(0x200), 0x11111111u);
  EXPECT_EQ(b.word(0x204), 0xAABBCCDDu);
  EXPECT_EQ(b.word(0x208), 0x11111111u);
  EXPECT_EQ(b.word(0x20C), 0x1111CCDDu);
  EXPECT_EQ(moved(a), "1:1 4:1 10:1 12:1 ");
  EXPECT_EQ(moved(b), "49:1 56:1 58:1 60:1 ");
}

TEST_P(NiuTest, InlineWriteToMmioIsOneWord) {
  Command c;
  c.ctrl = kCmdWr | kCmdWrInline;
  c.targ_lo = TestTile::kMmioBase + 8;
  c.targ_mid = bench.mid(0, b);
  c.at_data = 1234;
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(b.mmio[2], 1234u);
  ASSERT_EQ(b.log.size(), 1u);
  EXPECT_EQ(b.log[0].bytes, 4u);
  EXPECT_EQ(moved(b), "57:1 59:1 61:1 ");
}

TEST_P(NiuTest, ByteEnabledWriteTouchesOnlyEnabledBytes) {
  a.fill(0x1000, 32, 7);
  Command c = write_command(b, 0x1000, 0x2000, 0x80000001, kCmdWrBe | kCmdRespMarked);
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(b.memory_bytes[0x2000], a.memory_bytes[0x1000]);
  EXPECT_EQ(b.memory_bytes[0x201F], a.memory_bytes[0x101F]);
  for (unsigned i = 1; i < 31; ++i) EXPECT_EQ(b.memory_bytes[0x2000 + i], 0) << i;
  EXPECT_EQ(moved(a), "1:1 4:1 8:1 10:1 12:1 ");
}

TEST_P(NiuTest, AtomicIncrementReturnsTheOldWord) {
  b.set_word(0x104, 0x000000FE);
  // The low 8 bits count, the others stay.
  bench.issue(a, 0, 3, atomic_command(b, 0x104, at_increment(1, 7), 3));
  bench.settle();
  EXPECT_EQ(b.word(0x104), 0x01u);
  EXPECT_EQ(a.word(0x40), 0xFEu);
  EXPECT_EQ(moved(a), "0:1 4:1 6:1 15:1 ");
  EXPECT_EQ(moved(b), "48:1 52:1 54:1 ");
}

TEST_P(NiuTest, PostedAtomicIsNotAnswered) {
  bench.issue(a, 0, 3, atomic_command(b, 0x104, at_increment(1), 5, 0));
  bench.settle();
  EXPECT_EQ(b.word(0x104), 5u);
  EXPECT_EQ(moved(a), "4:1 7:1 ");
  EXPECT_EQ(moved(b), "52:1 55:1 ");
}

TEST_P(NiuTest, AtomicSwapsAndCompare) {
  b.set_word(0x100, 9);
  bench.issue(a, 0, 0, atomic_command(b, 0x100, at_compare_and_swap(0, 9, 4), 0));
  bench.settle(500);
  EXPECT_EQ(b.word(0x100), 4u);
  EXPECT_EQ(a.word(0x40), 9u);
  bench.issue(a, 0, 0, atomic_command(b, 0x100, at_compare_and_swap(0, 9, 7), 0));
  bench.settle(500);
  EXPECT_EQ(b.word(0x100), 4u) << "no match, no change";
  bench.issue(a, 0, 0, atomic_command(b, 0x100, at_swap_mask(0x09), 0xBBBBAAAA));
  bench.settle(500);
  EXPECT_EQ(b.word(0x100), 0x0000AAAAu);
  EXPECT_EQ(b.word(0x104), 0xBBBB0000u);
  bench.issue(a, 0, 0, atomic_command(b, 0x10C, at_swap_index(3), 0x12345678));
  bench.settle(500);
  EXPECT_EQ(b.word(0x10C), 0x12345678u);
  EXPECT_EQ(moved(a, 0, kMstAtomicRespReceived), 4u);
}

TEST_P(NiuTest, LongWriteIsSplitAt8KiB) {
  a.fill(0x1000, 20000, 8);
  Command c = write_command(b, 0x1000, 0x6000, 20000);
  c.tag = 3u << kTagTransactionIdShift;
  bench.issue(a, 0, 0, c);
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId + 3), 3u);
  EXPECT_EQ(moved(a, 0, kMstWriteReqsOutgoingId + 3), 3u);
  bench.settle();
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x6000], 20000), 0);
  EXPECT_EQ(moved(a), "1:3 4:3 8:625 10:3 12:3 ");
  EXPECT_EQ(a.load(0, kTargAddrLo, 0), 0x1000u + 16384) << "the registers advanced";
  EXPECT_EQ(a.load(0, kRetAddrLo, 0), 0x6000u + 16384);
  EXPECT_EQ(a.load(0, kAtLenBe, 0), 20000u - 16384);
}

TEST_P(NiuTest, LongReadIsSplitAt8KiB) {
  b.fill(0x2000, 16384, 9);
  bench.issue(a, 0, 0, read_command(b, 0x2000, 0x8000, 16384));
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId), 2u);
  bench.settle();
  EXPECT_EQ(std::memcmp(&b.memory_bytes[0x2000], &a.memory_bytes[0x8000], 16384), 0);
  EXPECT_EQ(moved(a), "2:2 3:512 4:2 5:2 14:2 ");
}

TEST_P(NiuTest, LoopbackGoesThroughTheOwnRouter) {
  a.fill(0x1000, 32, 10);
  bench.issue(a, 0, 0, write_command(a, 0x1000, 0x3000, 32));
  const Cycle start = bench.calendar.now();
  const Cycle done = bench.run_until([&] { return moved(a, 0, kMstWrAckReceived) == 1; });
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &a.memory_bytes[0x3000], 32), 0);
  // assign, source and header, ends, flit, serve, commit, answer, ends, count.
  EXPECT_EQ(done - start, kAssign + kRequest + kReadRest + kEnds + 1 + kServe + kCommit + kRespond +
                              kEnds + kReceive);
}

TEST_P(NiuTest, ReadLatencyIsWiresPlusNamedParts) {
  bench.issue(a, 0, 0, read_command(b, 0x100, 0x200, 32));
  const Cycle start = bench.calendar.now();
  const Cycle done = bench.run_until([&] { return moved(a, 0, kMstRdRespReceived) == 1; });
  // One hop there, nine on round the ring.
  EXPECT_EQ(done - start, kAssign + kRequest + 2 * kEnds + 10 * kHop + kServe + kReadRest +
                              kRespond + 1 + kReceive + kCommit);
}

TEST_P(NiuTest, LargePacketsAddOneCycleAFlit) {
  bench.issue(a, 0, 0, write_command(far, 0, 0x2000, 8192));
  const Cycle start = bench.calendar.now();
  const Cycle done = bench.run_until([&] { return moved(a, 0, kMstWrAckReceived) == 1; });
  // 8 + 10 hops there, 2 + 2 back.
  EXPECT_EQ(done - start, kAssign + kRequest + kReadRest + 2 * kEnds + 22 * kHop + 256 + kServe +
                              kCommit + kRespond + kReceive);
}

TEST_P(NiuTest, Noc1GoesTheOtherWay) {
  a.fill(0x1000, 32, 11);
  bench.issue(a, 1, 0, write_command(b, 0x1000, 0x3000, 32, kCmdRespMarked, 1));
  const Cycle start = bench.calendar.now();
  bench.run_until([&] { return b.word(0x3000) != 0; });
  // From (1,1) to (2,1) against the flow: nine hops.
  EXPECT_EQ(bench.calendar.now() - 1 - start,
            kAssign + kRequest + kReadRest + kEnds + 9 * kHop + 1 + kServe);
  bench.settle();
  EXPECT_EQ(moved(a, 1), "1:1 4:1 8:1 10:1 12:1 ");
  EXPECT_EQ(moved(a, 0), "");
}

TEST_P(NiuTest, CountersMoveAtTheirMoments) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 320));
  const Cycle start = bench.calendar.now();
  auto when = [&](const TestTile& tile, unsigned index, std::uint32_t amount) {
    return bench.run_until([&] { return moved(tile, 0, index) == amount; }) - start;
  };
  EXPECT_EQ(when(a, kMstNonpostedWrReqStarted, 1), kAssign) << "VC assigned";
  EXPECT_FALSE(busy(a));
  EXPECT_EQ(moved(a, 0, kMstNonpostedWrReqSent), 1u) << "before the bytes have been read";
  EXPECT_EQ(moved(a, 0, kMstWriteReqsOutgoingId), 1u);
  EXPECT_EQ(when(a, kMstWriteReqsOutgoingId, 0), kAssign + kReadRest + 10) << "ten beats";
  const Cycle head = kAssign + kRequest + kReadRest + kEnds + kHop;
  EXPECT_EQ(when(b, kSlvNonpostedWrReqStarted, 1), head);
  EXPECT_EQ(moved(b, 0, kSlvNonpostedWrReqReceived), 0u);
  EXPECT_EQ(when(b, kSlvNonpostedWrReqReceived, 1), head + 10) << "ten data flits later";
  EXPECT_EQ(moved(b, 0, kSlvNonpostedWrDataWordReceived), 10u);
  EXPECT_EQ(when(b, kSlvWrAckSent, 1), head + 10 + kServe + kCommit) << "committed";
}

TEST_P(NiuTest, BroadcastReachesTheRectangleWithoutItsSource) {
  a.fill(0x1000, 64, 12);
  Command c = write_command(b, 0x1000, 0x2000, 64, kCmdRespMarked | kCmdBrcstPacket);
  c.ret_mid = mid_broadcast(1, 1, 2, 2);
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[0x2000], 64), 0);
  EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &bench.at(1, 2).memory_bytes[0x2000], 64), 0);
  EXPECT_EQ(a.word(0x2000), 0u);
  EXPECT_EQ(moved(a, 0, kMstWrAckReceived), 2u) << "(2,2) is not there";
  EXPECT_EQ(moved(a, 0, kMstReqsOutstandingId) & 0xFF, 0xFFu) << "one command, two answers";
  a.store(0, kClearOutstandingReqCnt, 1, bench.calendar.now());
}

TEST_P(NiuTest, BroadcastMayIncludeItsSourceAndWrapRound) {
  a.fill(0x1000, 32, 13);
  for (const std::uint32_t axis : {0u, kCmdBrcstXy}) {
    for (auto& tile : bench.tiles) tile->set_word(0x2000, 0);
    Command c = write_command(b, 0x1000, 0x2000, 32,
                              kCmdBrcstPacket | kCmdBrcstSrcInclude | kCmdPathReserve | axis);
    c.ret_mid = mid_broadcast(9, 11, 1, 1);  // x in {9, 0, 1}, y in {11, 0, 1}
    bench.issue(a, 0, 0, c);
    bench.settle();
    EXPECT_EQ(a.word(0x2000), a.word(0x1000));
    EXPECT_EQ(far.word(0x2000), a.word(0x1000));
    EXPECT_EQ(bench.at(0, 0).word(0x2000), 0u) << "has opted out";
    EXPECT_EQ(b.word(0x2000), 0u);
  }
}

TEST_P(NiuTest, TilesOptOutOfBroadcasts) {
  a.fill(0x1000, 32, 14);
  b.niu[0]->poke(kRouterCfg1, 1u << 2);
  Command c = write_command(b, 0x1000, 0x2000, 32, kCmdBrcstPacket);
  c.ret_mid = mid_broadcast(1, 1, 2, 2);
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(b.word(0x2000), 0u);
  EXPECT_EQ(moved(b), "");
  EXPECT_EQ(bench.at(1, 2).word(0x2000), a.word(0x1000));
  b.niu[0]->poke(kRouterCfg1, 0);
}

TEST_P(NiuTest, BroadcastAtomicActsEverywhere) {
  Command c = atomic_command(b, 0x100, at_increment(0), 2, kCmdBrcstPacket);
  c.targ_mid = mid_broadcast(1, 1, 2, 2);
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(b.word(0x100), 2u);
  EXPECT_EQ(bench.at(1, 2).word(0x100), 2u);
  EXPECT_EQ(a.word(0x100), 0u);
}

TEST_P(NiuTest, CoordinatesAreTranslatedAsTheCommandIsWritten) {
  // 18 -> 1 and 19 -> 2, the rest as it is.
  for (unsigned i = 0; i < 2; ++i) {
    a.niu[0]->poke(kXIdTranslateTable0 + 4 * i, i == 0 ? 0x76543210 : 0xFEDCBA98);
    a.niu[0]->poke(kYIdTranslateTable0 + 4 * i, i == 0 ? 0x76543210 : 0xFEDCBA98);
  }
  a.niu[0]->poke(kXIdTranslateTable0 + 8, 0x00002100);
  a.niu[0]->poke(kYIdTranslateTable0 + 8, 0x00002100);
  a.niu[0]->poke(kNiuCfg0, kNiuCfgIdTranslateEnable);
  a.fill(0x1000, 32, 15);
  Command c = write_command(b, 0x1000, 0x2000, 32);
  c.targ_mid = mid_unicast(18, 18);
  c.ret_mid = mid_unicast(19, 18);
  bench.issue(a, 0, 0, c);
  EXPECT_EQ(a.load(0, kRetAddrMid, 0), mid_unicast(2, 1)) << "written back";
  bench.settle();
  EXPECT_EQ(b.word(0x2000), a.word(0x1000));
  EXPECT_EQ(moved(a, 0, kMstWrAckReceived), 1u);
  a.niu[0]->poke(kNiuCfg0, 0);
}

TEST_P(NiuTest, StaticChannelKeepsOrder) {
  // A long write and then an inline write to the same place: the second one wins.
  a.fill(0x1000, 8192, 16);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  Command c;
  c.ctrl = kCmdWr | kCmdWrInline | static_vc(1);
  c.targ_lo = 0x2000;
  c.targ_mid = bench.mid(0, b);
  c.at_data = 0x600DF00D;
  c.at_len_be = 0xF;
  bench.issue(a, 0, 1, c);
  bench.settle();
  EXPECT_EQ(b.word(0x2000), 0x600DF00Du);
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
}

TEST_P(NiuTest, RequestsWithoutDataOvertakeOnAnotherChannel) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  Command read = read_command(b, 0x6000, 0x3000, 32);
  read.ctrl |= static_vc(0);
  bench.issue(a, 0, 1, read);
  bench.settle();
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 32u) << "interleaved onto the link, done first";
}

TEST_P(NiuTest, DataOfWritesIsReadOneAfterTheOtherOnAllChannels) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  bench.issue(a, 0, 1, write_command(b, 0x1000, 0x6000, 32, static_vc(0)));
  EXPECT_LT(bench.run_until([&] { return !busy(a); }), bench.calendar.now() + 10)
      << "its channel is free";
  bench.settle();
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
  EXPECT_LE(b.log[1].now, b.log[0].now + 10) << "right behind it";
}

TEST_P(NiuTest, ReadWaitsForTheWriteBeforeItOnItsChannel) {
  b.set_word(0x2000, 1);
  a.set_word(0x1000, 2);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 4, static_vc(2)));
  bench.run_until([&] { return !busy(a); });
  Command c = read_command(b, 0x2000, 0x3000, 4);
  c.ctrl |= static_vc(2);
  bench.issue(a, 0, 1, c);
  bench.settle();
  EXPECT_EQ(a.word(0x3000), 2u);
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_GE(b.log[1].now, b.log[0].now + kCommit);
}

TEST_P(NiuTest, FewPacketsHoldAChannelAtOnce) {
  // The third packet on one channel gets it when the first has left the NIU.
  for (unsigned i = 0; i < 2; ++i) {
    bench.issue(a, 0, i, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  }
  bench.run_until([&] { return !busy(a); });
  const Cycle start = bench.calendar.now();
  bench.issue(a, 0, 2, write_command(b, 0x1000, 0x2000, 32, static_vc(1)));
  const Cycle assigned = bench.run_until([&] { return !busy(a); });
  EXPECT_GT(assigned - start, 200u);
  bench.issue(a, 0, 3, write_command(b, 0x1000, 0x2000, 32, static_vc(0)));
  const Cycle again = bench.calendar.now();
  EXPECT_EQ(bench.run_until([&] { return !busy(a); }) - again, kAssign)
      << "another channel is free";
  bench.settle();
}

TEST_P(NiuTest, LinkedRequestsLeaveInOrderOnOneChannel) {
  a.fill(0x1000, 8192, 17);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, kCmdVcLinked | kCmdRespMarked));
  bench.issue(a, 0, 1, write_command(b, 0x1000, 0x2000, 32, kCmdVcLinked | kCmdRespMarked));
  bench.issue(a, 0, 2, write_command(b, 0x1040, 0x2000, 32));
  bench.settle();
  ASSERT_EQ(b.log.size(), 3u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
  EXPECT_EQ(b.word(0x2000), a.word(0x1040));
}

TEST_P(NiuTest, AnotherDestinationInsideAChainIsAFault) {
  NocBench& chained = *benches()[GetParam() + 2];
  TestTile& source = chained.at(1, 1);
  chained.issue(source, 0, 0, write_command(b, 0x1000, 0x2000, 64, kCmdVcLinked));
  chained.run_until([&] { return !busy(source); });
  chained.issue(source, 0, 1, write_command(far, 0x1000, 0x2000, 64));
  EXPECT_THROW(chained.settle(), foundation::Fault);
}

TEST_P(NiuTest, StoreToABusyInitiatorIsAFault) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 64));
  EXPECT_THROW(a.store(0, kTargAddrLo, 0, bench.calendar.now()), foundation::Fault);
  bench.settle();
}

TEST_P(NiuTest, AlignmentRulesAreChecked) {
  struct Row {
    const char* what;
    Command command;
  };
  const std::uint32_t mmio = TestTile::kMmioBase;
  Command inline_to_dram;
  inline_to_dram.ctrl = kCmdWr | kCmdWrInline;
  inline_to_dram.targ_mid = bench.mid(0, 0, 0);
  const TestTile& dram = bench.at(0, 0);
  const std::vector<Row> rows = {
      {"L1 to L1 not congruent mod 16", write_command(b, 0x1000, 0x2004, 32)},
      {"read not congruent mod 16", read_command(b, 0x1008, 0x2000, 32)},
      {"DRAM to L1 not congruent mod 32", read_command(dram, 0x1010, 0x2000, 32)},
      {"8 bytes to MMIO", write_command(b, 0x1000, mmio, 8)},
      {"L1 to MMIO not congruent mod 16", write_command(b, 0x1000, mmio + 4, 4)},
      {"MMIO read across a word", read_command(b, mmio + 2, 0x2002, 4)},
      {"byte enables, destination mod 32", write_command(b, 0x1000, 0x2010, 1, kCmdWrBe)},
      {"byte enables, source mod 32", write_command(b, 0x1010, 0x2000, 1, kCmdWrBe)},
      {"byte enables to MMIO across words", write_command(b, 0x1002, mmio + 2, 1, kCmdWrBe)},
      {"byte enables to MMIO not congruent mod 16",
       write_command(b, 0x1004, mmio + 8, 1, kCmdWrBe)},
      {"byte enables from MMIO across words", write_command(b, mmio + 2, 0x2000, 1, kCmdWrBe)},
      {"inline to a tile without L1", inline_to_dram},
      {"atomic on MMIO", atomic_command(b, mmio, at_increment(0), 1)},
      {"atomic on DRAM", atomic_command(dram, 0x100, at_increment(0), 1)},
      {"split with odd addresses", write_command(b, 0x1008, 0x2008, 10000)},
      {"0 bytes", write_command(b, 0x1000, 0x2000, 0)},
  };
  for (const Row& row : rows) {
    EXPECT_THROW(bench.issue(b.index == 0 ? b : a, 0, 0, row.command), foundation::Fault)
        << row.what;
  }
  // The counters have not moved and nothing is queued: a fault stops the run before the request.
  EXPECT_EQ(moved(a), "");
  EXPECT_NO_THROW(bench.issue(a, 0, 0, read_command(dram, 0x1020, 0x2000, 32)));
  bench.settle();
  // Congruent modulo 16 from L1; from MMIO any word goes to any other.
  EXPECT_NO_THROW(bench.issue(a, 0, 0, write_command(b, 0x1008, mmio + 8, 1, kCmdWrBe)));
  bench.settle();
  EXPECT_NO_THROW(bench.issue(a, 0, 0, write_command(b, mmio + 4, mmio + 8, 1, kCmdWrBe)));
  bench.settle();
}

/// What a hang report says of a NIU: who still waits, for how many answers, and nothing at the end.
TEST_P(NiuTest, SaysWhichAnswersAreOutstanding) {
  const auto lines = [&] {
    std::vector<std::string> all;
    a.niu[0]->describe_pending(all);
    return all;
  };
  EXPECT_TRUE(lines().empty());
  Command c = read_command(far, 0x1000, 0x2000, 32);
  c.tag = 5 << kTagTransactionIdShift;
  bench.issue(a, 0, 0, c);
  bench.run_until([&] { return !busy(a); });
  const std::string expected =
      a.niu[0]->place().where + ": transaction id 5: 1 answers outstanding";
  const auto said = lines();
  EXPECT_EQ(std::count(said.begin(), said.end(), expected), 1) << said.size();
  bench.settle();
  EXPECT_TRUE(lines().empty());
}

TEST_P(NiuTest, AtomicsWithoutADocumentedOperationStop) {
  NocBench& other = *benches()[GetParam() + 4];
  TestTile& source = other.at(1, 1);
  other.issue(source, 0, 0, atomic_command(b, 0x100, 5U << kAtOpcodeShift, 1));
  try {
    other.settle();
    ADD_FAILURE() << "nothing was said";
  } catch (const foundation::Fault& fault) {
    EXPECT_NE(std::string(fault.what()).find("atomic with AT_LEN_BE 0x5000"), std::string::npos)
        << fault.what();
  }
}

// A rectangle may hold a tile that has no L1 and takes broadcasts.
TEST_P(NiuTest, BroadcastAtomicsToATileWithoutL1Stop) {
  NocBench& other = *benches()[GetParam() + 6];
  other.at(0, 0).niu[0]->poke(kRouterCfg1, 0);
  Command c = atomic_command(b, 0x100, at_increment(0), 1, kCmdBrcstPacket);
  c.targ_mid = mid_broadcast(0, 0, 2, 2);
  other.issue(other.at(1, 1), 0, 0, c);
  try {
    other.settle();
    ADD_FAILURE() << "nothing was said";
  } catch (const foundation::Fault& fault) {
    EXPECT_NE(std::string(fault.what()).find("atomic outside of L1"), std::string::npos)
        << fault.what();
  }
}

TEST_P(NiuTest, CoordinatesOutsideAreAFault) {
  Command c = write_command(b, 0x1000, 0x2000, 32);
  c.ret_mid = mid_unicast(10, 1);
  EXPECT_THROW(bench.issue(a, 0, 0, c), foundation::Fault);
  c = write_command(b, 0x1000, 0x2000, 32, static_vc(4));
  EXPECT_THROW(bench.issue(a, 0, 0, c), foundation::Fault)
      << "broadcast class for a unicast request";
}

std::string fault_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    return fault.message();
  }
  return "no fault";
}

TEST_P(NiuTest, NodesThatAreNotThereAreNamedAsWrittenAndAsTranslated) {
  for (unsigned noc = 0; noc < 2; ++noc) boot_niu(*a.niu[noc], 0, true);
  struct Row {
    unsigned noc;
    unsigned x, y;  ///< as software writes them
    const char* text;
    bool is_node = false;
  };
  // ISA NoC/Coordinates.md: entries 26 to 31 (x) and 28 to 31 (y) of the tables hold 0.
  const Row rows[] = {
      {0, 26, 18, "(26,18), translated to (0,1) of NoC 0 by an entry of the translation tables"},
      {0, 31, 16, "(31,16), translated to (0,0) of NoC 0 by an entry"},
      {0, 18, 28, "(18,28), translated to (1,0) of NoC 0 by an entry"},
      {0, 18, 31, "(18,31), translated to (1,0) of NoC 0 by an entry"},
      {1, 26, 28, "(26,28), translated to (0,0) of NoC 1, which is (9,11) of NoC 0 by an entry"},
      {0, 32, 0, "(32,0), translated to (0,0) of NoC 0: the translation tables look at five bits"},
      {0, 50, 50, "(50,50), translated to (1,1) of NoC 0: the tr"},
      {0, 63, 63, "(63,63), translated to (0,0) of NoC 0: the tr"},
      {0, 10, 1, "(10,1) of NoC 0, which is outside of the grid of 10 x 12"},
      {1, 15, 15, "(15,15) of NoC 1, which is outside of the grid of 10 x 12"},
      {0, 0, 2, "(0,2) of NoC 0, where no tile is", true},
      {0, 16, 19, "(16,19), translated to (0,2) of NoC 0, where no tile is", true},
      {1, 9, 9, "(9,9) of NoC 1, which is (0,2) of NoC 0, where no tile is", true},
      {1, 16, 19, "(16,19), translated to (9,9) of NoC 1, which is (0,2) of NoC 0, where no tile",
       true},
      {0, 0, 10, "(0,10) of NoC 0, the ARC tile, which is not on this NoC", true},
  };
  for (const Row& row : rows) {
    const std::uint32_t mid = mid_unicast(row.x, row.y);
    Command read = read_command(b, 0x1000, 0x2000, 32, row.noc);
    read.targ_mid = mid;
    Command answer = read_command(b, 0x1000, 0x2000, 32, row.noc);
    answer.ret_mid = mid;
    Command write = write_command(b, 0x1000, 0x2000, 32, kCmdRespMarked, row.noc);
    write.ret_mid = mid;
    Command atomic = atomic_command(b, 0x100, at_increment(0), 1);
    atomic.targ_mid = mid;
    Command atomic_answer = atomic_command(b, 0x100, at_increment(0), 1);
    atomic_answer.ret_mid = mid;
    for (const auto& [reg, command] :
         std::vector<std::pair<std::string, Command>>{{"TARG", read},
                                                      {"RET", answer},
                                                      {"RET", write},
                                                      {"TARG", atomic},
                                                      {"RET", atomic_answer}}) {
      const std::string text = fault_of([&] { bench.issue(a, row.noc, 0, command); });
      EXPECT_EQ(text.find(reg + "_ADDR_MID names node " + row.text), 0u) << text;
    }
    Command broadcast = write_command(b, 0x1000, 0x2000, 32, kCmdRespMarked | kCmdBrcstPacket);
    broadcast.ret_mid = mid_broadcast(row.x, row.y, 18, 18);
    // The corner of a rectangle may be a node without a tile.
    if (row.is_node) continue;
    const std::string text = fault_of([&] { bench.issue(a, row.noc, 0, broadcast); });
    EXPECT_EQ(text.find(std::string("RET_ADDR_MID names node ") + row.text), 0u) << text;
  }
  EXPECT_EQ(moved(a), "") << "nothing was sent";
  // What stands for nothing in a register that a command does not use is nobody's business.
  Command plain = write_command(b, 0x1000, 0x2000, 32);
  plain.targ_mid = mid_unicast(31, 31);
  plain.ret_mid = mid_unicast(19, 18);
  EXPECT_NO_THROW(bench.issue(a, 0, 0, plain));
  bench.settle();
  for (unsigned noc = 0; noc < 2; ++noc) boot_niu(*a.niu[noc], 0, false);
}

TEST_P(NiuTest, EveryCoordinateReachesWhatItNamesOrIsAFault) {
  boot_niu(*a.niu[0], 0, true);
  for (unsigned y = 0; y < 64; ++y) {
    for (unsigned x = 0; x < 64; ++x) {
      const bool named = (x < 10 || (x >= 16 && x < 26)) && (y < 12 || (y >= 16 && y < 28));
      Command c = read_command(b, 0x1000, 0x2000, 32);
      c.targ_mid = mid_unicast(x, y);
      c.ret_lo = 0x2001;  // a fault of its own, which comes after that of the node
      const std::string text = fault_of([&] { bench.issue(a, 0, 0, c); });
      const bool node = text.find("names node") != std::string::npos;
      // Some nodes of column 0 have no tile.
      if (named && (x == 0 || x == 16)) continue;
      EXPECT_EQ(node, !named) << x << "," << y << ": " << text;
    }
  }
  boot_niu(*a.niu[0], 0, false);
}

struct Waker : support::Sleeper {
  std::vector<Cycle> woken;
  void location_changed(Cycle when, unsigned) override { woken.push_back(when); }
};

TEST_P(NiuTest, ChangesWakeWhoeverWatchesTheNiu) {
  Waker waker;
  a.watches.sleep(waker, 1u << static_cast<unsigned>(support::Watch::kNiu0), {});
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 32));
  bench.settle(300);
  const Cycle acknowledged = bench.calendar.now();
  EXPECT_FALSE(waker.woken.empty());
  EXPECT_LT(waker.woken.front(), acknowledged);
  a.watches.cancel(waker);
}

/// Of the NIU of a tile, for as long as there is one of these.
struct InFlight : support::L1InFlight::Listener {
  support::L1InFlight& l1;
  std::vector<support::L1InFlight::Transfer> first;
  explicit InFlight(support::L1InFlight& of) : l1(of) { l1.set_listener(this); }
  ~InFlight() override { l1.set_listener(nullptr); }
  void too_early(const support::L1InFlight::Transfer& earlier,
                 const support::L1InFlight::Transfer&) override {
    first.push_back(earlier);
  }
};

TEST_P(NiuTest, TellsWhatItsCommandsUseOfL1AndWhenItsCountersCallThemOver) {
  static support::L1InFlight l1[2];  // NIUs keep it
  support::L1InFlight& of_a = l1[GetParam()];
  a.niu[0]->watch_l1(of_a);
  const InFlight in_flight(of_a);
  const auto now = [&] { return bench.calendar.now(); };
  const auto store = [&](std::uint32_t address) {
    of_a.core_accesses(support::BusMaster::kB, address, 4, true, now());
    return in_flight.first.size();
  };
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 320));
  EXPECT_EQ(of_a.commands(), 1u);
  EXPECT_EQ(store(0x0FFC), 0u);
  EXPECT_EQ(store(0x1140), 0u);
  EXPECT_EQ(store(0x113C), 1u);
  // The counter of what is sent moves first; the bytes are read until that of what is outgoing
  // does.
  bench.run_until([&] { return moved(a, 0, kMstNonpostedWrReqSent) == 1; });
  EXPECT_EQ(store(0x1000), 2u) << "nobody has looked";
  a.load(0, kNodeId, now());
  a.load(0, kNiuCfg0, now());
  a.load(0, kInitiatorStatus, now());
  EXPECT_EQ(store(0x1000), 3u) << "nobody has looked at a counter";
  a.load(0, kStatusCounters + 4 * (kCounters - 1), now());
  EXPECT_EQ(store(0x1000), 3u);
  EXPECT_EQ(of_a.commands(), 0u);
  bench.settle();

  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 320));
  bench.run_until([&] { return moved(a, 0, kMstWriteReqsOutgoingId) == 0; });
  EXPECT_EQ(store(0x1000), 3u) << "all bytes are read";
  bench.settle();

  bench.issue(a, 0, 1, read_command(far, 0x4000, 0x5000, 9000));
  bench.run_until([&] { return moved(a, 0, kMstRdRespReceived) == 1; });
  EXPECT_EQ(store(0x5000), 4u) << "half of it has come";
  EXPECT_TRUE(in_flight.first.back().is_write);
  bench.settle();
  EXPECT_EQ(of_a.commands(), 0u);

  Command elsewhere = read_command(b, 0x100, 0x5000, 32);
  elsewhere.ret_mid = bench.mid(0, far);
  bench.issue(a, 0, 1, elsewhere);
  bench.issue(a, 0, 2, atomic_command(b, 0x100, at_increment(0, 31), 1));
  EXPECT_EQ(of_a.commands(), 0u);
  bench.settle();
}

INSTANTIATE_TEST_SUITE_P(Torus, NiuTest, ::testing::Values(0u, 1u), [](const auto& instance) {
  return instance.param == 0 ? std::string("fast") : std::string("detailed");
});

}  // namespace
}  // namespace tvp::noc::niu_test
