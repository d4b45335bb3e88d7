#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/support/l1_holders.h"

namespace tvp::support {

/// The data on its way from a link through a NIU into L1, a flit a cycle, in order of arrival. If
/// accesses hold the banks of L1, data waits in the NIU, and when that is full, on the link. A
/// network that does not model full NIUs never asks; the NIU then accepts all data.
class L1Intake {
 public:
  /// Flits that a NIU holds. The small number is assumed, from the accumulated delays of a series
  /// of packets to several tiles. 1 KiB to seven tiles of a row that a go signal has woken takes
  /// 492 cycles in tt-metal noc_latencies.yaml. With this value it takes 493, and 461 with an
  /// unlimited NIU. Flits already sent must be accepted whatever L1 does, so no more than this are
  /// in transit.
  static constexpr unsigned kFlits = 16;

  /// `lanes`: words in a flit.
  void meet(L1Holders& holders, std::uint32_t lanes = 2) {
    holders_ = &holders;
    lanes_ = lanes;
    holders.add_stream(asks_from_);
  }

  /// Start and end of the arrival of a packet with data for L1.
  void packet_begins(Cycle now) { holders_->packet_begins(now); }
  void packet_ends(Cycle now) { holders_->packet_ends(now); }

  // Interface for the network.

  std::uint32_t lanes() const { return lanes_; }
  /// Number of flits that may be sent if they take `wire` cycles to the NIU; 0 while flits wait
  /// there.
  unsigned room(Cycle now, unsigned wire);
  /// Earliest cycle with room.
  Cycle has_room_at(Cycle now, unsigned wire) const;
  /// Words that arrive one flit in each cycle, the first one at cycle `arrives`. In hardware the
  /// rest of the packet has `gaps` idle cycles, `gaps_behind` of them behind these words. The
  /// packet makes up for lost time in the gaps.
  void send(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps,
            Cycle gaps_behind = 0);

  // Interface for the NIU.

  /// Destination of words that the NIU reads from L1 and writes back, and the delay in cycles.
  struct Return {
    std::uint32_t word = 0;
    Cycle after = 0;  ///< 0: they do not come back
  };
  /// Announces that the NIU writes back the data that it reads next.
  void returns(const Return& back) { return_ = back; }

  // Interface for L1.

  Return take_return() { return std::exchange(return_, {}); }

  /// True if the network announces packets. Otherwise L1 announces them at their arrival.
  bool network_announces() const { return network_announces_; }
  void comes(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps = 0,
             Cycle gaps_behind = 0);
  /// Bytes that have arrived before `now`.
  std::uint32_t arrived(Cycle now) const;
  /// Cycles from `now` until L1 has taken the bytes that had arrived then, by the known accesses.
  /// This is a lower bound; the caller asks again after that time. It changes nothing for the
  /// network, which the tile may be ahead of.
  Cycle late(std::uint32_t arrived, Cycle now);

 private:
  struct Train {
    L1Holders::Stream left;
    Cycle ends = 0;  ///< cycle after the arrival of its last flit
    Cycle gaps = 0, gaps_behind = 0;
    /// Cycle at which L1 is free for the next one.
    Cycle free() const {
      const Cycle own = gaps - gaps_behind;
      return left.words != 0 ? left.begin : std::max(ends, left.begin - std::min(left.begin, own));
    }
  };
  void drain(Cycle now);
  void note_first();
  /// Waiting flits, without those that are no later than in hardware.
  unsigned waiting(unsigned wire) const;

  L1Holders* holders_ = nullptr;
  std::uint32_t lanes_ = 2;
  bool network_announces_ = false;
  Return return_;
  std::vector<Train> trains_;  ///< trains that L1 has not taken, from first_ on
  std::size_t first_ = 0;
  Cycle free_ = 0;             ///< cycle at which L1 has taken all earlier ones
  Cycle asks_from_ = kNever;   ///< start of the first of them
  std::uint16_t refused_ = 0;  ///< `refused` of the last stream that passed
  // Flits, modulo 2^32.
  std::uint32_t sent_ = 0;
  std::uint32_t taken_ = 0;
};

}  // namespace tvp::support
