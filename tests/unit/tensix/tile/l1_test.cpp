#include "models/tensix/tile/l1.h"

#include <gtest/gtest.h>

namespace tvp::tensix {
namespace {

class L1Test : public ::testing::Test {
 protected:
  support::WatchHub hub;
  L1 l1{1464 * 1024, hub};
};

TEST_F(L1Test, BoundsAreThoseOfTheMemory) {
  EXPECT_TRUE(l1.contains(0x16DFF0, 16));
  EXPECT_FALSE(l1.contains(0x16DFF0, 17));
  EXPECT_FALSE(l1.contains(0x16E000, 1));
  EXPECT_FALSE(l1.contains(~0ULL, 2));
}

TEST_F(L1Test, AWordACycleAndPort) {
  EXPECT_EQ(l1.reserve(L1Client::kPacker0, 0, 16, true, 1, 100), 101u);
  EXPECT_EQ(l1.reserve(L1Client::kPacker0, 0, 64, true, 1, 100), 105u);  // after the first one
  EXPECT_EQ(l1.words_moved(8), 5u);
}

TEST_F(L1Test, UnalignedTransfersTouchEveryWordTheyOverlap) {
  EXPECT_EQ(l1.reserve(L1Client::kPacker0, 8, 16, false, 1, 0), 2u);
}

TEST_F(L1Test, NarrowWritesHoldThePortForFive) {
  EXPECT_EQ(l1.reserve(L1Client::kRiscB, 4, 4, true, 1, 10), 15u);
  EXPECT_EQ(l1.reserve(L1Client::kRiscB, 8, 4, false, 1, 10), 16u);  // narrow reads take one
}

TEST_F(L1Test, ANiuMoves32BytesACycleEachWay) {
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 0, 8192, true, 4, 0), 256u);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Read, 0, 8192, false, 4, 0), 256u);  // own ports
  EXPECT_EQ(l1.reserve(L1Client::kNoc1Write, 0, 8192, true, 4, 0), 256u);
}

/// All banks are occupied for some time.
struct AllBanks : support::L1Holders {
  support::Cycle from = 0;
  Stream asked;
  void hold(support::Cycle begin, support::Cycle end) {
    from = begin;
    held_until_ = end;
  }
  void pass(Stream& stream, support::Cycle until) override {
    if (asked.words == 0) asked = stream;
    while (stream.words != 0 && stream.begin < until) {
      const bool waits = from <= stream.begin && stream.begin < held_until_;
      stream.pass(1, (waits ? held_until_ : stream.begin) + 1);
    }
  }
};

TEST_F(L1Test, ANiuThatWritesWaitsForWhoHoldsBanks) {
  AllBanks holders;
  l1.meet(holders);
  holders.hold(800, 807);
  // The packet arrives during the 256 cycles before it is written.
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 64, 8192, true, 4, 1000), 1263u);
  EXPECT_EQ(holders.asked.begin, 744u);
  EXPECT_EQ(holders.asked.word, 4u);
  EXPECT_EQ(holders.asked.words, 512u);
  EXPECT_EQ(holders.asked.lanes, 2u);
  EXPECT_TRUE(l1.is_held_up(L1Client::kNoc0Write));
  EXPECT_FALSE(l1.is_held_up(L1Client::kNoc1Write));
  // Counts data that has arrived meanwhile once.
  EXPECT_EQ(l1.overdue(L1Client::kNoc1Write, 64, 1007), 0u);
  EXPECT_EQ(l1.overdue(L1Client::kNoc0Write, 64, 1007), 0u);
  // The next one follows it.
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 0, 64, true, 4, 1300), 1302u);
  EXPECT_FALSE(l1.is_held_up(L1Client::kNoc0Write));
}

TEST_F(L1Test, AHeldUpPacketIsAskedForAnewByItsAddress) {
  AllBanks holders;
  l1.meet(holders);
  holders.hold(990, 997);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 64, 512, true, 4, 1000), 1023u);
  holders.hold(1002, 1006);
  EXPECT_EQ(l1.overdue(L1Client::kNoc0Write, 64, 1007), 4u);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 1024, 512, true, 4, 1016), 1043u) << "behind it";
  EXPECT_EQ(l1.overdue(L1Client::kNoc0Write, 64, 1016), 0u);
  EXPECT_EQ(l1.overdue(L1Client::kNoc0Write, 1024, 1020), 7u);
}

TEST_F(L1Test, OthersDoNotAskWhoHoldsBanks) {
  AllBanks holders;
  l1.meet(holders);
  holders.hold(900, 3000);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Read, 0, 64, false, 4, 1000), 1002u);
  EXPECT_EQ(l1.reserve(L1Client::kPacker0, 0, 64, true, 1, 2000), 2004u);
  EXPECT_EQ(holders.asked.words, 0u);
}

TEST_F(L1Test, NarrowWritesOfANiuAreNotHeldUp) {
  AllBanks holders;
  l1.meet(holders);
  holders.hold(900, 3000);
  EXPECT_EQ(l1.reserve(L1Client::kNoc1Write, 0, 4, true, 4, 1100), 1105u);
  EXPECT_EQ(holders.asked.words, 0u);
  EXPECT_FALSE(l1.is_held_up(L1Client::kNoc1Write));
}

constexpr std::uint32_t kFrom = 0x10000;
constexpr std::uint32_t kFlit = 32;  // two of the sixteen banks

/// Cycles until a NIU has read `bytes` bytes and written them back to L1.
support::Cycle copy(L1& l1, L1Client niu, std::uint32_t to, support::Cycle after,
                    std::uint32_t bytes, support::Cycle now) {
  l1.intake(niu == L1Client::kNoc1Read ? 1 : 0).returns({.word = to / 16, .after = after});
  return l1.reserve(niu, kFrom, bytes, false, 4, now) - now;
}

TEST_F(L1Test, ANiuThatCopiesWithinL1MeetsItself) {
  // The first flit returns when the seventeenth is read from the same banks. This repeats for each
  // flit, since the gap passes with it.
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 16 * kFlit, 0), 16u);
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 17 * kFlit, 1000), 18u);
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 32 * kFlit, 2000), 33u);
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 256 * kFlit, 3000), 256u + 15);
  EXPECT_EQ(copy(l1, L1Client::kNoc1Read, 0x20000, 8, 256 * kFlit, 4000), 256u + 31);
}

TEST_F(L1Test, WhatComesBackToOtherBanksMeetsNobody) {
  for (support::Cycle after = 1; after < 32; ++after) {
    for (std::uint32_t flits = 0; flits < 8; ++flits) {
      const bool same = after % 8 == flits;
      EXPECT_EQ(copy(l1, L1Client::kNoc0Read, kFrom + flits * kFlit, after, 40 * kFlit,
                     1000 * (1 + 8 * after + flits)) > 40,
                same)
          << after << " " << flits;
    }
  }
  // With one word more, half of each flit conflicts with the previous one.
  EXPECT_GT(copy(l1, L1Client::kNoc0Read, kFrom + 16, 16, 40 * kFlit, 999000), 40u);
}

TEST_F(L1Test, ACopyMeetsWhatIsLeftOfTheOneBefore) {
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 32 * kFlit, 0), 33u);
  // From cycle 33 on, flits 17 to 32 return.
  EXPECT_EQ(copy(l1, L1Client::kNoc0Read, 0x20000, 16, 8 * kFlit, 33), 9u);
  EXPECT_EQ(copy(l1, L1Client::kNoc1Read, 0x20000, 16, 8 * kFlit, 50), 8u) << "the other NIU's";
}

TEST_F(L1Test, OnlyWhatComesBackMeetsWhatIsRead) {
  copy(l1, L1Client::kNoc0Read, 0x20000, 16, 64 * kFlit, 0);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Read, kFrom, 64 * kFlit, false, 4, 100), 164u);
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Read, kFrom, 64 * kFlit, false, 4, 164), 228u);
}

// Rows of a BF16 face, 32 B each; two rows use the four lanes of an unpacker.
TEST_F(L1Test, RowsThatLieApartComeSideBySide) {
  const auto cycles = [](std::uint32_t row_bytes, std::uint32_t stride) {
    support::WatchHub fresh_hub;
    L1 fresh{1464 * 1024, fresh_hub};
    const L1Rows rows{.address = 0x1000, .bytes = row_bytes, .count = 16, .stride = stride};
    const support::Cycle taken = fresh.reserve_rows(L1Client::kUnpacker0, rows, 4, 100) - 100;
    EXPECT_EQ(rows.cycles(4), taken);
    return taken;
  };
  EXPECT_EQ(cycles(32, 64), 8u);
  EXPECT_EQ(cycles(32, 192), 8u);
  // The banks of both rows are equal, or one of them is.
  EXPECT_EQ(cycles(32, 256), 16u);
  EXPECT_EQ(cycles(32, 512), 16u);
  EXPECT_EQ(cycles(32, 272), 16u);
  // Four 8-bit accesses pass together if no two of them conflict; 32-bit accesses pass alone.
  EXPECT_EQ(cycles(16, 64), 4u);
  EXPECT_EQ(cycles(16, 128), 8u);
  EXPECT_EQ(cycles(16, 256), 16u);
  EXPECT_EQ(cycles(64, 256), 16u);
}

TEST_F(L1Test, ALastRowAloneTakesATurn) {
  const L1Rows rows{.address = 0, .bytes = 32, .count = 5, .stride = 64};
  EXPECT_EQ(l1.reserve_rows(L1Client::kUnpacker0, rows, 4, 0), 3u);
  EXPECT_EQ(l1.words_moved(0) + l1.words_moved(9) + l1.words_moved(10) + l1.words_moved(11), 10u);
}

TEST_F(L1Test, UnpackersShareTheirExtraLanes) {
  // Alone, an unpacker moves four words per cycle; the second one waits for the shared lanes.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 256, false, 4, 0), 4u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 0, 256, false, 4, 0), 8u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 0, 16, false, 1, 8), 9u);
}

TEST_F(L1Test, UnpackersWaitAtBanksThatANiuUses) {
  EXPECT_EQ(l1.reserve(L1Client::kNoc0Write, 0x10000, 256, true, 4, 100), 108u);
  // Four words from bank 0 on conflict with its first two, the next four with its fifth and sixth.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 128, false, 4, 100), 104u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 64, false, 4, 100), 105u);  // after its own access
}

TEST_F(L1Test, PackersWaitAtBanksButANiuDoesNot) {
  // At a multiple of 16, turns start with the first port.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 64, false, 4, 96), 97u);
  EXPECT_EQ(l1.accumulate(L1Client::kPacker0, 256, 16, 2, 96), 99u);   // the same bank
  EXPECT_EQ(l1.accumulate(L1Client::kPacker3, 512, 16, 2, 98), 101u);  // it has the bank until 99
  EXPECT_EQ(l1.reserve(L1Client::kNoc1Read, 0, 64, false, 4, 98), 100u);
}

TEST_F(L1Test, CoresAreNotSeenAtTheBanks) {
  EXPECT_EQ(l1.reserve(L1Client::kRiscB, 0, 16, false, 1, 100), 101u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 64, false, 4, 100), 101u);
}

TEST_F(L1Test, ClientsOfAPortTakeTurns) {
  EXPECT_EQ(l1.reserve(L1Client::kMoverRead, 0, 160, false, 1, 0), 10u);
  // Ports take turns per word: the scalar unit's word comes second, not eleventh.
  EXPECT_EQ(l1.reserve(L1Client::kThcon, 0, 16, false, 1, 0), 2u);
  EXPECT_EQ(l1.reserve(L1Client::kThcon, 0, 64, false, 1, 4), 12u);
  EXPECT_EQ(l1.reserve(L1Client::kMoverWrite, 0, 16, true, 1, 0), 1u);  // port 3
}

TEST_F(L1Test, WhatClientsAskForTogetherTakesAsLongTogether) {
  // 64 words of a packer, 16 of an unpacker in parallel, then the packer again.
  EXPECT_EQ(l1.reserve(L1Client::kPacker1, 0, 1024, true, 1, 0), 64u);
  // Half of the banks are ahead of it.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 128, 256, false, 1, 0), 32u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 128, 256, false, 1, 32), 64u);
  EXPECT_EQ(l1.reserve(L1Client::kPacker1, 0, 1024, true, 1, 64), 160u);  // 64 + 16 + 16 + 64
}

/// It loses every fifth cycle at its own port, unless unpacker 0 uses the lanes.
TEST_F(L1Test, UnpackerOneLosesToTheScrubberWhileItIsAlone) {
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 2048, false, 4, 0), 32u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 0, 2048, false, 4, 100), 140u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 0, 2048, false, 4, 140), 180u);
  // After 24 words of the other unpacker, eight of its own 32 cycles are alone.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker0, 0, 1536, false, 4, 200), 224u);
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 0, 2048, false, 4, 200), 256u + 2);
}

TEST_F(L1Test, AnAddedWordIsALongerTurn) {
  EXPECT_EQ(l1.accumulate(L1Client::kPacker1, 0, 512, 2, 0), 64u);
  // Eight turns of 2 + 1, at banks after those of the packer.
  EXPECT_EQ(l1.reserve(L1Client::kUnpacker1, 208, 128, false, 1, 0), 24u);
  EXPECT_EQ(l1.accumulate(L1Client::kPacker0, 0, 512, 5, 1000), 1160u);
}

}  // namespace
}  // namespace tvp::tensix
