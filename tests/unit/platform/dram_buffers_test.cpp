#include "platform/machine/dram_buffers.h"

#include <gtest/gtest.h>

namespace tvp::platform {
namespace {

constexpr noc::Node kFirst{0, 0}, kFirstToo{0, 1}, kSecond{5, 0}, kWorker{1, 1};

/// Two channels of two banks, each of 1 KiB, behind one another in the channel.
foundation::ChipSpec two_channels() {
  foundation::ChipSpec spec;
  const std::vector<foundation::DramBank> banks = {{0, 0, 1024}, {0, 1024, 1024}};
  spec.dram = {{{{0, 0}, {0, 1}}, banks, {}}, {{{5, 0}}, banks, {}}};
  return spec;
}

class DramBuffersTest : public testing::Test {
 protected:
  /// Six pages of 32 bytes: two in banks 0 and 1, one in the others.
  static constexpr DramBuffers::Buffer kSixPages{64, 6, 32, 4};

  const foundation::ChipSpec spec_ = two_channels();
  DramBuffers buffers_{spec_};
};

TEST_F(DramBuffersTest, NothingIsBeyondWithoutBuffers) {
  EXPECT_EQ(buffers_.beyond(kFirst, 512, 32), "");
}

TEST_F(DramBuffersTest, PagesGoRoundTheBanks) {
  buffers_.set(128, kSixPages);
  EXPECT_EQ(buffers_.beyond(kFirst, 128, 64), "");            // pages 0 and 4
  EXPECT_EQ(buffers_.beyond(kFirstToo, 1024 + 160, 32), "");  // page 5
  EXPECT_EQ(buffers_.beyond(kSecond, 128, 32), "");           // page 2
  EXPECT_EQ(buffers_.beyond(kSecond, 160, 32),
            "address 0xa0 of DRAM bank 2, page 6 of the buffer at 0x80, which has 6");
}

TEST_F(DramBuffersTest, OnlyTheLastByteIsBeyond) {
  buffers_.set(128, kSixPages);
  EXPECT_EQ(buffers_.beyond(kSecond, 128, 33),
            "address 0xa0 of DRAM bank 2, page 6 of the buffer at 0x80, which has 6");
  EXPECT_EQ(buffers_.beyond(kFirst, 128, 65), "address 0xc0 of DRAM bank 0, where no buffer is");
}

TEST_F(DramBuffersTest, BeforeTheFirstBufferIsNone) {
  buffers_.set(128, kSixPages);
  EXPECT_EQ(buffers_.beyond(kFirst, 127, 1), "address 0x7f of DRAM bank 0, where no buffer is");
}

TEST_F(DramBuffersTest, BuffersWithoutPagesHoldAllOfTheirBytes) {
  buffers_.set(128, {64, 0, 0, 4});
  EXPECT_EQ(buffers_.beyond(kSecond, 160, 32), "");
  EXPECT_NE(buffers_.beyond(kSecond, 192, 1), "");
}

TEST_F(DramBuffersTest, ABufferThatEndsIsForgotten) {
  buffers_.set(128, kSixPages);
  buffers_.set(512, kSixPages);
  const std::uint64_t before = buffers_.changes();
  buffers_.set(512, {});
  EXPECT_GT(buffers_.changes(), before);
  EXPECT_EQ(buffers_.beyond(kFirst, 128, 32), "");
  EXPECT_EQ(buffers_.beyond(kFirst, 512, 32), "address 0x200 of DRAM bank 0, where no buffer is");
}

TEST_F(DramBuffersTest, TheBufferBeforeIsFound) {
  buffers_.set(128, kSixPages);
  buffers_.set(512, kSixPages);
  const DramBuffers::Found found = buffers_.look_up(kFirst, 1024 + 544, 32);
  EXPECT_EQ(found.beyond, "");
  EXPECT_EQ(found.bank, 1U);
  EXPECT_EQ(found.address, 544U);
  EXPECT_EQ(found.buffer, 512U);
  EXPECT_EQ(found.before, 128U);
  EXPECT_FALSE(buffers_.look_up(kFirst, 128, 32).before);
  EXPECT_FALSE(buffers_.look_up(kWorker, 512, 32).before);
}

TEST_F(DramBuffersTest, WhatIsNoDramIsNotAsked) {
  buffers_.set(128, kSixPages);
  EXPECT_EQ(buffers_.beyond(kWorker, 512, 32), "");
  EXPECT_EQ(buffers_.beyond(kFirst, 4096, 32), "");  // behind the channel's banks
}

}  // namespace
}  // namespace tvp::platform
