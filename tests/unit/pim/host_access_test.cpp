// Reads and writes of banks by host programs: time on the channel, and bytes of other chips in the
// same beats, which are not moved again. DDR4-2400: tRCD 17, CL 17, CWL 12, tCCD_L 6, bursts of 4
// cycles with 8 B of each chip, 2 cycles of the controller.

#include "models/pim/host/host_access.h"

#include <gtest/gtest.h>

namespace tvp::pim::host_access_test {
namespace {

using dram::MemCycle;

/// Two banks per chip, four chips per rank, two ranks per channel, two channels.
class Access : public ::testing::Test {
 protected:
  foundation::StopOnFault faults;
  PimConfig config;
  ChannelArray channels{config, PimHierarchy::parse("bank=2 chip=4 rank=2 channel=2"),
                        *dram::find_preset("ddr4_2400"), faults};
  HostAccess host{channels};
};

TEST_F(Access, ReadsBurstByBurst) {
  EXPECT_EQ(host.access(0, 0, 1024, false, 100), 100 + 17 + 127 * 6 + 17 + 4 + 2U);
  EXPECT_EQ(host.stats().bursts, 128U);
  EXPECT_EQ(channels[0].data.stats(0).bytes, 128 * 64U);
  EXPECT_EQ(channels[1].data.stats(0).bytes, 0U);
  // ACT and 128 RD.
  EXPECT_EQ(channels[0].commands.stats().normal_slots, 129U);
}

TEST_F(Access, OtherChipsRideOnTheSameBeats) {
  const MemCycle done = host.access(0, 64, 256, false, 100);
  for (const unsigned unit : {2U, 4U, 6U}) EXPECT_EQ(host.access(unit, 64, 256, false, done), done);
  EXPECT_EQ(host.stats().bursts, 32U);
  EXPECT_EQ(host.stats().combined, 3U);
  // Bytes are reused once per chip, for that range and direction, and not after programs have run.
  EXPECT_GT(host.access(2, 64, 256, false, done), done);
  EXPECT_GT(host.access(4, 128, 256, false, done), done);
  EXPECT_GT(host.access(6, 128, 256, true, done), done);
  host.forget();
  EXPECT_GT(host.access(4, 128, 256, true, done), done);
  EXPECT_EQ(host.stats().combined, 3U);
}

TEST_F(Access, BanksAndRanksHaveBeatsOfTheirOwn) {
  const MemCycle done = host.access(0, 0, 8, false, 100);
  EXPECT_GT(host.access(1, 0, 8, false, done), done);   // the other bank of chip 0
  EXPECT_GT(host.access(8, 0, 8, false, done), done);   // rank 1
  EXPECT_GT(host.access(16, 0, 8, false, done), done);  // channel 1
  EXPECT_EQ(host.stats().bursts, 4U);
}

TEST_F(Access, WritesWithTheirOwnLatency) {
  EXPECT_EQ(host.access(0, 0, 64, true, 100), 100 + 17 + 7 * 6 + 12 + 4 + 2U);
}

TEST_F(Access, WaitsForOthersOnTheBus) {
  // Rank 1 has the data bus for 200 cycles, from 101 on, since rank 0 had it before. Then the bus
  // turns round for a write, and the rank changes.
  channels[0].take_data(1, 16 * 200, 100);
  EXPECT_EQ(host.access(0, 0, 8, true, 100), 301 + 2 + 1 + 4 + 2U);
}

TEST_F(Access, PartOfABurstTakesAllOfIt) {
  const MemCycle all = host.access(0, 0, 8, false, 100) - 100;
  host.forget();
  EXPECT_EQ(host.access(16, 4, 4, false, 100) - 100, all);
  host.access(17, 4, 8, false, 100);
  EXPECT_EQ(host.stats().bursts, 1 + 1 + 2U);
}

}  // namespace
}  // namespace tvp::pim::host_access_test
