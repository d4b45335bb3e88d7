#include "models/tensix/tile/pc_buffers.h"

#include <gtest/gtest.h>

namespace tvp::tensix::pc_buffers_test {
namespace {

using support::MmioAccess;

struct FakeStatus : ThreadStatus {
  bool idle = true;
  bool mop_done = true;
  bool thread_idle(unsigned) const override { return idle; }
  bool mop_expander_done(unsigned) const override { return mop_done; }
};

class PcBuffersTest : public ::testing::Test {
 protected:
  MmioAccess b(unsigned thread, bool write, std::uint32_t value = 0) {
    MmioAccess a{.write = write, .data = value};
    buffers.access_from_b(thread, a);
    return a;
  }
  MmioAccess t(unsigned thread, bool write = false) {
    MmioAccess a{.write = write};
    buffers.access_from_t(thread, a);
    return a;
  }
  MmioAccess sync(unsigned which, bool write = false) {
    MmioAccess a{.write = write};
    buffers.access_sync(0, which, a);
    return a;
  }
  FakeStatus status;
  support::WatchHub hub;
  PcBuffers buffers{status, hub};
};

TEST_F(PcBuffersTest, ValuesArriveInOrderAndSixteenFit) {
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_FALSE(b(1, true, i).blocked);
  EXPECT_TRUE(b(1, true, 16).blocked);
  EXPECT_FALSE(b(2, true, 99).blocked);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(t(1).data, i);
  EXPECT_TRUE(t(1).blocked);
}

TEST_F(PcBuffersTest, BWaitsForEmptyFifoWaitingReaderAndIdleThread) {
  EXPECT_TRUE(b(0, false).blocked);  // no reader waits
  b(0, true, 5);
  t(0);
  EXPECT_TRUE(b(0, false).blocked);  // empty, but the reader is not waiting
  EXPECT_TRUE(t(0).blocked);
  status.idle = false;
  EXPECT_TRUE(b(0, false).blocked);
  status.idle = true;
  const MmioAccess done = b(0, false);
  EXPECT_FALSE(done.blocked);
  EXPECT_EQ(done.data, 0u);
  b(0, true, 6);
  EXPECT_TRUE(b(0, false).blocked);  // the FIFO is not empty
}

TEST_F(PcBuffersTest, OverrideForcesValueAndBusy) {
  buffers.set_override(1U | 0x5AU << 2, 0, 0);
  EXPECT_EQ(t(0).data, 0x5Au);
  EXPECT_TRUE(b(0, false).blocked);
  buffers.set_override(3U, 0, 0);
  EXPECT_FALSE(b(0, false).blocked);
  EXPECT_TRUE(t(1).blocked);  // only thread 0 is overridden
}

TEST_F(PcBuffersTest, SyncWaitsForItsPartOfTheCoprocessor) {
  status.idle = false;
  EXPECT_TRUE(sync(0).blocked);
  EXPECT_FALSE(sync(1).blocked);
  EXPECT_FALSE(sync(0, true).blocked);  // stores are dropped
  status.idle = true;
  status.mop_done = false;
  EXPECT_FALSE(sync(0).blocked);
  EXPECT_TRUE(sync(1).blocked);
  buffers.set_override(3U, 0, 0);
  EXPECT_FALSE(sync(1).blocked);
}

TEST_F(PcBuffersTest, LeavingResetEmptiesTheFifo) {
  b(2, true, 1);
  buffers.reset_reader(2, 0, 0);
  EXPECT_EQ(buffers.size(2), 0u);
}

}  // namespace
}  // namespace tvp::tensix::pc_buffers_test
