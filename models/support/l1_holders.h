#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/support/heard_times.h"
#include "models/support/time.h"

namespace tvp::support {

/// The accesses that keep NIUs from banks of L1: narrow writes, which are read-modify-write and
/// take five cycles, and reads of cores, which take one cycle each (ISA TensixTile/L1.md).
class L1Holders {
 public:
  /// Consecutive words of 16 bytes, a fixed number in each cycle from `begin` on.
  struct Stream {
    std::uint32_t word = 0;
    std::uint32_t words = 0;
    std::uint32_t lanes = 1;
    Cycle begin = 0;
    std::uint16_t refused = 0;  ///< bit i: the NIU lost to the latest read at bank i

    Cycle turns() const { return (words + lanes - 1) / lanes; }
    void pass(std::uint32_t turns_done, Cycle next) {
      const std::uint32_t done = turns_done * lanes < words ? turns_done * lanes : words;
      word += done;
      words -= done;
      begin = next;
    }
  };

  virtual ~L1Holders() = default;
  /// Passes the words of the stream that ask for their banks before cycle `until`, each when its
  /// bank is free. The stream then holds the remaining words and begins when the first of them
  /// asks. `until` is not later than the tile's progress. With kNever the call gives a bound from
  /// the known accesses, which is never too late.
  virtual void pass(Stream& stream, Cycle until) = 0;
  /// End of all known accesses that hold a bank.
  Cycle held_until() const { return pollers_ != 0 ? kNever : held_until_; }

  // Accesses without waits must be reported only while a packet arrives that can meet them.

  void packet_begins(Cycle now) {
    latest_ = now;
    heard_.forget(asked_from());
    heard_.begins(now);
  }
  void packet_ends(Cycle now) {
    latest_ = now;
    heard_.ends(now);
  }
  bool hears(Cycle c) const { return heard_.hears(c); }
  /// `from` is the start of the first stream whose passing is still to be asked for; kNever while
  /// none waits.
  void add_stream(const Cycle& from) { streams_.push_back(&from); }

 protected:
  /// Times before this will not be asked for any more.
  Cycle asked_from() const {
    Cycle from = latest_ - std::min(latest_, kLookBack);
    for (const Cycle* stream : streams_) from = std::min(from, *stream);
    return from;
  }

  Cycle held_until_ = 0;
  unsigned pollers_ = 0;  ///< agents that read repeatedly, without a known end
  HeardTimes heard_;

 private:
  /// A packet of 256 flits may be announced when its last flit arrives, by a network that its tile
  /// was ahead of.
  static constexpr Cycle kLookBack = 512;
  Cycle latest_ = 0;
  std::vector<const Cycle*> streams_;
};

}  // namespace tvp::support
