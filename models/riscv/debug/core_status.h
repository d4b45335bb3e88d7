#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/riscv/debug/core_observer.h"
#include "models/riscv/execute/execution_state.h"

namespace tvp::riscv {

/// For example "0x0000100c". Not inline, so that the interpreter stays small.
std::string hex(std::uint32_t value);

/// The state of a core, the start of that state, and the faults of its program.
class CoreStatus {
 public:
  CoreStatus(const Core& core, const std::string& where, ExecutionState& state,
             foundation::FaultPolicy& faults)
      : core_(core), where_(where), s_(state), faults_(faults) {}

  void set_listener(CoreStateListener* listener) { listener_ = listener; }

  void enter(CoreState state, support::Cycle when) {
    s_.state = state;
    since_ = when;
    if (listener_ != nullptr) listener_->core_state(core_, state, when);
  }
  /// Enters the state of a core in a counting loop that the platform may skip. Listeners see a
  /// running core.
  void enter_unheard(CoreState state, support::Cycle when) {
    s_.state = state;
    since_ = when;
  }
  /// Stops the core permanently at an access of `address`.
  void hang(std::uint32_t address) {
    blocked_address_ = address;
    enter(CoreState::kHung, s_.time);
  }
  void block(std::uint32_t address, support::Cycle when) {
    blocked_address_ = address;
    enter(CoreState::kBlocked, when);
  }

  /// First cycle of the current state.
  support::Cycle since() const { return since_; }
  /// Address of the access that blocks or hangs.
  std::uint32_t blocked_address() const { return blocked_address_; }
  /// Cycles up to `now` in which the core slept in polls or was blocked.
  support::Cycle waited_until(support::Cycle now) const {
    const bool waits = s_.state == CoreState::kSleepingOnPoll || s_.state == CoreState::kBlocked;
    return waits && now > since_ ? waited_ + (now - since_) : waited_;
  }
  void end_wait(support::Cycle now) { waited_ = waited_until(now); }

  const std::string& where() const { return where_; }
  /// Raises a fault of the program at its pc.
  void raise(const std::string& text);

 private:
  const Core& core_;
  const std::string& where_;
  ExecutionState& s_;
  foundation::FaultPolicy& faults_;
  CoreStateListener* listener_ = nullptr;
  std::uint32_t blocked_address_ = 0;
  support::Cycle since_ = 0;
  support::Cycle waited_ = 0;
};

}  // namespace tvp::riscv
