#pragma once

#include "models/riscv/debug/core_status.h"
#include "models/riscv/debug/debug_hooks.h"
#include "models/riscv/execute/block_runner.h"
#include "models/riscv/execute/execution_state.h"
#include "models/riscv/execute/load_store_unit.h"
#include "models/riscv/polls/poll_sleep.h"
#include "models/riscv/timing/fetch_unit.h"

namespace tvp::riscv {

/// Executes predecoded words: the results of each instruction, and its time.
class Interpreter {
 public:
  Interpreter(ExecutionState& state, FetchUnit& fetch, LoadStoreUnit& memory, PollSleep& sleep,
              CoreStatus& status, DebugHooks& hooks, support::WatchHub& watches)
      : state_(state),
        fetch_(fetch),
        memory_(memory),
        sleep_(sleep),
        status_(status),
        hooks_(hooks),
        watches_(watches),
        blocks_(state, fetch, memory, sleep, watches) {}

  /// Executes while the core may act. Returns the cycle at which it must act next.
  support::Cycle execute();
  /// set_blocks() switches blocks off or on. It never changes simulated time.
  std::uint64_t translated() const { return blocks_.translated(); }
  void set_blocks(BlockRunner::Blocks blocks) { blocks_.set(blocks); }

 private:
  /// The cycle at which the next instruction can enter after a branch that the predictor got wrong
  /// or is not sure of, or after an unpredicted jump.
  [[gnu::noinline]] support::Cycle resolve(Op& op, bool taken, support::Cycle t, unsigned activity);
  [[gnu::noinline]] std::uint32_t access_csr(const Op& op, support::Cycle t);
  std::string led_by_jump() const;
  [[gnu::noinline]] support::Cycle resolve_jump(Op& op, support::Cycle t, unsigned activity);
  support::Cycle mispredicted(support::Cycle t);

  ExecutionState& state_;
  FetchUnit& fetch_;
  LoadStoreUnit& memory_;
  PollSleep& sleep_;
  CoreStatus& status_;
  DebugHooks& hooks_;
  support::WatchHub& watches_;
  BlockRunner blocks_;
};

}  // namespace tvp::riscv
