#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// A request for a burst.
struct TrafficRequest {
  /// The event from which `not_before` counts.
  enum class From : std::uint8_t {
    kStart,   ///< cycle 0
    kIssue,   ///< the memory accepted the request before
    kAnswer,  ///< all requests before are answered
  };
  MemCycle not_before = 0;
  From from = From::kStart;
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
