#pragma once

#include <array>
#include <cstdint>

#include "models/support/signal.h"
#include "models/tensix/coprocessor/frontend/thread_activity.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar/sync_unit.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

/// A coprocessor's signals for wave files. The object exists only while waves are recorded.
class CoprocessorSignals {
 public:
  std::array<support::Signal, kThreads> thread;  ///< values of ThreadActivity
  std::array<support::LevelSignal, kUnits> unit_busy;
  std::array<support::Signal, SyncUnit::kSemaphores> semaphores;

  void issued(unsigned t, std::uint32_t instruction, Unit unit, Cycle now, Cycle done);
  /// Records the state of a thread after the step of cycle `now`. `next` is the state of the
  /// following cycle if no step comes in it.
  void thread_state(unsigned t, Cycle now, ThreadActivity state, ThreadActivity next);
  bool issues_at(unsigned t, Cycle now) const { return last_issue_[t] == now; }
  ThreadActivity last_issued(unsigned t) const {
    return {ThreadActivity::Kind::kIssue, last_opcode_[t]};
  }
  void semaphore(unsigned i, std::uint8_t value, Cycle now);

 private:
  void set(unsigned t, Cycle when, std::uint64_t value);

  std::array<Cycle, kThreads> last_issue_{support::kNever, support::kNever, support::kNever};
  std::array<std::uint16_t, kThreads> last_opcode_{};
  std::array<std::uint64_t, kThreads> shown_{};
  std::array<Cycle, kThreads> pending_at_{support::kNever, support::kNever, support::kNever};
  std::array<std::uint64_t, kThreads> pending_{};
  std::array<std::uint8_t, SyncUnit::kSemaphores> shown_semaphores_{};
};

}  // namespace tvp::tensix::coprocessor
