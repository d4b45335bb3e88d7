#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Response of a unit to an instruction that the wait gate offers.
struct Issue {
  enum class Kind : std::uint8_t {
    kStarted,  ///< executed: `unit_free` and `done` are valid
    kRetryAt,  ///< not started, nothing changed; offer again at `retry`
    kBlocked,  ///< not started, nothing changed; offer again when any state of the coprocessor,
               ///< a semaphore or the configuration changed
  };
  Kind kind = Kind::kStarted;
  Cycle unit_free = 0;  ///< first cycle at which the unit accepts another instruction
  Cycle done = 0;       ///< first cycle at which all effects are complete (STALLWAIT, TTSync)
  Cycle retry = 0;
  /// First cycle at which the issuing thread may start its next instruction on any unit; 0: the
  /// next cycle.
  Cycle thread_free = 0;
  /// Started without a change that another thread's instruction or wait could wait for.
  bool quiet = false;

  static Issue started(Cycle unit_free, Cycle done, Cycle thread_free = 0) {
    return {Kind::kStarted, unit_free, done, 0, thread_free, false};
  }
  static Issue retry_at(Cycle when) { return {Kind::kRetryAt, 0, 0, when, 0, false}; }
  static Issue blocked() { return {Kind::kBlocked, 0, 0, 0, 0, false}; }
};

/// A backend execution unit: unpacker, matrix unit, packer, …
///
/// issue() changes the state; calls come in order of time. Some results become available to others
/// later, for example a Src bank that is handed over when its last row has arrived. The state
/// itself then holds that cycle.
class ExecutionUnit {
 public:
  virtual ~ExecutionUnit() = default;
  /// `instruction` is the 32-bit word with the opcode in bits 31:24. `thread` is 0..2.
  virtual Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) = 0;
};

}  // namespace tvp::tensix::coprocessor
