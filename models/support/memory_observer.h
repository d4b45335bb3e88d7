#pragma once

#include <cstdint>

#include "models/support/bus_access.h"
#include "models/support/probe.h"
#include "models/support/time.h"

namespace tvp::support {

/// One access of a memory. What is read and written together (an atomic, an addition in L1) is a
/// read and a write.
struct MemoryAccess {
  MemoryKind memory = MemoryKind::kL1;
  BusMaster agent = BusMaster::kDebug;  ///< kDebug: the host, in no time
  std::uint64_t address = 0;            ///< in that memory
  std::uint32_t bytes = 0;
  bool is_write = false;
  /// When the access takes effect in the model: a read sees every write of an earlier cycle.
  Cycle cycle = 0;
  /// When hardware would be done with it; not before `cycle`.
  Cycle done_cycle = 0;
};

/// Someone who looks at every access of the memories that it is attached to: a race check, a trace,
/// a heat map. Never changes time. While nobody is attached a memory pays nothing for it and gives
/// direct pointers (DMI) to whoever asks; with an observer it takes them back.
///
/// Not told: fetches of instructions, accesses of debuggers, and iterations of polls that a core
/// sleeps through (see wants_polls).
class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  virtual void accessed(const MemoryAccess& access) = 0;
  /// True if cores execute their polls, so that the observer gets each load.
  virtual bool wants_polls() const { return false; }
};

}  // namespace tvp::support
