#pragma once

#include <cstdint>

#include "models/ddr/rank_control.h"

namespace tvp::ddr {

/// Receives the call when the ranks of a barrier are released.
class ReleaseListener {
 public:
  virtual ~ReleaseListener() = default;
  /// All of them may go on at this cycle.
  virtual void released(MemCycle when) = 0;
};

/// A barrier controller that stands in for that of RankControl, say RTL: it hears the request lines
/// of the ranks of a channel and speaks the words. Of one group of ranks at a time.
class ExternalBarrier {
 public:
  virtual ~ExternalBarrier() = default;
  /// These ranks wait for each other from now on; none of them is at a barrier.
  virtual void begin(std::uint32_t ranks) = 0;
  /// A rank raises its line; in order of `at`. What comes of the last one is told later, in the
  /// cycle of whoever calls or before anything happens in a later one.
  virtual void arrive(unsigned rank, MemCycle at, ReleaseListener& listener) = 0;
  /// Throws what went wrong meanwhile, if nobody has heard of it yet.
  virtual void rethrow() = 0;
};

}  // namespace tvp::ddr
