#include "models/noc/overlay.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>

#include "tests/support/fault_of.h"

namespace tvp::noc::overlay_test {
namespace {

using namespace regs::overlay;  // register indices

struct Bench : sc_core::sc_module {
  explicit Bench(const sc_core::sc_module_name& name, bool ethernet)
      : sc_module(name),
        socket("socket"),
        overlay("overlay", config, ethernet, watches, faults, "t") {
    socket.bind(overlay.regs);
    payload.set_extension(&access);
  }
  ~Bench() override { payload.clear_extension(&access); }
  std::uint32_t transport(tlm::tlm_command command, std::uint32_t stream, std::uint32_t index,
                          std::uint32_t value) {
    payload.set_command(command);
    payload.set_address(stream_reg(stream, index) - kBase);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    access.now = ++now;
    access.order = 4;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    return value;
  }
  std::uint32_t load(std::uint32_t stream, std::uint32_t index) {
    return transport(tlm::TLM_READ_COMMAND, stream, index, 0);
  }
  void store(std::uint32_t stream, std::uint32_t index, std::uint32_t value) {
    transport(tlm::TLM_WRITE_COMMAND, stream, index, value);
  }

  NocConfig config;
  support::WatchHub watches;
  foundation::StopOnFault faults;
  tlm_utils::simple_initiator_socket<Bench> socket;
  Overlay overlay;
  tlm::tlm_generic_payload payload;
  support::BusAccess access;
  support::Cycle now = 0;
};

struct Benches {
  Bench tensix{"tensix", false};
  Bench ethernet{"ethernet", true};
  Benches() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
Benches& benches() {
  static Benches all;
  return all;
}

class OverlayTest : public ::testing::Test {
 protected:
  Bench& t = benches().tensix;
  Bench& e = benches().ethernet;
};

TEST_F(OverlayTest, SpaceCounterAddsWhatIsWrittenToUpdate) {
  t.store(40, kRemoteDestBufSize, 8);
  EXPECT_EQ(t.load(40, kRemoteDestBufSpaceAvailable), 8u);
  t.store(40, kRemoteDestBufSpaceAvailableUpdate, space_update(3));
  EXPECT_EQ(t.load(40, kRemoteDestBufSpaceAvailable), 11u);
  EXPECT_EQ(t.load(40, kRemoteDestBufSize), 8u);
  // Adding 2^17 - 1 subtracts one, as software does to consume a credit.
  t.store(40, kRemoteDestBufSpaceAvailableUpdate, 0x1FFFFu << 6);
  EXPECT_EQ(t.load(40, kRemoteDestBufSpaceAvailable), 10u);
}

/// A debugger's access of several words equals single accesses.
TEST_F(OverlayTest, DebugAccessesTakeAnyNumberOfWords) {
  constexpr unsigned kWords = 4;
  const auto debug = [&](tlm::tlm_command command, std::uint32_t index, std::uint32_t* data,
                         unsigned words) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(stream_reg(8, index) - kBase);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data));
    payload.set_data_length(4 * words);
    payload.set_streaming_width(4 * words);
    return t.socket->transport_dbg(payload);
  };
  std::uint32_t written[kWords] = {0x10203, 0x40506, 0x70809, 0xA0B0C};
  ASSERT_EQ(debug(tlm::TLM_WRITE_COMMAND, kScratch, written, kWords), 4 * kWords);
  std::uint32_t together[kWords] = {};
  ASSERT_EQ(debug(tlm::TLM_READ_COMMAND, kScratch, together, kWords), 4 * kWords);
  for (unsigned i = 0; i < kWords; ++i) {
    std::uint32_t alone = 0;
    ASSERT_EQ(debug(tlm::TLM_READ_COMMAND, kScratch + i, &alone, 1), 4U);
    EXPECT_EQ(together[i], alone) << i;
    EXPECT_EQ(t.load(8, kScratch + i), alone) << i;
    EXPECT_EQ(alone, written[i]) << i;
  }
  // Registers of running streams read as 0.
  std::uint32_t unmodelled = 1;
  ASSERT_EQ(debug(tlm::TLM_READ_COMMAND, kPhaseAdvance, &unmodelled, 1), 4U);
  EXPECT_EQ(unmodelled, 0U);
  EXPECT_EQ(t.overlay.peek(8, kPhaseAdvance), 0U);
  // Parts of words and empty accesses are refused.
  tlm::tlm_generic_payload payload;
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(together));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_read();
  payload.set_address(stream_reg(8, kScratch) - kBase + 2);
  EXPECT_EQ(t.socket->transport_dbg(payload), 0U);
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_address(stream_reg(8, kScratch) - kBase);
  EXPECT_EQ(t.socket->transport_dbg(payload), 0U);
}

TEST_F(OverlayTest, ReportsTheCountsOfPagesAndNoOtherRegister) {
  struct Listener : support::Probe::Listener {
    void on(const support::ProbeEvent& event) override { seen.push_back(event); }
    std::vector<support::ProbeEvent> seen;
  } listener;
  support::Probe probe;
  using Kind = support::ProbeEvent::Kind;
  probe.listen(listener,
               support::Probe::bit(Kind::kStreamRead) | support::Probe::bit(Kind::kStreamWritten));
  t.overlay.set_probe(&probe);
  t.access.master = support::BusMaster::kNc;
  t.store(16, kRemoteDestBufStart, 3);
  t.store(16, kRemoteDestBufSize, 5);
  t.store(16, kScratch, 7);
  t.load(16, kRemoteDestBufSize);
  t.load(16, kRemoteDestBufSpaceAvailable);
  t.overlay.set_probe(nullptr);
  t.store(16, kRemoteDestBufSize, 6);
  ASSERT_EQ(listener.seen.size(), 3U);
  const support::ProbeEvent written{.kind = Kind::kStreamWritten,
                                    .agent = support::BusMaster::kNc,
                                    .index = kRemoteDestBufSize,
                                    .stream = 16,
                                    .value = 5,
                                    .pushed = 5,
                                    .popped = 3,
                                    .cycle = t.now - 4};
  EXPECT_EQ(listener.seen[1], written);
  EXPECT_EQ(listener.seen[2].kind, Kind::kStreamRead);
}

TEST_F(OverlayTest, MulticastStreamsHaveOneCounterADestination) {
  t.store(2, kRemoteDestBufSize, 5);
  t.store(2, kRemoteDestBufSpaceAvailableUpdate, space_update(7, 31));
  EXPECT_EQ(t.load(2, kRemoteDestBufSpaceAvailable), 5u);
  EXPECT_EQ(t.load(2, kRemoteDestBufSpaceAvailable + 31), 12u);
  EXPECT_THROW(t.store(12, kRemoteDestBufSpaceAvailableUpdate, space_update(1, 1)),
               foundation::Fault);
  EXPECT_THROW(t.load(12, kRemoteDestBufSpaceAvailable + 1), foundation::Fault);
}

TEST_F(OverlayTest, DebugStatusSaysWhetherAllCountersHaveSpace) {
  t.store(1, kRemoteDestBufSize, 0);
  for (unsigned i = 0; i < 31; ++i) {
    t.store(1, kRemoteDestBufSpaceAvailableUpdate, space_update(1, i));
  }
  EXPECT_EQ(t.load(1, kDebugStatus + 2), 0u);
  t.store(1, kRemoteDestBufSpaceAvailableUpdate, space_update(1, 31));
  EXPECT_EQ(t.load(1, kDebugStatus + 2), 8u);
}

TEST_F(OverlayTest, TilesReceivedAndAckedArePlainCounters) {
  t.store(17, kRemoteDestBufStart, 0x2ABCD);
  EXPECT_EQ(t.load(17, kRemoteDestBufStart), 0xABCDu) << "17 bits";
  t.store(17, kRemoteDestWrPtr, 9);
  t.store(17, kRemoteDestBufStart, 1);
  EXPECT_EQ(t.load(17, kRemoteDestWrPtr), 0u);
}

TEST_F(OverlayTest, PointersResetEachOther) {
  t.store(20, kWrPtr, 4);
  t.store(20, kRdPtr, 3);
  t.store(20, kBufStart, 100);
  EXPECT_EQ(t.load(20, kRdPtr), 0u);
  EXPECT_EQ(t.load(20, kWrPtr), 0u);
  t.store(20, kRdPtr, 7);
  EXPECT_EQ(t.load(20, kNextReceivedMsgAddr), 107u);
  EXPECT_EQ(t.load(20, kMsgInfoCanPushNewMsg), 1u);
  t.store(20, kMsgInfoWrPtr, 1);
  EXPECT_EQ(t.load(20, kMsgInfoCanPushNewMsg), 0u);
}

TEST_F(OverlayTest, PhaseHasABaseAndCountsWithTheHeader) {
  t.store(21, kCurrPhaseBase, 1000);
  t.store(21, kCurrPhase, 5);
  EXPECT_EQ(t.load(21, kCurrPhase), 5u);
  t.store(21, kPhaseAutoCfgHeader, 7u << 12 | 3);
  EXPECT_EQ(t.load(21, kCurrPhase), 8u);
  EXPECT_EQ(t.load(21, kPhaseAutoCfgHeader) >> 12, 7u);
  t.store(21, kCurrPhaseBase, 0);
  EXPECT_EQ(t.load(21, kCurrPhase), 1008u);
}

TEST_F(OverlayTest, CapabilitiesOfStreamsDecideWhatIsThere) {
  t.store(8, kScratch + 5, 0xFFFFFFFF);
  EXPECT_EQ(t.load(8, kScratch + 5), 0xFFFFFFu) << "24 bits";
  t.store(5, kScratch, 1);
  EXPECT_EQ(t.load(5, kScratch), 0u) << "writes ignored, reads as zero";
  t.store(5, kGather, 0xFF);
  EXPECT_EQ(t.load(5, kGather), 15u);
  t.store(6, kGather, 0xFF);
  EXPECT_EQ(t.load(6, kGather), 0u);
  e.store(1, kLocalSrcMask + 1, 0xFFFF);
  EXPECT_EQ(e.load(1, kLocalSrcMask + 1), 0xFFu);
  EXPECT_EQ(e.overlay.streams(), 32u);
  EXPECT_EQ(t.overlay.streams(), 64u);
}

// ISA NoC/Overlay/AsGeneralUse.md and README.md, Stream Capabilities.
TEST_F(OverlayTest, EveryRegisterHasItsWidthInEveryStream) {
  enum Of { kAll, kGathering, kMulticasting, kToDram };
  const auto has = [](Of of, bool ethernet, unsigned stream) {
    switch (of) {
      case kGathering:
        return stream < (ethernet ? 2U : 6U);
      case kMulticasting:
        return stream < 4;  // for ethernet tiles, 2 and 3 equal their neighbors
      case kToDram:
        return stream < 4 || (stream >= 8 && stream < 12);
      default:
        return true;
    }
  };
  const struct {
    std::uint32_t index;
    unsigned width;
    Of of = kAll;
    unsigned ethernet_width = 32;  ///< width that differs on ethernet tiles
  } kRows[] = {{kBufSize, 17},
               {kBufStart, 17},
               {kRdPtr, 17},
               {kWrPtr, 17},
               {kCurrPhaseBase, 20},
               {kGatherClear, 17, kGathering},
               {kGather, 4, kGathering},
               {kLocalSrcMask, 24, kGathering},
               {kLocalSrcMask + 1, 24, kGathering, 8},
               {kLocalSrcMask + 2, 16, kGathering, 0},
               {kMcastDestNum, 6, kMulticasting},
               {kMcastDest, 19, kMulticasting},
               {kMemBufSpaceAvailableAckThreshold, 4},
               {kMsgInfoPtr, 17},
               {kMsgInfoWrPtr, 17},
               {kPhaseAutoCfgPtrBase, 17},
               {kRemoteDestBufSize, 17},
               {kRemoteDestBufStartHi, 15, kToDram},
               {kRemoteDestBufStart, 17},
               {kRemoteDestWrPtr, 17},
               {kRemoteDestMsgInfoWrPtrHi, 15, kToDram},
               {kRemoteDestMsgInfoWrPtr, 17},
               {kRemoteDest, 18},
               {kRemoteDestTrafficPriority, 4},
               {kRemoteSrc, 24},
               {kScratch, 24, kToDram},
               {kScratch + 5, 24, kToDram}};
  for (Bench* bench : {&t, &e}) {
    const bool ethernet = bench == &e;
    for (unsigned stream = 0; stream < bench->overlay.streams(); ++stream) {
      for (const auto& row : kRows) {
        unsigned width = ethernet ? std::min(row.width, row.ethernet_width) : row.width;
        if (!has(row.of, ethernet, stream)) width = 0;
        bench->store(stream, row.index, 0xFFFFFFFF);
        EXPECT_EQ(bench->load(stream, row.index), (1U << width) - 1)
            << row.index << " of stream " << stream << (ethernet ? ", ethernet" : "");
        bench->store(stream, row.index, 0);
        EXPECT_EQ(bench->load(stream, row.index), 0u);
      }
      bench->store(stream, kMiscCfg, ~kMiscCfgPhaseAutoConfig);
      EXPECT_EQ(bench->load(stream, kMiscCfg), 0xFFFFFFu & ~kMiscCfgPhaseAutoConfig);
      bench->store(stream, kMiscCfg, 0);
      // Registers with a base add it on writes and subtract it on reads, each in its width.
      bench->store(stream, kCurrPhaseBase, 7);
      bench->store(stream, kPhaseAutoCfgPtrBase, 9);
      for (const auto& [index, width] :
           {std::pair{kCurrPhase, 20U}, {kRemoteSrcPhase, 20U}, {kPhaseAutoCfgPtr, 17U}}) {
        bench->store(stream, index, 0xFFFFFFFF);
        EXPECT_EQ(bench->load(stream, index), (1U << width) - 1) << index;
      }
      bench->store(stream, kCurrPhaseBase, 0);
      bench->store(stream, kPhaseAutoCfgPtrBase, 0);
      EXPECT_EQ(bench->load(stream, kCurrPhase), 6u);
      EXPECT_EQ(bench->load(stream, kRemoteSrcPhase), 6u);
      EXPECT_EQ(bench->load(stream, kPhaseAutoCfgPtr), 8u);
    }
  }
}

TEST_F(OverlayTest, WhatWouldRunAStreamStopsByName) {
  EXPECT_TRUE(
      tvp::test::faults([&] { t.store(3, kPhaseAdvance, 1); }, {}, {"PHASE_ADVANCE of stream 3"}));
  EXPECT_THROW(t.store(0, kMiscCfg, kMiscCfgPhaseAutoConfig), foundation::Fault);
  t.store(0, kMiscCfg, 0x10);
  EXPECT_EQ(t.load(0, kMiscCfg), 0x10u);
  EXPECT_EQ(t.load(0, kWaitStatus), 1u) << "idle";
}

TEST_F(OverlayTest, OutsideOfTheStreamsIsAnAddressError) {
  e.load(32, kRemoteDestBufSize);
  EXPECT_EQ(e.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

struct Waker : support::Sleeper {
  std::vector<support::Cycle> woken;
  unsigned order = 0;
  void location_changed(support::Cycle when, unsigned by) override {
    woken.push_back(when);
    order = by;
  }
};

TEST_F(OverlayTest, StoresWakeWhoeverWatchesAndLoadsSayWhatToWatch) {
  Waker waker;
  t.watches.sleep(waker, 1u << static_cast<unsigned>(support::Watch::kOverlay), {});
  t.load(30, kRemoteDestBufSpaceAvailable);
  EXPECT_EQ(t.access.watch, support::Watch::kOverlay);
  EXPECT_EQ(t.access.latency, 7u);
  EXPECT_TRUE(waker.woken.empty());
  t.store(30, kRemoteDestBufSpaceAvailableUpdate, space_update(1));
  EXPECT_EQ(waker.woken, std::vector<support::Cycle>{t.now});
  EXPECT_EQ(waker.order, 4u);
  t.watches.cancel(waker);
}

}  // namespace
}  // namespace tvp::noc::overlay_test
