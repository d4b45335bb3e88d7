#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// A burst that is wanted.
struct TrafficRequest {
  MemCycle not_before = 0;
  std::uint64_t address = 0;
  bool write = false;
};

/// Where requests come from: a pattern or a trace.
class TrafficSource {
 public:
  virtual ~TrafficSource() = default;
  /// The next request, in order of their times; false at the end.
  virtual bool next(TrafficRequest& request) = 0;
};

}  // namespace tvp::dram
