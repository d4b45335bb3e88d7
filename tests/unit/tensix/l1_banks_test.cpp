#include "models/tensix/tile/l1_banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "foundation/random.h"

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

/// Says the same in the fewest words: which kinds want which bank in each cycle there ever was.
class PlainBanks {
 public:
  support::Cycle pass(const Stream& stream) {
    support::Cycle at = stream.begin;
    for (std::uint32_t word = 0; word < stream.words; word += stream.lanes, at += stream.turn) {
      bool late = false;
      for_banks(stream, word, [&](unsigned bank) {
        if (!met(stream, bank, at)) return;
        lost_[bank] = !lost_[bank];
        late |= lost_[bank];
      });
      at += late ? 1 : 0;
      use(stream, word, at);
    }
    return at;
  }
  void hold(const Stream& stream) {
    support::Cycle at = stream.begin;
    for (std::uint32_t word = 0; word < stream.words; word += stream.lanes, at += stream.turn) {
      use(stream, word, at);
    }
  }

 private:
  template <typename Action>
  static void for_banks(const Stream& stream, std::uint32_t word, const Action& action) {
    for (std::uint32_t w = word; w < std::min(word + stream.lanes, stream.words); ++w) {
      action((stream.word + w) % L1Banks::kBanks);
    }
  }
  bool met(const Stream& stream, unsigned bank, support::Cycle at) const {
    for (support::Cycle c = at; c < at + stream.turn; ++c) {
      for (unsigned kind = 0; kind < kKinds; ++kind) {
        if (kind != static_cast<unsigned>(stream.kind) && used_.contains({c, bank, kind}))
          return true;
      }
    }
    return false;
  }
  void use(const Stream& stream, std::uint32_t word, support::Cycle at) {
    for_banks(stream, word, [&](unsigned bank) {
      for (support::Cycle c = at; c < at + stream.turn; ++c) {
        used_[{c, bank, static_cast<unsigned>(stream.kind)}] = true;
      }
    });
  }

  static constexpr unsigned kKinds = static_cast<unsigned>(L1Banks::Kind::kCount);
  std::map<std::tuple<support::Cycle, unsigned, unsigned>, bool> used_;
  std::array<bool, L1Banks::kBanks> lost_{};
};

TEST(L1Banks, RandomStreamsInOrderOfTimeTakeWhatPlainBanksSay) {
  foundation::Random random(907);
  for (unsigned run = 0; run < 300; ++run) {
    L1Banks banks;
    PlainBanks plain;
    support::Cycle begin = random.below(5000);
    for (unsigned i = 0; i < 40; ++i) {
      Stream stream;
      stream.kind = static_cast<L1Banks::Kind>(random.below(3));
      stream.word = static_cast<std::uint32_t>(random.below(100'000));
      stream.words = static_cast<std::uint32_t>(random.below(40));
      stream.lanes = static_cast<std::uint32_t>(1 + random.below(4));
      stream.turn = 1 + random.below(3);
      begin += random.below(4) == 0 ? random.below(1500) : random.below(20);
      stream.begin = begin;
      if (random.below(3) == 0) {
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
  // From bank 0 on unless somebody says where.
  banks.hold({.word = 0, .words = 1, .begin = 100});
  EXPECT_EQ(banks.pass({.kind = kPacker, .words = 1, .begin = 100}), 102u);
}

// A stream is met where it is remembered, 1024 cycles before the latest, and not a cycle earlier.
TEST(L1Banks, RemembersSoManyCycles) {
  for (const support::Cycle before : {1022u, 1023u, 1024u, 1025u, 1026u, 2048u}) {
    for (const bool latest_first : {false, true}) {
      L1Banks banks;
      const support::Cycle latest = 10'000;
      for (const bool latest_now : {latest_first, !latest_first}) {
        const Stream stream = {.word = latest_now ? 1u : 0u,
                               .words = 1,
                               .begin = latest_now ? latest : latest - before};
        banks.hold(stream);
        banks.hold(stream);  // beside it, so that both are written down
      }
      const Stream late{.kind = kPacker, .words = 1, .begin = latest - before};
      EXPECT_EQ(banks.pass(late), late.begin + (before < 1024 ? 2 : 1)) << before;
    }
  }
}

}  // namespace
}  // namespace tvp::tensix
