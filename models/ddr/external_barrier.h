#pragma once

#include <cstdint>

#include "models/ddr/rank_control.h"

namespace tvp::ddr {

/// Receives a notification when the ranks of a barrier are released.
class ReleaseListener {
 public:
  virtual ~ReleaseListener() = default;
  /// All ranks may continue at cycle `when`.
  virtual void released(MemCycle when) = 0;
};

/// A barrier controller that replaces the one of RankControl, for example RTL. It receives the
/// request lines of the ranks of a channel and sends the words. It serves one group of ranks at a
/// time.
class ExternalBarrier {
 public:
  virtual ~ExternalBarrier() = default;
  /// These ranks form the next barrier; none of them has arrived.
  virtual void begin(std::uint32_t ranks) = 0;
  /// A rank raises its line. Calls come in order of `at`. The listener is notified of the release
  /// later: in the cycle of another call, or before any later event.
  virtual void arrive(unsigned rank, MemCycle at, ReleaseListener& listener) = 0;
  /// Throws an error of the controller that was not reported yet.
  virtual void rethrow() = 0;
};

}  // namespace tvp::ddr
