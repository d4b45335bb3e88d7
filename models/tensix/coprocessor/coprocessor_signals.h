#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/support/signal.h"
#include "models/tensix/coprocessor/sync_unit.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

/// What a thread does in a cycle: the instruction that it issues, or what holds it up.
struct ThreadActivity {
  enum class Kind : std::uint8_t {
    kIdle,
    kIssue,      ///< `detail`: opcode
    kFrontend,   ///< its instructions are still in FIFOs and expanders
    kDrain,      ///< everything is issued, not everything done
    kSemwait,    ///< `detail`: semaphore mask << 2 | condition mask
    kStallwait,  ///< `detail`: conditions that do not hold yet
    kMutex,      ///< `detail`: which
    kUnitBusy,   ///< `detail`: unit
    kSrcA,       ///< the bank of SrcA belongs to the other side
    kSrcB,
    kRefused,  ///< by the unit `detail`, for a reason of its own
    kHeld,     ///< the instruction before holds the thread
  };
  Kind kind = Kind::kIdle;
  std::uint16_t detail = 0;

  std::uint64_t value() const { return static_cast<std::uint64_t>(kind) << 16 | detail; }
  /// Of a value(): "MVMUL", "STALLWAIT SrcA for math", "packers busy".
  static std::string text(std::uint64_t value);
};

/// What a wave file can show of a coprocessor. It exists while somebody watches.
class CoprocessorSignals {
 public:
  static constexpr unsigned kThreads = 3;

  std::array<support::Signal, kThreads> thread;  ///< values of ThreadActivity
  std::array<support::LevelSignal, kUnits> unit_busy;
  std::array<support::Signal, SyncUnit::kSemaphores> semaphores;

  void issued(unsigned t, std::uint32_t instruction, Unit unit, Cycle now, Cycle done);
  /// The state of a thread after the step of cycle `now`; `next` is that of the following cycle,
  /// in case that no step comes in it.
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
