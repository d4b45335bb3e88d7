#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "foundation/fault.h"
#include "foundation/regs/instruction_form.h"
#include "models/support/agent.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/coprocessor_signals.h"
#include "models/tensix/coprocessor/frontend/dropped_opcode.h"
#include "models/tensix/coprocessor/frontend/issue_counters.h"
#include "models/tensix/coprocessor/frontend/issue_faults.h"
#include "models/tensix/coprocessor/frontend/replayed.h"
#include "models/tensix/coprocessor/frontend/thread.h"
#include "models/tensix/coprocessor/frontend/thread_inspector.h"
#include "models/tensix/coprocessor/frontend/wait_gate.h"

namespace tvp::tensix::coprocessor {

/// The clock of the coprocessor: moves instructions from the frontends through the wait gates to
/// the units. It is the coprocessor's agent in its tile.
///
/// Each active cycle has this order: results arrive (WriteBack), latched waits are checked, each
/// wait gate offers its instruction to a unit, the frontends advance. A thread sees the changes of
/// others in the next cycle. Threads at one unit take turns, beginning behind the last one served
/// (assumed; the documentation defines this for mutexes only).
class IssueStage : public support::Agent {
 public:
  IssueStage(const std::string& where, Backend& backend, const SharedState& state,
             support::WatchHub& watch_hub, IssueFaults& faults, const CoprocessorConfig& config,
             Generation generation);

  /// A core stores an instruction; false if the FIFO is full. T cores push before the MOP expander,
  /// B behind it.
  bool push(unsigned thread, std::uint32_t instruction, Cycle now, unsigned order);
  bool push_from_b(unsigned thread, std::uint32_t instruction, Cycle now, unsigned order);
  /// The T core writes a word of the configuration of its MOP expander.
  void configure_mop(unsigned thread, unsigned index, std::uint32_t value);
  /// State outside of this class has changed at `now`, in the step of the agent with tie order
  /// `order`.
  void touched(Cycle now, unsigned order);

  Threads& threads() { return threads_; }
  const Threads& threads() const { return threads_; }
  /// Sets the pc of the T core that pushes to the thread.
  void set_core(unsigned thread, const std::uint32_t& pc) { core_pc_[thread] = &pc; }
  std::uint32_t core_pc(unsigned thread) const { return *core_pc_[thread]; }
  const IssueCounters& counters() const { return counters_; }
  DroppedOpcode& dropped() { return dropped_; }
  const ThreadInspector& inspector() const { return inspector_; }

  /// Signals for wave files; made at the first call.
  CoprocessorSignals& signals();
  void drop_signals() { signals_.reset(); }
  void show_semaphore(unsigned i, Cycle now) {
    if (signals_) [[unlikely]]
      signals_->semaphore(i, backend_.sync().semaphore(i).value, now);
  }

  void run() override;

 private:
  void step(Cycle now);
  void offer_all(unsigned acting, Cycle now);
  bool is_candidate(Thread& thread, Cycle now);
  void offer(unsigned t, Cycle now);
  void started(unsigned t, std::uint32_t instruction, Unit unit, const Issue& issue, Cycle now);
  void bring_in_waiting(Cycle now);
  void advance_frontend(Thread& thread, unsigned t, Cycle now);
  /// The next cycle with a possible event in a thread, as far as known.
  struct NextOf {
    static constexpr std::uint64_t kUnknown = 0;
    static constexpr std::uint64_t kAny = ~std::uint64_t{0};
    Cycle cycle = 0;
    /// epoch_ for which that holds; kAny if no change of shared state affects it.
    std::uint64_t epoch = kUnknown;
  };
  /// The next turn: the first cycle with a possible event. While it is below `until`, only `thread`
  /// can act.
  struct Turn {
    Cycle now = 0;
    Cycle until = 0;
    unsigned thread = 0;
  };
  void next_after(Cycle now, Turn& turn);
  void find_alone(Turn& turn) const;
  unsigned acting_at(Cycle now) const;
  void run_alone(Turn& turn);
  Cycle run_replays(unsigned t, Cycle now, Cycle until);
  Cycle run_replay(unsigned t, Cycle now, Cycle until);
  bool run_plain_vectors(unsigned t, Cycle& now, Cycle until, Replayed& replayed);
  bool run_products(unsigned t, Cycle& now, Cycle until, Replayed& replayed);
  bool begin_replay(unsigned t, Cycle now);
  VectorUnit* plain_vector_unit(Cycle now);
  void took_plain_vectors(unsigned t, Cycle done, Cycle free_from);
  /// The first cycle after `now` with a possible event in the thread, unless shared state changes
  /// (epoch_, a push).
  Cycle next_of(unsigned t, Cycle now);
  void find_next_of(unsigned t, Cycle now);
  bool knows_next_of(unsigned t) const {
    return (next_[t].epoch == epoch_) | (next_[t].epoch == NextOf::kAny);
  }
  void wake_at(Cycle t);
  void show(Cycle now);

  const std::string where_;
  Backend& backend_;
  const WriteBack& write_back_;
  support::WatchHub& watch_hub_;
  IssueFaults& faults_;
  /// The words of the chip's generation. Behind the frontends all have the internal form.
  const regs::tensix::InstructionForm& form_;

  Threads threads_;
  std::array<NextOf, kThreads> next_;
  /// A thread ran alone for more than a cycle, so the next check is done at once.
  bool alone_paid_ = false;
  WaitGate gate_;
  std::array<unsigned, kUnits> last_served_;
  /// Counts changes of state for which a thread may wait. The copy is from the start of the cycle.
  std::uint64_t epoch_ = 1;
  std::uint64_t cycle_epoch_ = 1;

  static constexpr std::uint32_t kNoPc = 0;
  std::array<const std::uint32_t*, kThreads> core_pc_{&kNoPc, &kNoPc, &kNoPc};
  IssueCounters counters_;
  DroppedOpcode dropped_;
  ThreadInspector inspector_;
  std::unique_ptr<CoprocessorSignals> signals_;  ///< null without a wave file
};

}  // namespace tvp::tensix::coprocessor
