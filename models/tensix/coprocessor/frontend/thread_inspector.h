#pragma once

#include <string>

#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/frontend/thread.h"
#include "models/tensix/coprocessor/frontend/thread_activity.h"
#include "models/tensix/coprocessor/frontend/wait_gate.h"

namespace tvp::tensix::coprocessor {

/// The activity and waits of the threads, for waves and hang reports.
class ThreadInspector {
 public:
  ThreadInspector(const Threads& threads, const Backend& backend, const WaitGate& gate,
                  const RegisterFiles& registers)
      : threads_(threads), backend_(backend), gate_(gate), registers_(registers) {}

  /// Activity in cycle `now`, for waves.
  ThreadActivity activity(unsigned thread, Cycle now) const;
  /// As text; "idle" if the thread has no work.
  std::string waiting_for(unsigned thread) const;
  /// pc at which its core set up the MOP whose instruction waits; 0: it is of no MOP.
  std::uint32_t mop_set_up_at(unsigned thread) const;
  /// The threads that can end that wait, bit i for thread i; 0: its own units, or nothing is known.
  unsigned awaited_threads(unsigned thread) const;

 private:
  ThreadActivity stall(unsigned thread, const Dispatch& dispatch, Cycle now) const;
  ThreadActivity latched_wait(unsigned thread, Cycle now) const;
  /// The Src bank that the first instruction of a thread waits for.
  ThreadActivity missing_bank(Unit unit, Cycle now) const;
  std::string latched_wait_text(unsigned thread) const;
  unsigned awaited_by_latch(unsigned thread) const;
  /// Number of the mutex that the instruction needs and another thread holds, else SyncUnit's
  /// kMutexes.
  unsigned foreign_mutex(unsigned thread, std::uint32_t instruction) const;

  const Threads& threads_;
  const Backend& backend_;
  const WaitGate& gate_;
  const RegisterFiles& registers_;
};

}  // namespace tvp::tensix::coprocessor
