#pragma once

#include <cstdint>

#include "models/riscv/debug/core_observer.h"
#include "models/riscv/execute/execution_state.h"

namespace tvp::riscv {

/// The hooks of a running core: an observer of every instruction, a listener at breakpoints, and a
/// store that ends a program. They never change simulated time.
class DebugHooks {
 public:
  DebugHooks(Core& core, ExecutionState& state) : core_(core), s_(state) {}

  void set_observer(CoreObserver* observer) { s_.observer = observer; }
  CoreObserver* observer() const { return s_.observer; }
  /// Tells `listener` whenever the core is about to execute an instruction with a breakpoint.
  void set_breakpoint_listener(BreakpointListener* listener) { listener_ = listener; }
  /// A store of an odd value that begins at `address` (L1 or local data RAM) pauses the core right
  /// behind it; even values pass. How bare test programs tell their end. Costs other stores one
  /// comparison. ExecutionState::kNoStop: none.
  void stop_at_odd_store(std::uint64_t address) {
    s_.stop_store = address;
    stop_value_ = 0;
  }
  /// The odd value that paused the core.
  std::uint32_t stop_value() const { return stop_value_; }

  // For the interpreter.
  void reset() { commit_pending_ = false; }
  /// Does not ask the observer whether to stop before the next instruction.
  void skip_next_stop() { skip_stop_ = true; }
  /// False when the observer stops the core in front of the instruction, which else is told when it
  /// is over. The observer may have sent the core elsewhere (no page), or have had enough.
  bool before(const PredecodedCode::Page& page, const Op* op, support::Cycle t);
  /// Tells the instruction that has been executed.
  void commit() {
    if (commit_pending_) tell();
  }
  /// The instruction was not executed after all. It may be tried again, without asking twice.
  void drop_commit() {
    skip_stop_ = commit_pending_;
    commit_pending_ = false;
  }
  void forget_commit() { commit_pending_ = false; }
  void at_breakpoint() { listener_->at_breakpoint(core_); }
  bool handles_break() const {
    return s_.observer != nullptr && s_.observer->handles_break(core_, s_.pc);
  }
  /// True if the value that is stored at the stop address ends the program.
  bool stops_at(std::uint32_t value) {
    stop_value_ = value;
    return (value & 1U) != 0;
  }

 private:
  void tell();

  Core& core_;
  ExecutionState& s_;
  BreakpointListener* listener_ = nullptr;
  bool skip_stop_ = false;
  bool commit_pending_ = false;
  std::uint32_t stop_value_ = 0;
  Commit commit_;
};

}  // namespace tvp::riscv
