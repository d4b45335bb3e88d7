#pragma once

#include <cstdint>

#include "models/riscv/debug/core_observer.h"
#include "models/riscv/execute/execution_state.h"

namespace tvp::riscv {

/// The hooks of a running core: an observer of every instruction, a listener at breakpoints, and a
/// store that ends a program. Hooks never change simulated time.
class DebugHooks {
 public:
  DebugHooks(Core& core, ExecutionState& state) : core_(core), s_(state) {}

  void set_observer(CoreObserver* observer) { s_.observer = observer; }
  CoreObserver* observer() const { return s_.observer; }
  /// Notifies `listener` whenever the next instruction has a breakpoint.
  void set_breakpoint_listener(BreakpointListener* listener) { listener_ = listener; }
  /// A store of an odd value that begins at `address` (L1 or local data RAM) pauses the core after
  /// the store. Bare test programs end like this. Even values pass. Other stores pay for one
  /// comparison. ExecutionState::kNoStop: none.
  void stop_at_odd_store(std::uint64_t address) {
    s_.stop_store = address;
    stop_value_ = 0;
  }
  /// The odd value that paused the core.
  std::uint32_t stop_value() const { return stop_value_; }

  // Interface for the interpreter.
  void reset() { commit_pending_ = false; }
  /// Does not ask the observer whether to stop before the next instruction.
  void skip_next_stop() { skip_stop_ = true; }
  /// False if the observer stops the core before the instruction. Otherwise the observer gets the
  /// instruction when it has been executed. The observer may have moved the core (no page) or
  /// removed itself.
  bool before(const PredecodedCode::Page& page, const Op* op, support::Cycle t);
  /// Reports the executed instruction to the observer.
  void commit() {
    if (commit_pending_) tell();
  }
  /// Drops the report, since the instruction was not executed. The core may try it again without
  /// asking twice.
  void drop_commit() {
    skip_stop_ = commit_pending_;
    commit_pending_ = false;
  }
  void forget_commit() { commit_pending_ = false; }
  void at_breakpoint() { listener_->at_breakpoint(core_); }
  bool handles_break() const {
    return s_.observer != nullptr && s_.observer->handles_break(core_, s_.pc);
  }
  /// True if storing the value at the stop address ends the program.
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
