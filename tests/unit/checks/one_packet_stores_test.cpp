#include "platform/checks/noc/one_packet_stores.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct OnePacketStoresTest : testing::Test, CheckTest<OnePacketStores> {
  static ProbeEvent command(std::uint32_t bytes, std::uint32_t packets, std::uint32_t pc) {
    return {.kind = ProbeEvent::Kind::kCommand,
            .agent = BusMaster::kNoc1,
            .core = BusMaster::kNc,
            .pc = pc,
            .bytes = bytes,
            .packets = packets};
  }
};

TEST_F(OnePacketStoresTest, ACallThatCountsOnePacketStartsOne) {
  feed(command(8192, 1, kOnePacket));
  feed(command(8193, 2, kOnePacket - 4));
  EXPECT_TRUE(faults.empty());
  feed(command(8193, 2, kOnePacket));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(
      faults[0],
      "chip0.tensix(1,2).niu1: a call that counts one packet requests 8193 bytes, which the NIU "
      "splits into 2 packets, so barriers wait for a wrong count. Expected at most 8192 "
      "bytes. Use the call for any number of bytes.");
}

TEST_F(OnePacketStoresTest, OtherAgentsThanCoresAreIgnored) {
  ProbeEvent event = command(8193, 2, kOnePacket);
  event.core = BusMaster::kDebug;
  feed(event);
  EXPECT_TRUE(faults.empty());
}

}  // namespace
}  // namespace tvp::checks
