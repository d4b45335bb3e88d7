#include "models/support/tournament_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tvp::support {
namespace {

TEST(TournamentTree, WithoutPlayersNothingEverHappens) {
  EXPECT_EQ(TournamentTree().first().when(), kNever);
}

TEST(TournamentTree, FindsTheFirstAndTheFirstOfTheOthers) {
  for (const unsigned players : {1u, 2u, 3u, 5u, 64u, 80u}) {
    TournamentTree tree;
    std::vector<Cycle> when(players, kNever);
    for (unsigned i = 0; i < players; ++i) tree.add();
    std::minstd_rand engine(players);
    const auto random = [&engine](unsigned below) {
      return std::uniform_int_distribution<unsigned>(0, below - 1)(engine);
    };
    for (unsigned step = 0; step < 2000; ++step) {
      const unsigned player = random(players);
      when[player] = random(7) == 0 ? kNever : random(50);
      tree.set(player, when[player]);
      const auto first = std::min_element(when.begin(), when.end());
      ASSERT_EQ(tree.first().when(), *first);
      if (*first != kNever) {
        ASSERT_EQ(tree.first().player(), first - when.begin());
      }

      const unsigned left_out = random(players);
      Cycle best = kNever;
      for (unsigned i = 0; i < players; ++i) {
        if (i != left_out) best = std::min(best, when[i]);
      }
      ASSERT_EQ(tree.first_but(left_out).when(), best);
      ASSERT_EQ(tree.of(player), when[player]);
    }
  }
}

TEST(TournamentTree, PlayersKeepTheirCyclesWhenOthersJoin) {
  TournamentTree tree;
  for (unsigned i = 0; i < 9; ++i) {
    tree.add();
    EXPECT_EQ(tree.of(i), kNever);
    tree.set(i, 100 - i);
    for (unsigned k = 0; k <= i; ++k) EXPECT_EQ(tree.of(k), 100 - k);
    EXPECT_EQ(tree.first().player(), i);
  }
}

TEST(TournamentTree, RefusesMorePlayersThanItCanNumber) {
  TournamentTree tree;
  for (unsigned i = 0; i < 4096; ++i) tree.add();
  EXPECT_THROW(tree.add(), std::length_error);
}

}  // namespace
}  // namespace tvp::support
