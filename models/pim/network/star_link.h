#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/support/signal.h"

namespace tvp::pim {

/// One direction of the link above a node of a star: its queue, and the slots behind it. Times are
/// in picoseconds.
struct StarLink {
  using Ps = std::uint64_t;
  struct Stats {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  ///< including headers
    Ps busy = 0;
    Ps first = 0;   ///< departure of the first byte
    Ps last = 0;    ///< departure of the last byte
    Ps waited = 0;  ///< sum of the waits of ready packets, for the link or a slot behind it
    std::size_t most_queued = 0;
  };
  /// Slots behind the link that operands of a group occupy or will occupy.
  struct GroupSlots {
    std::uint32_t group = 0;
    std::uint32_t used = 0;
  };

  unsigned from = 0;  ///< nodes of the tree
  unsigned to = 0;
  double ps_per_byte = 0;
  Ps free = 0;
  bool sending = false;
  std::deque<std::uint32_t> queue;  ///< of parcels
  std::uint32_t used = 0;           ///< occupied slots for packets and multicasts
  std::vector<GroupSlots> groups;
  std::uint32_t posted = 0;  ///< number of events, for their order
  Stats stats;
  support::LevelSignal busy;

  std::uint32_t& used_by(std::uint32_t group) {
    for (GroupSlots& slots : groups)
      if (slots.group == group) return slots.used;
    return groups.emplace_back(GroupSlots{.group = group}).used;
  }
};

}  // namespace tvp::pim
