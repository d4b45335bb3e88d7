#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

class Core;

enum class CoreState : std::uint8_t {
  kInReset,
  kRunning,
  kSleepingOnPoll,  ///< in a poll loop, until a watched location changes
  kSpinning,        ///< in a loop that changes nothing and reads nothing that could end it
  kBlocked,         ///< a FIFO or synchronization register does not respond
  kPaused,          ///< a debugger, ebreak, ecall or stop_at_odd_store has paused it
  kHung,            ///< a load never gets a response
};
const char* to_string(CoreState state);
/// The reason why a core in kSpinning hangs, for reports.
inline constexpr const char* kSpinsForEver =
    "its loop changes nothing and reads nothing that could end it";

/// Observes the states of a core, for wave files. Costs nothing while a core runs.
class CoreStateListener {
 public:
  virtual ~CoreStateListener() = default;
  /// The core is in `state` from cycle `when` on. That can be ahead of the tile (see
  /// Core::kRunAhead); only a reset can then follow with an earlier cycle.
  virtual void core_state(const Core& core, CoreState state, support::Cycle when) = 0;
};

/// One executed instruction, as observers see it.
struct Commit {
  std::uint32_t pc = 0;
  std::uint32_t word = 0;
  support::Cycle cycle = 0;      ///< earliest cycle at which it could enter the integer unit
  std::uint8_t rd = 0;           ///< 0: writes no register
  std::uint32_t value = 0;       ///< new value of rd
  std::uint8_t load_bytes = 0;   ///< 0: no load
  std::uint8_t store_bytes = 0;  ///< 0: no store
  std::uint32_t address = 0;
  std::uint32_t stored = 0;
};

/// Observes every instruction of a core: a trace, a commit log, a debugger. An observer never
/// changes simulated time. A call may block, since nothing else happens meanwhile. A debugger may
/// change registers, the pc, breakpoints and observers in the call.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void committed(const Core&, const Commit&) {}
  /// True stops the core before the instruction at pc.
  virtual bool stop_before(const Core&, std::uint32_t /*pc*/) { return false; }
  /// True if an ebreak or ecall pauses the core for this observer; otherwise it is a firmware
  /// fault.
  virtual bool handles_break(const Core&, std::uint32_t /*pc*/) { return false; }
  /// True if the core executes its polls, so that the observer sees each iteration.
  virtual bool wants_polls() const { return true; }
};

/// Receives a call when a core reaches a breakpoint. The rules for observers apply in the call.
class BreakpointListener {
 public:
  virtual ~BreakpointListener() = default;
  /// The instruction at pc is next. Breakpoints of other cores cost nothing.
  virtual void at_breakpoint(Core& core) = 0;
};

}  // namespace tvp::riscv
