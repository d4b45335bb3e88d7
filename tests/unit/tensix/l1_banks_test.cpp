#include "models/tensix/tile/l1_banks.h"

#include <gtest/gtest.h>

namespace tvp::tensix {
namespace {

using Stream = L1Banks::Stream;
constexpr auto kPacker = L1Banks::Kind::kPacker;
constexpr auto kUnpacker = L1Banks::Kind::kUnpacker;

/// 32 B a cycle over all banks, from bank 0 on, as of a NIU.
Stream noc(support::Cycle begin) { return {.words = 16, .lanes = 2, .begin = begin}; }
/// 64 B a cycle, as of an unpacker.
Stream unpacker(support::Cycle begin, std::uint32_t words = 8) {
  return {.kind = kUnpacker, .words = words, .lanes = 4, .begin = begin};
}

TEST(L1Banks, AStreamAloneTakesItsTurns) {
  L1Banks banks;
  EXPECT_EQ(banks.pass({.kind = kPacker, .words = 10, .lanes = 4, .begin = 100}), 103u);
  EXPECT_EQ(banks.pass({.kind = kPacker, .word = 3, .words = 5, .turn = 2, .begin = 103}), 113u);
}

TEST(L1Banks, WhoMeetsAnotherStreamLosesAtFirst) {
  L1Banks banks;
  banks.hold(noc(100));  // banks 0, 1 at 100; 2, 3 at 101; 4, 5 at 102
  // Banks 0 to 3 are wanted at 100, in vain, and come at 101; 4 to 7 at 102, in vain, come at 103.
  EXPECT_EQ(banks.pass(unpacker(100)), 104u);
}

TEST(L1Banks, WhoLostAtABankWinsThereNext) {
  L1Banks banks;
  banks.hold(noc(100));
  EXPECT_EQ(banks.pass(unpacker(100)), 104u);
  banks.hold(noc(200));
  EXPECT_EQ(banks.pass(unpacker(200)), 202u);
  banks.hold(noc(300));
  // Banks 0 and 1 again in vain, then 4 and 5, for the second time.
  EXPECT_EQ(banks.pass(unpacker(300)), 303u);
}

TEST(L1Banks, StreamsAtOtherBanksDoNotMeet) {
  L1Banks banks;
  banks.hold({.word = 8, .words = 2, .begin = 100});  // bank 8 at 100, 9 at 101
  EXPECT_EQ(banks.pass(unpacker(100)), 102u);
  EXPECT_EQ(banks.pass({.kind = kPacker, .word = 16 + 8, .words = 4, .lanes = 4, .begin = 101}),
            103u);
}

TEST(L1Banks, AnAdditionKeepsItsBankForItsTurn) {
  L1Banks banks;
  EXPECT_EQ(banks.pass({.kind = kPacker, .words = 1, .turn = 2, .begin = 100}), 102u);
  EXPECT_EQ(banks.pass(unpacker(101, 4)), 103u);
}

TEST(L1Banks, StreamsOfOneKindDoNotMeet) {
  L1Banks banks;
  EXPECT_EQ(banks.pass(unpacker(100)), 102u);
  EXPECT_EQ(banks.pass(unpacker(100)), 102u);
  EXPECT_EQ(banks.pass({.kind = kPacker, .words = 2, .begin = 100}), 103u);
  EXPECT_EQ(banks.pass({.kind = kPacker, .words = 2, .begin = 101}), 103u);
}

TEST(L1Banks, OneThatWaitsForNobodyIsMetAllTheSame) {
  L1Banks banks;
  EXPECT_EQ(banks.pass(unpacker(100)), 102u);
  banks.hold(noc(100));  // beside it
  EXPECT_EQ(banks.pass({.kind = kPacker, .word = 14, .words = 2, .lanes = 2, .begin = 107}), 109u);
}

TEST(L1Banks, WhatIsOverIsForgotten) {
  L1Banks banks;
  banks.hold({.words = 400, .begin = 0});
  EXPECT_EQ(banks.pass(unpacker(0)), 3u);  // written down from here on
  banks.hold(noc(1024));                   // the same places of the memory of cycles
  EXPECT_EQ(banks.pass({.kind = kPacker, .word = 8, .words = 4, .lanes = 4, .begin = 1024}), 1025u);
  EXPECT_EQ(banks.pass(unpacker(5000)), 5002u);
}

TEST(L1Banks, AStreamFromLongBeforeTheLatestMeetsNobody) {
  L1Banks banks;
  banks.hold(noc(100000));
  banks.hold(noc(100000));
  EXPECT_EQ(banks.pass(unpacker(10)), 12u);
  EXPECT_EQ(banks.pass(unpacker(100000, 4)), 100002u);
}

}  // namespace
}  // namespace tvp::tensix
