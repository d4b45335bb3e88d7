#pragma once

#include <cstdint>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// Reads from the code of a tile's cores for which count of pages a poll waits.
class PollReader {
 public:
  virtual ~PollReader() = default;
  /// `read` is a kStreamRead that a core makes now. 1 + the low 16 bits of the count from which on
  /// the core leaves its loop; 0: it is in no such loop.
  virtual std::uint32_t awaited(const ProbeEvent& read) = 0;
  /// Cores may get other code.
  virtual void forget() = 0;
};

}  // namespace tvp::checks
