#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/support/heard_times.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// The reads of L1 by a tile's cores that a packet can still meet: each recorded load and line of
/// code, and the polls of sleeping cores.
///
/// A core's reads come in order. A core fetches code ahead of other agents, perhaps before the
/// packet is known that meets it. Therefore each line is recorded, and searched only where a packet
/// is announced. Reads that can still be asked for are never dropped.
class L1Reads {
 public:
  using Cycle = support::Cycle;
  using Banks = std::uint16_t;  ///< one bit for each bank
  static constexpr unsigned kCores = 5;
  /// Number of cycles in a result, each with the banks that are read.
  static constexpr unsigned kCycles = 64;
  using Found = std::array<Banks, kCycles>;
  /// A read in a turn of a poll, relative to the beginning of the turn.
  struct Polled {
    Cycle offset = 0;
    unsigned bank = 0;
  };

  /// Records a read.
  void note(unsigned core, unsigned bank, Cycle at) {
    Notes& notes = notes_[core];
    notes.reads[notes.count++] = at << kBankBits | bank;
  }
  /// True if a read must be dropped before the next one is recorded.
  bool is_full(unsigned core) const { return notes_[core].count == notes_[core].reads.size(); }
  /// Drops reads that cannot be asked for any more.
  void forget(unsigned core, const support::HeardTimes& heard, Cycle asked_from);
  /// The core was reset, so its reads from this cycle on do not happen.
  void forget_from(unsigned core, Cycle at);

  /// Begins a poll that continues until polls_no_more().
  std::vector<Polled>& polls(unsigned core, Cycle since, Cycle period,
                             const support::HeardTimes& heard, Cycle asked_from);
  /// False if the core does not poll.
  bool polls_no_more(unsigned core, Cycle until);

  /// Finds the reads in the announced cycles from `begin` to before `end`, at most kCycles. False
  /// if there are none.
  bool find(Cycle begin, Cycle end, const support::HeardTimes& heard, Found& found) const;

 private:
  static constexpr unsigned kBankBits = 4;
  /// Most lines that a core fetches ahead of other agents. These are the lines of a page of code,
  /// which it leaves by a jump or at its end, and those of 64 cycles.
  static constexpr std::size_t kMostAhead = 1024;

  struct Notes {
    std::vector<std::uint64_t> reads;  ///< cycle and bank; a ring with spare room
    std::size_t count = 0;

    auto begin() const { return reads.begin(); }
    auto end() const { return reads.begin() + static_cast<std::ptrdiff_t>(count); }
  };
  struct Poll {
    Cycle since = 0, until = 0;
    Cycle period = 1;
    std::vector<Polled> reads;

    bool find(Cycle begin, Cycle end, Cycle base, Found& found) const;
  };
  bool find_in(Cycle begin, Cycle end, Cycle base, Found& found) const;

  std::array<Notes, kCores> notes_;
  std::array<std::vector<Poll>, kCores> polls_;
  std::array<std::size_t, kCores> present_{};  ///< the latest poll of each core
};

}  // namespace tvp::riscv
