#include "models/tensix/tile/core_mailboxes.h"

#include <gtest/gtest.h>

namespace tvp::tensix::mailboxes_test {
namespace {

using support::BusMaster;
using support::MmioAccess;

class MailboxesTest : public ::testing::Test {
 protected:
  MmioAccess write(BusMaster from, unsigned window, std::uint32_t value) {
    MmioAccess a{.write = true, .offset = window << 12, .data = value, .master = from};
    boxes.access(a);
    return a;
  }
  MmioAccess read(BusMaster to, unsigned window, std::uint32_t offset = 0) {
    MmioAccess a{.write = false, .offset = (window << 12) + offset, .master = to};
    boxes.access(a);
    return a;
  }
  support::WatchHub hub;
  CoreMailboxes boxes{hub};
};

TEST_F(MailboxesTest, EveryPairHasAFifoOfItsOwn) {
  const BusMaster cores[] = {BusMaster::kB, BusMaster::kT0, BusMaster::kT1, BusMaster::kT2};
  for (unsigned from = 0; from < 4; ++from) {
    for (unsigned to = 0; to < 4; ++to) {
      EXPECT_FALSE(write(cores[from], to, from * 10 + to).blocked);
    }
  }
  for (unsigned from = 0; from < 4; ++from) {
    for (unsigned to = 0; to < 4; ++to) {
      EXPECT_EQ(read(cores[to], from, 4).data, 1u);
      EXPECT_EQ(read(cores[to], from).data, from * 10 + to);
      EXPECT_EQ(read(cores[to], from, 4).data, 0u);
    }
  }
}

TEST_F(MailboxesTest, OrderIsKept) {
  for (std::uint32_t i = 0; i < 3; ++i) write(BusMaster::kT0, 2, i);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(read(BusMaster::kT1, 1).data, i);
}

TEST_F(MailboxesTest, AWriterHasFourPlacesInAll) {
  for (unsigned i = 0; i < 4; ++i) EXPECT_FALSE(write(BusMaster::kB, i, i).blocked);
  const MmioAccess fifth = write(BusMaster::kB, 3, 9);
  EXPECT_TRUE(fifth.blocked);
  EXPECT_EQ(fifth.watch, support::Watch::kMailbox);
  EXPECT_EQ(boxes.size(0, 3), 1u);
  EXPECT_FALSE(write(BusMaster::kT0, 3, 9).blocked);  // each writer has its own mailbox
  read(BusMaster::kT0, 0);
  EXPECT_FALSE(write(BusMaster::kB, 3, 9).blocked);
}

TEST_F(MailboxesTest, PoppingNothingBlocks) {
  const MmioAccess a = read(BusMaster::kT2, 0);
  EXPECT_TRUE(a.blocked);
  EXPECT_EQ(a.watch, support::Watch::kMailbox);
}

TEST_F(MailboxesTest, NcAndTheNocHaveNone) {
  EXPECT_TRUE(read(BusMaster::kNc, 0, 4).unmapped);
  EXPECT_TRUE(write(BusMaster::kNoc0, 0, 1).unmapped);
  EXPECT_TRUE(read(BusMaster::kB, 4, 4).unmapped);
}

TEST_F(MailboxesTest, ResettingAWriterDropsWhatItWrote) {
  write(BusMaster::kB, 1, 1);
  write(BusMaster::kT0, 1, 2);
  boxes.reset_writer(0, 0, 0);
  EXPECT_EQ(boxes.size(0, 1), 0u);
  EXPECT_EQ(boxes.size(1, 1), 1u);
}

}  // namespace
}  // namespace tvp::tensix::mailboxes_test
