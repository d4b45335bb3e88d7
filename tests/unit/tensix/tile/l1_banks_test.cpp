#include "models/tensix/tile/l1_banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "foundation/random.h"

namespace tvp::tensix {
namespace {

using Stream = L1Banks::Stream;
constexpr auto kPacker = L1Banks::Kind::kPacker;
constexpr auto kUnpacker = L1Banks::Kind::kUnpacker;
constexpr std::array<std::uint8_t, 4> kUnpackerPorts{0, 9, 10, 11};
constexpr std::array<std::array<std::uint8_t, 1>, 4> kPackerPorts{{{8}, {1}, {2}, {3}}};

/// 32 B per cycle over all banks, from bank 0 on, like a NIU.
Stream noc(support::Cycle begin) { return {.ports = {}, .words = 16, .lanes = 2, .begin = begin}; }
/// 64 B per cycle, like an unpacker.
Stream unpacker(support::Cycle begin, std::uint32_t words = 8, std::uint32_t word = 0) {
  return {.kind = kUnpacker,
          .ports = kUnpackerPorts,
          .word = word,
          .words = words,
          .lanes = 4,
          .begin = begin};
}
Stream packer(support::Cycle begin, std::uint32_t words, std::uint32_t word = 0,
              unsigned which = 0) {
  return {
      .kind = kPacker, .ports = kPackerPorts[which], .word = word, .words = words, .begin = begin};
}
/// Packs the four faces of a tile, one packer each. Returns the cycle of the last write.
support::Cycle pack(L1Banks& banks, support::Cycle begin, std::uint32_t words_of_face) {
  support::Cycle end = 0;
  for (unsigned i = 0; i < 4; ++i)
    end = std::max(end, banks.pass(packer(begin, words_of_face, i * words_of_face, i)));
  return end;
}

TEST(L1Banks, AStreamAloneTakesItsTurns) {
  L1Banks banks;
  EXPECT_EQ(banks.pass(packer(100, 3)), 103u);
  Stream slow = packer(103, 5, 3);
  slow.turn = 2;
  EXPECT_EQ(banks.pass(slow), 113u);
  EXPECT_EQ(banks.pass(unpacker(100, 10)), 103u);
}

TEST(L1Banks, WhoMeetsANiuLosesAtFirst) {
  L1Banks banks;
  banks.hold(noc(100));  // banks 0, 1 at 100; 2, 3 at 101; 4, 5 at 102
  // Banks 0 to 3 are requested at 100 without success and read at 101; banks 4 to 7 at 102 and 103.
  EXPECT_EQ(banks.pass(unpacker(100)), 104u);
}

TEST(L1Banks, WhoLostToANiuAtABankWinsThereNext) {
  L1Banks banks;
  banks.hold(noc(100));
  EXPECT_EQ(banks.pass(unpacker(100)), 104u);
  banks.hold(noc(200));
  EXPECT_EQ(banks.pass(unpacker(200)), 202u);
  banks.hold(noc(300));
  // Banks 0 and 1 fail again, then 4 and 5, for the second time.
  EXPECT_EQ(banks.pass(unpacker(300)), 303u);
}

TEST(L1Banks, StreamsAtOtherBanksDoNotMeet) {
  L1Banks banks;
  banks.hold({.ports = {}, .word = 8, .words = 2, .begin = 100});  // bank 8 at 100, 9 at 101
  EXPECT_EQ(banks.pass(unpacker(100)), 102u);
  EXPECT_EQ(banks.pass(packer(101, 1, 16 + 8)), 102u);
}

TEST(L1Banks, PackersFallOutOfPhaseOnce) {
  L1Banks banks;
  EXPECT_EQ(banks.pass(packer(100, 32, 0, 0)), 132u);
  EXPECT_EQ(banks.pass(packer(100, 32, 32, 1)), 133u);
  EXPECT_EQ(banks.pass(packer(100, 32, 64, 2)), 134u);
  EXPECT_EQ(banks.pass(packer(100, 32, 96, 3)), 135u);
}

TEST(L1Banks, AnAdditionKeepsItsBankForItsTurn) {
  L1Banks banks;
  Stream addition = packer(103, 1);  // until 105
  addition.turn = 2;
  banks.hold({.ports = {}, .word = 15, .words = 1, .begin = 103});
  EXPECT_EQ(banks.pass(addition), 105u);
  EXPECT_EQ(banks.pass(packer(104, 1, 0, 1)), 106u);
}

TEST(L1Banks, AnAdditionGivesWayToAnUnpacker) {
  for (support::Cycle at = 100; at < 116; ++at) {  // at either port's turn
    L1Banks banks;
    Stream addition = packer(at, 1);
    addition.turn = 2;
    EXPECT_EQ(banks.pass(unpacker(at, 4)), at + 1);
    EXPECT_EQ(banks.pass(addition), at + 3);
    EXPECT_EQ(banks.pass(unpacker(at + 2, 4)), at + 3);  // also during the addition
  }
}

/// The turn advances by one port per cycle.
TEST(L1Banks, UnpackersAndPackersTakeTurns) {
  for (const bool packer_first : {true, false}) {
    L1Banks banks;
    // At cycle 16 the order of ports begins with 0, at cycle 17 with 1.
    const support::Cycle at = packer_first ? 17 : 16;
    banks.hold({.ports = {}, .word = 15, .words = 1, .begin = at});
    EXPECT_EQ(banks.pass(packer(at, 1)), at + 1);
    EXPECT_EQ(banks.pass(unpacker(at, 4)), at + (packer_first ? 2 : 1));
  }
  L1Banks banks;
  EXPECT_EQ(banks.pass(unpacker(16, 4)), 17u);
  EXPECT_EQ(banks.pass(packer(16, 1)), 18u);  // it loses arbitration
  EXPECT_EQ(banks.pass(unpacker(33, 4)), 34u);
  EXPECT_EQ(banks.pass(packer(33, 1)), 34u);
}

/// On silicon, packing a tile of BF16 delays an unpacker by 16 cycles, one of FP32 by 28:
/// perf_matmul of tt-llk's tests, three and four tiles wide.
TEST(L1Banks, APackedTileCostsAnUnpackerWhatItDoesOnSilicon) {
  const struct {
    std::uint32_t words_of_face;
    double lost;
  } kTiles[] = {{32, 16}, {64, 28}};
  for (const auto& tile : kTiles) {
    L1Banks banks;
    constexpr int kTilesPacked = 40;
    support::Cycle packed = 1000, unpacked = 1000;
    std::uint64_t words = 0;
    for (int i = 0; i < kTilesPacked; ++i) {
      const support::Cycle from = packed;
      packed = pack(banks, from, tile.words_of_face) + 2;
      for (; unpacked < packed; words += 128) unpacked = banks.pass(unpacker(unpacked, 128));
    }
    const double lost =
        (static_cast<double>(unpacked - 1000) - static_cast<double>(words) / 4) / kTilesPacked;
    EXPECT_NEAR(lost, tile.lost, 4) << tile.words_of_face;
  }
}

// Two rows of two words, four words apart: banks 0, 1, 4 and 5, then 8, 9, 12 and 13.
TEST(L1Banks, RowsThatLieApartMeetPackersWhereTheyLie) {
  const auto beside = [](std::uint32_t packed) {
    L1Banks banks;
    banks.pass(packer(100, 2, packed));
    Stream rows = unpacker(100, 8);
    rows.of_row = 2;
    rows.between_rows = 2;
    return banks.pass(rows);
  };
  // The turn depends on the cycle: in cycle 100, ports 0 and 9 come after port 8.
  EXPECT_EQ(beside(0), 103u);
  EXPECT_EQ(beside(4), 103u);
  EXPECT_EQ(beside(2), 102u);
  EXPECT_EQ(beside(6), 102u);
}

TEST(L1Banks, AnUnpackerPaysLaterForPackersThatCameLater) {
  L1Banks banks;
  EXPECT_EQ(banks.pass(unpacker(1000, 128)), 1032u);
  pack(banks, 1000, 32);
  EXPECT_GT(banks.pass(unpacker(1032, 128)), 1064u + 8);
  // After a long enough time it does not.
  EXPECT_EQ(banks.pass(unpacker(1200, 128)), 1232u);
}

TEST(L1Banks, OneThatWaitsForNobodyIsMetAllTheSame) {
  L1Banks banks;
  banks.hold(noc(100));
  banks.hold(noc(100));  // in parallel
  EXPECT_EQ(banks.pass(packer(107, 1, 14)), 109u);
}

TEST(L1Banks, WhatIsOverIsForgotten) {
  L1Banks banks;
  banks.hold({.ports = {}, .words = 400, .begin = 0});
  EXPECT_EQ(banks.pass(packer(0, 1)), 2u);  // the record begins here
  banks.hold(noc(1024));                    // the same entries of the record
  EXPECT_EQ(banks.pass(packer(1024, 1, 8)), 1025u);
  EXPECT_EQ(banks.pass(unpacker(5000)), 5002u);
}

TEST(L1Banks, AStreamFromLongBeforeTheLatestMeetsNobody) {
  L1Banks banks;
  banks.hold(noc(100000));
  banks.hold(noc(100000));
  EXPECT_EQ(banks.pass(packer(10, 2)), 12u);
  EXPECT_EQ(banks.pass(unpacker(100000, 4)), 100002u);
}

/// A simple model of packers and NIUs, which searches all requests for each bank in every cycle.
class PlainBanks {
 public:
  support::Cycle pass(const Stream& stream) {
    support::Cycle at = stream.begin;
    for (std::uint32_t word = 0; word < stream.words; ++word, at += stream.turn) {
      const unsigned bank = (stream.word + word) % L1Banks::kBanks;
      while (packers_.contains({at, bank})) ++at;
      if (nius_.contains({at, bank})) {
        lost_[bank] = !lost_[bank];
        if (lost_[bank]) ++at;
      }
      for (support::Cycle c = at; c < at + stream.turn; ++c) packers_[{c, bank}] = true;
    }
    return at;
  }
  void hold(const Stream& stream) {
    support::Cycle at = stream.begin;
    for (std::uint32_t word = 0; word < stream.words; word += stream.lanes, at += stream.turn) {
      for (std::uint32_t w = word; w < std::min(word + stream.lanes, stream.words); ++w) {
        for (support::Cycle c = at; c < at + stream.turn; ++c)
          nius_[{c, (stream.word + w) % L1Banks::kBanks}] = true;
      }
    }
  }

 private:
  std::map<std::pair<support::Cycle, unsigned>, bool> packers_, nius_;
  std::array<bool, L1Banks::kBanks> lost_{};
};

TEST(L1Banks, RandomPackersInOrderOfTimeTakeWhatPlainBanksSay) {
  foundation::Random random(907);
  for (unsigned run = 0; run < 300; ++run) {
    L1Banks banks;
    PlainBanks plain;
    support::Cycle begin = random.below(5000);
    for (unsigned i = 0; i < 40; ++i) {
      Stream stream = packer(0, 0, 0, static_cast<unsigned>(random.below(4)));
      stream.word = static_cast<std::uint32_t>(random.below(100'000));
      stream.words = static_cast<std::uint32_t>(random.below(40));
      stream.turn = 1 + random.below(3);
      begin += random.below(4) == 0 ? random.below(1500) : random.below(20);
      stream.begin = begin;
      if (random.below(3) == 0) {
        stream.kind = L1Banks::Kind::kNiu;
        stream.lanes = static_cast<std::uint32_t>(1 + random.below(4));
        banks.hold(stream);
        plain.hold(stream);
      } else {
        ASSERT_EQ(banks.pass(stream), plain.pass(stream)) << "run " << run << ", stream " << i;
      }
    }
  }
}

TEST(L1Banks, AStreamOfNothingIsNowhere) {
  L1Banks banks;
  EXPECT_EQ(banks.pass({}), 0u);
  // Starts at bank 0 by default.
  banks.hold({.ports = {}, .word = 0, .words = 1, .begin = 100});
  EXPECT_EQ(banks.pass(packer(100, 1)), 102u);
}

// The record covers exactly 1024 cycles before the latest one.
TEST(L1Banks, RemembersSoManyCycles) {
  for (const support::Cycle before : {1022u, 1023u, 1024u, 1025u, 1026u, 2048u}) {
    for (const bool latest_first : {false, true}) {
      L1Banks banks;
      const support::Cycle latest = 10'000;
      for (const bool latest_now : {latest_first, !latest_first}) {
        const Stream stream = {.ports = {},
                               .word = latest_now ? 1u : 0u,
                               .words = 1,
                               .begin = latest_now ? latest : latest - before};
        banks.hold(stream);
        banks.hold(stream);  // in parallel, so that both are recorded
      }
      const Stream late = packer(latest - before, 1);
      EXPECT_EQ(banks.pass(late), late.begin + (before < 1024 ? 2 : 1)) << before;
    }
  }
}

}  // namespace
}  // namespace tvp::tensix
