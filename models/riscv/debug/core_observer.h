#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

class Core;

enum class CoreState : std::uint8_t {
  kInReset,
  kRunning,
  kSleepingOnPoll,  ///< a poll loop that finds nothing new until a watched location changes
  kSpinning,        ///< a loop that changes nothing and reads nothing that could ever end it
  kBlocked,         ///< a FIFO or synchronization register that does not answer
  kPaused,          ///< by a debugger, ebreak, ecall or stop_at_odd_store
  kHung,            ///< a load that is never answered
};
const char* to_string(CoreState state);
/// Why a core in kSpinning hangs, for reports.
inline constexpr const char* kSpinsForEver =
    "its loop changes nothing and reads nothing that could end it";

/// Someone who draws what a core does. Costs nothing while a core runs.
class CoreStateListener {
 public:
  virtual ~CoreStateListener() = default;
  /// The core is in `state` from cycle `when` on. That can lie ahead of the tile (see
  /// Core::kRunAhead); only a reset then still comes with an earlier cycle.
  virtual void core_state(const Core& core, CoreState state, support::Cycle when) = 0;
};

/// One executed instruction, as it is told to observers.
struct Commit {
  std::uint32_t pc = 0;
  std::uint32_t word = 0;
  support::Cycle cycle = 0;      ///< earliest cycle at which it could enter the integer unit
  std::uint8_t rd = 0;           ///< 0: no register written
  std::uint32_t value = 0;       ///< of rd
  std::uint8_t load_bytes = 0;   ///< 0: no load
  std::uint8_t store_bytes = 0;  ///< 0: no store
  std::uint32_t address = 0;
  std::uint32_t stored = 0;
};

/// Someone who looks at every instruction of a core: a trace, a commit log, a debugger. Never
/// changes time. Any call may last as long as it likes: nothing else happens meanwhile, and a
/// debugger may change registers, the pc, breakpoints and observers from inside.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void committed(const Core&, const Commit&) {}
  /// True stops the core in front of the instruction at pc.
  virtual bool stop_before(const Core&, std::uint32_t /*pc*/) { return false; }
  /// True when an ebreak or ecall pauses the core for this observer; otherwise it is a firmware
  /// fault.
  virtual bool handles_break(const Core&, std::uint32_t /*pc*/) { return false; }
  /// True if the core executes its polls, so that the observer gets each iteration.
  virtual bool wants_polls() const { return true; }
};

/// Receives the call when a core reaches a breakpoint. The rules for observers apply in the call.
class BreakpointListener {
 public:
  virtual ~BreakpointListener() = default;
  /// The instruction at pc comes next. Cores without breakpoints pay nothing for those of others.
  virtual void at_breakpoint(Core& core) = 0;
};

}  // namespace tvp::riscv
