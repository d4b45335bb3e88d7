#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// A request for a burst.
struct TrafficRequest {
  MemCycle not_before = 0;
  std::uint64_t address = 0;
  bool write = false;
};

/// A source of requests: a pattern or a trace.
class TrafficSource {
 public:
  virtual ~TrafficSource() = default;
  /// The next request in order of time; false at the end.
  virtual bool next(TrafficRequest& request) = 0;
};

}  // namespace tvp::dram
