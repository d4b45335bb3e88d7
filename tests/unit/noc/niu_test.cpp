// Data and counters of NIU commands.

#include "tests/unit/noc/niu_fixture.h"

namespace tvp::noc::niu_test {
namespace {

TEST_P(NiuTest, IdentificationRegisters) {
  EXPECT_EQ(a.load(0, kNodeId, 0), 1u | 1u << 6 | 10u << 12 | 12u << 19 | 1u << 28);
  EXPECT_EQ(a.last_latency(), 7u);
  // NoC 1 counts from the other corner.
  EXPECT_EQ(a.load(1, kNodeId, 0), 8u | 10u << 6 | 10u << 12 | 12u << 19);
  EXPECT_EQ(far.load(0, kNodeId, 0), 9u | 11u << 6 | 10u << 12 | 12u << 19 | 7u << 26);
  EXPECT_EQ(a.load(1, 0x800 + kEndpointId, 0), 1u << 24);
  EXPECT_EQ(bench.at(0, 0).load(0, kEndpointId, 0) >> 16 & 0xFF, 8u);
  EXPECT_EQ(a.load(0, kNocIdLogical, 0), 1u | 1u << 6);
}

/// Registers of an unused NIU are zero after reset and keep written bits.
TEST_P(NiuTest, InitiatorsHaveTheRegistersOfTheirTable) {
#define INITIATOR(Name, wormhole, blackhole, count, access) \
  {#Name, wormhole, std::string(#access) == "ReadWrite"},
  const struct {
    const char* name;
    std::uint32_t offset;
    bool writable;
  } kRows[] = {
#include "foundation/regs/noc.def"
  };
  TestTile& tile = bench.at(7, 4);
  std::map<std::uint32_t, std::uint32_t> expected;
  for (unsigned i = 0; i < kInitiators; ++i)
    for (const auto& row : kRows)
      if (row.writable && row.offset != kNone) expected[i * kCmdBufOffset + row.offset] = 0;
  const auto expect_all = [&](const char* behind) {
    for (const auto& [offset, value] : expected)
      EXPECT_EQ(tile.load(0, offset, 0), value) << std::hex << offset << " behind " << behind;
  };
  expect_all("reset");
  for (unsigned i = 0; i < kInitiators; ++i) {
    for (const auto& row : kRows) {
      if (!row.writable || row.offset == kCmdCtrl || row.offset == kNone) continue;
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
  words.push_back(0xA5A5A5A5);  // no bytes after them
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

TEST_P(NiuTest, SoftwareClearsTheCountsOfTheTransactionsThatItNames) {
  for (const std::uint32_t id : {3U, 4U}) {
    Command c = read_command(b, 0x100, 0x600, 32);
    c.ret_mid = bench.mid(0, far);  // a far tile, so that no counter decreases
    c.tag = id << kTagTransactionIdShift;
    bench.issue(a, 0, 0, c);
    bench.settle();
  }
  const auto outstanding = [&](unsigned id) {
    return a.niu[0]->counter(kMstReqsOutstandingId + id);
  };
  EXPECT_EQ(outstanding(3), 1U);
  EXPECT_EQ(outstanding(4), 1U);
  a.store(0, kClearOutstandingReqCnt, 1U << 3, bench.calendar.now());
  EXPECT_EQ(outstanding(3), 0U);
  EXPECT_EQ(outstanding(4), 1U);
  a.store(0, kClearOutstandingReqCnt, 1U << 4, bench.calendar.now());
  EXPECT_EQ(outstanding(4), 0U);
  far.store(0, kClearOutstandingReqCnt, 3U << 3, bench.calendar.now());
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
  // The low 8 bits count; the others stay.
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
  // One hop there and nine around the ring. A NIU reads L1 for answers at 28.5 B per cycle.
  constexpr Cycle kAnswerRest = 2;
  EXPECT_EQ(done - start, kAssign + kRequest + 2 * kEnds + 10 * kHop + kServe + kAnswerRest +
                              kRespond + 1 + kReceive + kCommit);
}

// The flit of an answer leaves when its bytes come from a memory with phases.
TEST_P(NiuTest, AnswersOfDramLeaveWithTheirBytes) {
  TestTile& dram = bench.at(0, 0);
  bench.issue(a, 0, 0, read_command(dram, 0x100, 0x200, 32));
  const Cycle done = bench.run_until([&] { return moved(a, 0, kMstRdRespReceived) == 1; });
  ASSERT_EQ(dram.log.size(), 1U);
  constexpr Cycle kMemoryAndFlit = 1;  // 32 bytes of TestTile
  EXPECT_EQ(done - dram.log[0].now,
            kMemoryAndFlit + kRespond + kEnds + 2 * kHop + kReceive + kCommit);
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

// tt-metal's mux writes a packet, a credit and a counter on one channel. Its times at 2 and 4 KiB
// show that the credit waits for the packet. Series of writes show that data does not wait.
TEST_P(NiuTest, DataIsReadAheadButWhatHasNoneWaitsForTheChannel) {
  for (const bool inline_write : {false, true}) {
    const std::uint32_t flags = kCmdRespMarked | static_vc(1);
    bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 4096, flags));
    Command second = write_command(b, 0x1000, 0x4000, 32, flags);
    if (inline_write) {
      second = Command{};
      second.ctrl = kCmdWr | kCmdWrInline | flags;
      second.targ_lo = 0x4000;
      second.targ_mid = bench.mid(0, b);
      second.at_len_be = 0xF;
    }
    bench.issue(a, 0, 1, second);
    const Cycle start = bench.calendar.now();
    const Cycle assigned =
        bench.run_until([&] { return moved(a, 0, kMstNonpostedWrReqStarted) == 2; }) - start;
    if (inline_write) {
      EXPECT_GE(assigned, 129u) << "its flits";
    } else {
      EXPECT_LE(assigned, 2 * kAssign);
    }
    bench.settle();
    remember();
  }
}

// A write to a register of the tile takes time. A later read on the same channel must see its
// effect (ISA NoC/Ordering.md), but another write need not wait.
TEST_P(NiuTest, AReadWaitsForTheWriteBeforeItOnItsChannel) {
  const std::uint32_t flags = kCmdRespMarked | static_vc(1);
  for (const bool read : {true, false}) {
    Command slow;
    slow.ctrl = kCmdWr | kCmdWrInline | flags;
    slow.targ_lo = TestTile::kMmioBase;
    slow.targ_mid = bench.mid(0, b);
    slow.at_len_be = 0xF;
    Command second = read_command(b, 0x100, 0x200, 32);
    second.ctrl |= static_vc(1);
    if (!read) {
      second = slow;
      second.targ_lo = 0x4000;
    }
    b.log.clear();
    bench.issue(a, 0, 0, slow);
    bench.issue(a, 0, 1, second);
    bench.settle();
    ASSERT_EQ(b.log.size(), 2U);
    const Cycle apart = b.log[1].now - b.log[0].now;
    if (read) {
      EXPECT_GE(apart, Cycle{TestTile::kMmioCycles});
    } else {
      EXPECT_LT(apart, Cycle{TestTile::kMmioCycles});
    }
  }
}

// The first read is not delayed before the channel: 9 hops right and 11 down to (0,0).
TEST_P(NiuTest, AReadOfDramReachesItsMemoryAsSoonAsOneOfL1) {
  TestTile& dram = bench.at(0, 0);
  for (const auto& [tile, hops] : {std::pair{&b, 1U}, {&dram, 20U}}) {
    bench.issue(a, 0, 0, read_command(*tile, 0x100, 0x200, 32));
    const Cycle start = bench.calendar.now();
    bench.settle();
    ASSERT_EQ(tile->log.size(), 1U);
    EXPECT_EQ(tile->log[0].now - start, kAssign + kRequest + kEnds + hops * kHop + kServe) << hops;
  }
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

/// No agent holds a bank.
struct NoHolders : support::L1Holders {
  void pass(Stream& stream, Cycle) override {
    stream.pass(static_cast<std::uint32_t>(stream.turns()), stream.begin + stream.turns());
  }
};

// ISA TensixTile/L1.md: a copy from a tile to itself stays in the tile.
TEST_P(NiuTest, L1IsToldOfWhatANiuReadsAndGetsBack) {
  TestTile& tile = bench.at(7, 4);
  static NoHolders holders;
  static support::L1Intake intake;
  intake.meet(holders);
  tile.niu[1]->meet(intake);
  const auto told = [&](const TestTile& to, std::uint32_t to_address) {
    Command c = write_command(to, 0x1000, to_address, 256, kCmdRespMarked, 1);
    c.targ_mid = bench.mid(1, tile);
    bench.issue(tile, 1, 0, c);
    bench.settle();
    return intake.take_return();
  };
  // Times: read, the request, the wires there and back, to memory, written.
  EXPECT_EQ(told(tile, 0x3020).after, 2 + kRequest + kEnds + kServe + 2);
  EXPECT_EQ(told(tile, 0x3020).word, 0x302u);
  EXPECT_EQ(told(b, 0x3020).after, 0u) << "another tile";
}

INSTANTIATE_TEST_SUITE_P(Torus, NiuTest, ::testing::Values(0u, 1u), [](const auto& instance) {
  return instance.param == 0 ? std::string("fast") : std::string("detailed");
});

}  // namespace
}  // namespace tvp::noc::niu_test
