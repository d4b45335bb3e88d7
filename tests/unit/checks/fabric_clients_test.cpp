#include "platform/checks/noc/fabric_clients.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/packet_header.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "foundation/regs/overlay.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

namespace fabric = contract::fabric;

struct FabricClientsTest : testing::Test, CheckTest<FabricClients> {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;
  static constexpr std::uint32_t kHandshake = 0x8000, kInfo = 0x8100, kBase = 0x9000;
  static constexpr std::uint32_t kSlots = 2, kSlotBytes = 1024 + fabric::kPacketHeaderBytes;
  static constexpr std::uint32_t kCounter = 0x100, kHeader = 0x200, kStream = 22;

  FabricClientsTest() {
    tile.l1 = l1;
    l1[kHeader + fabric::kPacketRouteOffset] = 1;
    feed({.kind = Kind::kKernel, .core = BusMaster::kNc});
    std::array<std::uint32_t, fabric::kConnectionRuntimeArgs> words{};
    words[fabric::kConnectionArgX] = 25;
    words[fabric::kConnectionArgY] = 16;
    words[fabric::kConnectionArgChannelBase] = kBase;
    words[fabric::kConnectionArgSlots] = kSlots;
    words[fabric::kConnectionArgHandshake] = kHandshake;
    words[fabric::kConnectionArgInfo] = kInfo;
    words[fabric::kConnectionArgSlotBytes] = kSlotBytes;
    words[fabric::kConnectionArgStream] = kStream;
    feed({.kind = Kind::kArgument, .core = BusMaster::kNc, .value = 7});
    for (const std::uint32_t word : words)
      feed({.kind = Kind::kArgument, .core = BusMaster::kNc, .value = word});
  }
  void commands(Request request, std::uint32_t here, std::uint64_t there, std::uint32_t bytes,
                std::uint32_t pc) {
    feed({.kind = Kind::kCommand,
          .agent = BusMaster::kNoc1,
          .core = BusMaster::kNc,
          .request = request,
          .remote = ProbeEvent::Place::kEthernet,
          .is_local = true,
          .x0 = 6,
          .y0 = 6,
          .pc = pc,
          .bytes = bytes,
          .packets = 1,
          .address = here,
          .remote_address = there});
  }
  void opens() {
    commands(Request::kRead, kCounter, kInfo + offsetof(fabric::ConnectionInfo, read_counter), 4,
             0x5000);
    for (const std::size_t field : {offsetof(fabric::ConnectionInfo, worker_counter_address),
                                    offsetof(fabric::ConnectionInfo, worker_teardown_address),
                                    offsetof(fabric::ConnectionInfo, worker_xy)})
      commands(Request::kInlineWrite, 0, kInfo + field, 4, 0x5004);
    shakes_hands(0x5010);
  }
  void shakes_hands(std::uint32_t pc) { commands(Request::kInlineWrite, 0, kHandshake, 4, pc); }
  void looks() {
    feed({.kind = Kind::kRead,
          .agent = BusMaster::kNc,
          .core = BusMaster::kNc,
          .bytes = 4,
          .address = kCounter});
  }
  void announces(std::uint32_t bytes) {
    l1[kHeader + fabric::kPacketPayloadOffset] = static_cast<std::uint8_t>(bytes);
    l1[kHeader + fabric::kPacketPayloadOffset + 1] = static_cast<std::uint8_t>(bytes >> 8);
  }
  void sends(std::uint32_t slot, std::uint32_t bytes) {
    announces(bytes);
    sends_only(slot, bytes);
  }
  void sends_only(std::uint32_t slot, std::uint32_t bytes) {
    commands(Request::kWrite, 0x400, kBase + slot * kSlotBytes + fabric::kPacketHeaderBytes, bytes,
             0x5020);
    commands(Request::kWrite, kHeader, kBase + slot * kSlotBytes, fabric::kPacketHeaderBytes,
             0x5030);
  }
  void announces() {
    commands(Request::kInlineWrite, 0,
             regs::overlay::stream_reg(kStream, regs::overlay::kRemoteDestBufSpaceAvailableUpdate),
             4, 0x5050);
  }
  void ends() { feed({.kind = Kind::kProgramEnds}); }

  std::array<std::uint8_t, 4096> l1{};
};

TEST_F(FabricClientsTest, AClientThatKeepsTheRulesIsNotReported) {
  opens();
  for (unsigned packet = 0; packet < 5; ++packet) {
    looks();
    sends(packet % kSlots, 1024);
  }
  shakes_hands(0x5040);
  ends();
  EXPECT_TRUE(warnings.empty()) << warnings[0];
}

TEST_F(FabricClientsTest, APacketThatIsNotAnnouncedNeverLeaves) {
  opens();
  looks();
  sends(0, 8);
  announces();
  EXPECT_TRUE(check.found_so_far(true).empty());
  looks();
  sends(1, 8);
  commands(Request::kInlineWrite, 0, kInfo, 4, 0x5060);
  EXPECT_TRUE(check.found_so_far(false).empty());  // it may still come
  const auto found = check.found_so_far(true);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(std::string(found[0].what()),
            "chip0.tensix(1,2).NCRISC: has written 2 packets to slots of the router at (6,6) and "
            "announced 1, so the rest never leaves; the last packet was sent in line 0x5030 of "
            "core 1. Expected an inline write to its count of free slots behind each packet. The "
            "next command, in line 0x5060 of core 1, goes to 0x8100 of (6,6) instead. Set its "
            "address before, for example with noc_inline_dw_write_set_state\n  in line 0x5030 of "
            "core 1");
}

TEST_F(FabricClientsTest, OneLookMayFindAllSlotsFree) {
  opens();
  looks();
  sends(0, 8);
  sends(1, 8);
  EXPECT_TRUE(warnings.empty());
  sends(0, 8);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: sends a packet to a slot of the router at (6,6) and has not "
            "looked whether it is free: the router may not have taken its last packet. Call "
            "wait_for_empty_write_slot before\n  in line 0x5030 of core 1");
}

TEST_F(FabricClientsTest, APacketWithoutALookAtTheCountIsReported) {
  opens();
  sends(0, 8);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("has not looked whether it is free"), std::string::npos);
}

TEST_F(FabricClientsTest, APayloadBeyondItsSlotIsReported) {
  opens();
  looks();
  sends(1, 1028);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: writes 1028 bytes to byte 64 of a slot of 1088 bytes of the "
            "router at (6,6): the end goes to the next slot. A packet may have 1024 bytes behind "
            "its header\n  in line 0x5020 of core 1");
}

TEST_F(FabricClientsTest, AHeaderWithAnotherSizeThanThePayloadIsReported) {
  opens();
  looks();
  announces(512);
  sends_only(0, 520);
  EXPECT_TRUE(warnings.empty()) << "padding";
  sends_only(1, 1024);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: sends a packet with 1024 bytes behind its header to the "
            "router at (6,6), which forwards the 512 bytes that the header announces. Expected "
            "equal sizes. Compare the size of to_noc_unicast_write with that of the payload, or "
            "add the call that sends the payload\n  in line 0x5030 of core 1");
}

TEST_F(FabricClientsTest, APayloadStaysInItsSlot) {
  opens();
  looks();
  announces(512);
  commands(Request::kWrite, kHeader, kBase, fabric::kPacketHeaderBytes, 0x5030);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("sends a packet with 0 bytes behind"), std::string::npos);
  sends(1, 512);
  looks();
  commands(Request::kWrite, kHeader, kBase + kSlotBytes, fabric::kPacketHeaderBytes, 0x5030);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(FabricClientsTest, TheSizeIsComparedAlsoWhereTheSlotsAreUnknown) {
  feed({.kind = Kind::kKernel, .core = BusMaster::kNc});  // without the connection's arguments
  opens();
  announces(64);
  sends_only(0, 64);
  commands(Request::kWrite, kHeader, kBase, fabric::kPacketHeaderBytes, 0x5030);
  announces(128);
  sends_only(1, 128);
  EXPECT_TRUE(warnings.empty());
  sends_only(2, 512);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("sends a packet with 512 bytes behind its header"), std::string::npos);
}

TEST_F(FabricClientsTest, AHeaderWithoutARouteIsReported) {
  l1[kHeader + fabric::kPacketRouteOffset] = 0;
  opens();
  looks();
  sends(0, 8);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("sends a packet without a route to the router at (6,6)"),
            std::string::npos);
  EXPECT_NE(warnings[0].find("line 0x5030"), std::string::npos);
}

TEST_F(FabricClientsTest, AConnectionThatStaysOpenIsReportedAtItsOpen) {
  opens();
  ends();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: ends with an open connection to the router at (6,6): the "
            "next client of this channel waits forever. Call close()\n  in line 0x5010 of core 1");
  ends();
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(FabricClientsTest, OfAConnectionThatIsNoArgumentOnlyTheEndIsKnown) {
  feed({.kind = Kind::kKernel, .core = BusMaster::kNc});
  opens();
  sends(0, 4096);
  EXPECT_TRUE(warnings.empty());
  ends();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("ends with an open connection"), std::string::npos);
}

TEST_F(FabricClientsTest, OtherInlineWritesAreNoConnection) {
  shakes_hands(0x5000);
  commands(Request::kInlineWrite, 0, kInfo, 4, 0x5004);
  shakes_hands(0x5010);
  ends();
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
