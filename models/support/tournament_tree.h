#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "models/support/time.h"

namespace tvp::support {

/// A cycle for each of several players, and the player with the smallest one. The player added
/// earlier wins a tie.
class TournamentTree {
 public:
  /// A player and its cycle in one number; the smaller number is first.
  class Contender {
   public:
    Contender(Cycle when, unsigned player)
        : packed_(std::min(when, kNeverPacked) << kPlayerBits | player) {}
    Cycle when() const {
      const Cycle when = packed_ >> kPlayerBits;
      return when == kNeverPacked ? kNever : when;
    }
    unsigned player() const { return packed_ & ((1U << kPlayerBits) - 1); }
    /// Without a branch, which the host could not predict.
    static Contender first(Contender a, Contender b) {
      a.packed_ = std::min(a.packed_, b.packed_);
      return a;
    }

   private:
    static constexpr Cycle kNeverPacked = kNever >> 12;
    std::uint64_t packed_;
  };

  /// Adds a player with cycle kNever.
  void add() {
    if (players_ == 1U << kPlayerBits) throw std::length_error("TournamentTree: too many players");
    const std::vector<Contender> old(tree_.begin() + leaves_, tree_.begin() + leaves_ + players_);
    leaves_ = std::bit_ceil(++players_);
    tree_.assign(std::size_t{2} * leaves_, Contender(kNever, 0));
    for (unsigned i = 0; i < leaves_; ++i) {
      tree_[leaves_ + i] = i < old.size() ? old[i] : Contender(kNever, i);
    }
    for (unsigned node = leaves_ - 1; node >= 1; --node) {
      tree_[node] = Contender::first(tree_[2 * node], tree_[2 * node + 1]);
    }
  }

  // The current winner travels up in a register, and only the other side of each match is read.
  void set(unsigned player, Cycle when) {
    unsigned node = leaves_ + player;
    Contender best(when, player);
    tree_[node] = best;
    while (node > 1) {
      best = Contender::first(best, tree_[node ^ 1U]);
      node /= 2;
      tree_[node] = best;
    }
  }

  Cycle of(unsigned player) const { return tree_[leaves_ + player].when(); }
  Contender first() const { return tree_[1]; }
  /// The first player among all others.
  Contender first_but(unsigned player) const {
    Contender best(kNever, 0);
    for (unsigned node = leaves_ + player; node > 1; node /= 2) {
      best = Contender::first(best, tree_[node ^ 1U]);
    }
    return best;
  }

 private:
  static constexpr unsigned kPlayerBits = 12;

  /// [1] is the root, [leaves_] the first leaf.
  std::vector<Contender> tree_{Contender(kNever, 0), Contender(kNever, 0)};
  unsigned players_ = 0;
  unsigned leaves_ = 1;
};

}  // namespace tvp::support
