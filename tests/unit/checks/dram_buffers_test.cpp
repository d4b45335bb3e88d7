#include "platform/checks/record/dram_buffers.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

constexpr noc::Node kFirst{0, 0}, kFirstToo{0, 1}, kSecond{5, 0}, kWorker{1, 1};

/// Two channels of two banks of 1 KiB each, one bank after the other in the channel.
foundation::ChipSpec two_channels() {
  foundation::ChipSpec spec;
  const std::vector<foundation::DramBank> banks = {{0, 0, 0, 1024}, {0, 0, 1024, 1024}};
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

TEST_F(DramBuffersTest, RivalsWriteOtherDataWithoutASignalInBetween) {
  buffers_.set(128, kSixPages);
  DramBuffers::Command first{.cycle = 10, .x = 1, .y = 1, .sample = 5, .moment = 3, .heard = 1};
  EXPECT_FALSE(buffers_.written(kFirst, 128, 32, "", first));
  DramBuffers::Command other{.cycle = 12, .x = 2, .y = 1, .sample = 6, .moment = 4, .heard = 3};
  DramBuffers::Command equal = other, heard = other, same_tile = other;
  equal.sample = 5;
  heard.heard = 4;
  same_tile.x = 1;
  EXPECT_FALSE(buffers_.written(kFirst, 160, 32, "", other)) << "another page";
  for (const DramBuffers::Command& right : {equal, heard, same_tile}) {
    EXPECT_FALSE(buffers_.written(kFirst, 128, 16, "", right));
    buffers_.set(128, kSixPages);
    EXPECT_FALSE(buffers_.written(kFirst, 128, 32, "", first));
  }
  const auto rival = buffers_.written(kFirst, 144, 16, "", other);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->cycle, 10U);
  EXPECT_EQ(buffers_.page_text(kFirst, 144), "page 0 of the buffer at 0x80");
  EXPECT_EQ(buffers_.page_text(kFirst, 1000), "");
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

TEST_F(DramBuffersTest, OtherNodesAreIgnored) {
  buffers_.set(128, kSixPages);
  EXPECT_EQ(buffers_.beyond(kWorker, 512, 32), "");
  EXPECT_EQ(buffers_.beyond(kFirst, 4096, 32), "");  // behind the channel's banks
}

TEST_F(DramBuffersTest, PagesAreUnwrittenUntilTheirFirstWrite) {
  buffers_.set(128, kSixPages);
  const auto page = [&](noc::Node at, std::uint64_t address, std::uint32_t bytes) {
    const auto found = buffers_.unwritten(at, address, bytes);
    return found ? static_cast<int>(found->page) : -1;
  };
  EXPECT_EQ(page(kFirst, 128, 64), 0);
  buffers_.written(kFirst, 136, 8);
  EXPECT_EQ(page(kFirst, 128, 32), -1);
  EXPECT_EQ(page(kFirst, 128, 64), 4);  // the next one of that bank
  buffers_.written(kFirst, 160, 32);
  EXPECT_EQ(page(kFirst, 128, 64), -1);
  EXPECT_EQ(page(kSecond, 128, 32), 2);
  EXPECT_EQ(page(kSecond, 160, 32), -1);  // the buffer has no such page
  EXPECT_EQ(page(kFirst, 512, 32), -1);   // no buffer is there
  EXPECT_EQ(buffers_.unwritten(kSecond, 128, 32)->buffer, 128U);
  for (const std::uint64_t word : {128, 160, 128})
    buffers_.given(word, "a core", [] { return std::string("writer.cpp"); });
  EXPECT_EQ(buffers_.unwritten(kSecond, 128, 32)->given,
            std::vector<std::string>{"a core (writer.cpp)"});
  const std::uint64_t made_at = buffers_.unwritten(kSecond, 128, 32)->made_at;
  buffers_.set(128, {64, 0, 0, 4});
  EXPECT_GT(buffers_.unwritten(kFirst, 128, 32)->made_at, made_at);
  buffers_.written(kSecond, 160, 4);
  EXPECT_EQ(page(kFirst, 128, 64), -1);  // a buffer without pages counts as written after any write
}

TEST_F(DramBuffersTest, OfMorePagesThanThereCanBeNoneIsKept) {
  buffers_.set(128, {64, ~0U, 1, ~0U});
  EXPECT_FALSE(buffers_.unwritten(kFirst, 128, 64));
  buffers_.written(kFirst, 128, 64);
}

/// Commands of the core at (1, 1).
DramBuffers::Command at_cycle(support::Cycle cycle) {
  return {.cycle = cycle, .x = 1, .y = 1, .core = support::BusMaster::kB, .pc = 0x40};
}

TEST_F(DramBuffersTest, TheLatestWriterOfAByteIsKnown) {
  buffers_.set(128, kSixPages);
  EXPECT_FALSE(buffers_.origin(kFirst, 512));
  ASSERT_TRUE(buffers_.origin(kFirst, 128));
  EXPECT_EQ(buffers_.origin(kFirst, 128)->writer, nullptr);
  buffers_.written(kFirst, 128, 64, {}, at_cycle(5));  // pages 0 and 4
  buffers_.written(kFirst, 160, 16, {}, at_cycle(7));  // half of page 4
  EXPECT_EQ(buffers_.origin(kFirst, 159)->writer->cycle, 5U);
  EXPECT_EQ(buffers_.origin(kFirst, 160)->writer->cycle, 7U);
  EXPECT_EQ(buffers_.origin(kFirst, 176)->writer->cycle, 5U);
  EXPECT_EQ(buffers_.origin(kFirst, 176)->writer->bytes, 64U);
  EXPECT_EQ(buffers_.origin(kSecond, 128)->writer, nullptr);
}

TEST_F(DramBuffersTest, APageThatIsWrittenInPartHasAWriterOfOtherBytes) {
  buffers_.set(128, kSixPages);
  buffers_.written(kSecond, 128, 16, {}, at_cycle(5));
  const auto origin = buffers_.origin(kSecond, 128 + 16);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->writer, nullptr);
  ASSERT_NE(origin->neighbor, nullptr);
  EXPECT_EQ(origin->neighbor->cycle, 5U);
}

TEST_F(DramBuffersTest, BytesThatTheHostOverwritesHaveNoWriter) {
  buffers_.set(128, kSixPages);
  buffers_.written(kSecond, 128, 32, {}, at_cycle(5));
  buffers_.written(kSecond, 128, 32);
  EXPECT_EQ(buffers_.origin(kSecond, 128)->writer, nullptr);
  EXPECT_EQ(buffers_.origin(kSecond, 128)->neighbor, nullptr);
  buffers_.written(kSecond, 128, 32, {}, at_cycle(8));
  buffers_.set(128, kSixPages);  // another buffer
  EXPECT_EQ(buffers_.origin(kSecond, 128)->writer, nullptr);
}

TEST_F(DramBuffersTest, BuffersWithoutPagesHaveWritersToo) {
  buffers_.set(128, {64, 0, 0, 4});
  buffers_.written(kSecond, 128, 32, {}, at_cycle(5));
  EXPECT_EQ(buffers_.origin(kSecond, 130)->writer->cycle, 5U);
  EXPECT_EQ(buffers_.origin(kSecond, 160)->writer, nullptr);
}

}  // namespace
}  // namespace tvp::checks
