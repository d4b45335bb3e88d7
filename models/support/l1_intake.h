#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/support/l1_holders.h"

namespace tvp::support {

/// The data on its way from a link into L1 through a NIU, 32 bytes a cycle, in the order in which
/// they come. What L1 does not take at once, since somebody holds its banks, waits in the NIU, and
/// when that is full, on the link. A network that knows no full NIU does not ask; the NIU then
/// takes what comes.
class L1Intake {
 public:
  /// A NIU holds few flits (assumed: what a series of packets loses at the tiles to which it goes
  /// in turn adds up. 1 KiB to seven tiles of a row that a go signal has woken take 492 cycles in
  /// tt-metal noc_latencies.yaml, 493 here, and 461 where a NIU holds all that would come). What is
  /// sent at once comes in, whatever L1 does in the meantime: no more than this.
  static constexpr unsigned kFlits = 16;
  static constexpr std::uint32_t kLanes = 2;

  void meet(L1Holders& holders) {
    holders_ = &holders;
    holders.add_stream(asks_from_);
  }

  /// A packet with data for L1 begins to come in, and has come.
  void packet_begins(Cycle now) { holders_->packet_begins(now); }
  void packet_ends(Cycle now) { holders_->packet_ends(now); }

  // For the network.

  /// Flits that may be sent, when they take `wire` cycles to the NIU: none while some wait there.
  unsigned room(Cycle now, unsigned wire);
  /// When there is room at the earliest.
  Cycle has_room_at(Cycle now, unsigned wire) const;
  /// Words that come a flit a cycle, the first one at cycle `arrives`. In hardware the packet comes
  /// with so many cycles of `gaps` from there to its end, `gaps_behind` of these behind the words:
  /// in them it regains what it lost.
  void send(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps,
            Cycle gaps_behind = 0);

  // For the NIU.

  /// Where words go that L1 gives to the NIU and gets back from it, so many cycles later.
  struct Return {
    std::uint32_t word = 0;
    Cycle after = 0;  ///< 0: they do not come back
  };
  /// Sets the data that the NIU reads next and writes back.
  void returns(const Return& back) { return_ = back; }

  // For L1.

  Return take_return() { return std::exchange(return_, {}); }

  /// True if the network announces packets. Otherwise L1 does at their arrival.
  bool is_told() const { return told_by_network_; }
  void comes(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps = 0,
             Cycle gaps_behind = 0);
  /// Bytes that have arrived before `now`.
  std::uint32_t arrived(Cycle now) const;
  /// When L1 has taken what had arrived then: cycles from `now`, by what is known. No more than
  /// that: who waits so long asks again. It changes nothing for the network, to which the tile may
  /// be ahead.
  Cycle late(std::uint32_t arrived, Cycle now);

 private:
  struct Train {
    L1Holders::Stream left;
    Cycle ends = 0;  ///< the cycle after its last flit comes
    Cycle gaps = 0, gaps_behind = 0;
    /// When L1 is free for the next one.
    Cycle free() const {
      const Cycle own = gaps - gaps_behind;
      return left.words != 0 ? left.begin : std::max(ends, left.begin - std::min(left.begin, own));
    }
  };
  void drain(Cycle now);
  void note_first();
  /// Flits that wait, but for those that are no later than in hardware.
  unsigned waiting(unsigned wire) const;

  L1Holders* holders_ = nullptr;
  bool told_by_network_ = false;
  Return return_;
  std::vector<Train> trains_;  ///< that L1 has not taken, from first_ on
  std::size_t first_ = 0;
  Cycle free_ = 0;             ///< L1 has taken all before
  Cycle asks_from_ = kNever;   ///< when the first of those begins
  std::uint16_t refused_ = 0;  ///< of the stream that passed last
  // Flits, modulo 2^32.
  std::uint32_t sent_ = 0;
  std::uint32_t taken_ = 0;
};

}  // namespace tvp::support
