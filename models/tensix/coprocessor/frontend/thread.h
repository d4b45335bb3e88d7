#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/frontend/frontend.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar/sync_unit.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

/// One of the three threads: its frontend, its wait gate, and the progress of its instructions.
struct Thread {
  explicit Thread(unsigned mop_fifo_depth) : frontend(mop_fifo_depth) {}

  Frontend frontend;
  WaitLatch latch;
  Cycle try_at = 0;      ///< next cycle at which the first instruction may be offered
  bool blocked = false;  ///< the unit refuses until a state changes
  std::uint64_t blocked_epoch = 0;
  Cycle free_at = 0;  ///< the scalar unit or RDCFG holds the thread until then
  Cycle done_at = 0;  ///< end of everything issued so far
  bool idle = true;
  /// Dispatch of the instruction at the gate, set at the first use.
  Dispatch dispatch;
  bool dispatched = false;

  const Dispatch& head_dispatch() {
    if (!dispatched) {
      dispatch = dispatch_of(frontend.head());
      dispatched = true;
    }
    return dispatch;
  }
  /// The gate is open again at `from`, after an instruction that is done at `done`.
  void took(Cycle from, Cycle done) {
    dispatched = false;
    try_at = from;
    done_at = done_at < done ? done : done_at;
  }
  /// True if a latched wait holds back the instruction at the gate.
  bool head_is_held() {
    return latch.valid && is_blocked_by(frontend.head(), head_dispatch(), latch.block_mask);
  }
  /// True without instructions and latched wait: no cycle needs a step.
  bool asleep() const { return idle && !latch.valid; }
};

/// FIFOs before the MOP expanders (ISA Diagrams/Src/TensixFrontend.lua).
struct Threads : std::array<Thread, kThreads> {
  Threads() : std::array<Thread, kThreads>{Thread(32), Thread(16), Thread(16)} {}
};

}  // namespace tvp::tensix::coprocessor
