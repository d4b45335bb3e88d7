// The host forwards between memory channels with a thread per channel, packet by packet. Expected
// times follow from the bandwidth.

#include "models/pim/host/host_forwarder.h"

#include <gtest/gtest.h>

namespace tvp::pim {
namespace {

// 10 GB/s and a tCK of 0.8 ns: 80 bytes take 8 ns, 10 tCK.
struct Forwarding : ::testing::Test {
  Forwarding() {
    config.forward_gb_s.set("10");
    config.host_sync_cycles.set("100");
  }
  PimConfig config;
  HostForwarder host{config, dram::Period{800, 1}, 2};
};

TEST_F(Forwarding, CopiesTheBytesAndWakesAThreadForEachLevel) {
  EXPECT_EQ(host.forward(0, 1, 80, 1000), 1000 + 10 + 100U);
  EXPECT_EQ(host.forward(0, 2, 80, 2000), 2000 + 10 + 200U);
  EXPECT_EQ(host.forward(0, 1, 81, 3000), 3000 + 11 + 100U);  // rounds up to a tCK
}

TEST_F(Forwarding, PacketsOfAChannelWaitForEachOtherAndAnotherChannelDoesNot) {
  EXPECT_EQ(host.forward(0, 1, 80, 1000), 1110U);
  EXPECT_EQ(host.forward(0, 1, 80, 1000), 1120U);
  EXPECT_EQ(host.forward(0, 1, 160, 1004), 1140U);
  EXPECT_EQ(host.forward(1, 1, 80, 1004), 1114U);
  EXPECT_EQ(host.forward(0, 1, 80, 1040), 1150U);  // free again at that time
}

TEST_F(Forwarding, CountsWhatItCopiedAndHowLongItWaited) {
  EXPECT_EQ(host.stats(0).packets, 0U);
  EXPECT_EQ(host.stats(0).bytes, 0U);
  EXPECT_EQ(host.stats(0).busy, 0U);
  EXPECT_EQ(host.stats(0).waited, 0U);
  EXPECT_EQ(host.stats(0).most_queued, 0U);
  host.forward(0, 1, 80, 1000);   // starts at 1000
  host.forward(0, 1, 80, 1000);   // at 1010
  host.forward(0, 1, 160, 1004);  // at 1020; the first one is being copied
  host.forward(0, 1, 80, 1040);
  const HostForwarder::Stats& stats = host.stats(0);
  EXPECT_EQ(stats.packets, 4U);
  EXPECT_EQ(stats.bytes, 400U);
  EXPECT_EQ(stats.busy, 10 + 10 + 20 + 10U);
  EXPECT_EQ(stats.waited, 10 + 16U);
  EXPECT_EQ(stats.most_queued, 2U);
  EXPECT_EQ(host.stats(1).packets, 0U);
  EXPECT_EQ(host.channels(), 2U);
}

}  // namespace
}  // namespace tvp::pim
