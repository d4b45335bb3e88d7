#pragma once

#include <cstdint>

#include "models/riscv/execute/execution_state.h"

namespace tvp::riscv {

/// Decides if a core's next jumps are worth an attempt with blocks. It gets the length of each
/// attempt and counts down in ExecutionState::until_blocks. Its answer changes host time only,
/// never the simulation.
class BlockWorth {
 public:
  explicit BlockWorth(ExecutionState& state) : s_(state) {}

  /// True: always try blocks at once. False: only if they are worth it.
  void set_eager(bool eager) {
    eager_ = eager;
    short_ = 0;
    hold_ = 1;
    longest_ = 0;
    wake();
  }
  /// The interpreter has executed enough jumps to try blocks again.
  void wake() {
    s_.until_blocks = eager_ ? 1 : ExecutionState::kUntilBlocks;
    rests_ = false;
  }
  bool is_eager() const { return eager_; }
  /// True: no attempts until ExecutionState::until_blocks is 0.
  bool rests() const { return rests_; }

  /// An attempt of `executed` instructions ended at the horizon.
  void note_run(std::uint64_t executed);
  /// An attempt of `executed` instructions ended at a place for the interpreter. `warms` is set
  /// while new blocks are being recorded.
  void note_length(std::uint64_t executed, bool warms);
  /// A line of code is absent after `executed` instructions in all. False: blocks rest, since
  /// most lines are.
  bool may_fetch(std::uint64_t executed) {
    if (rests_) return false;
    if (absent_ == 0) counted_from_ = executed;
    return ++absent_ < kCounted || eager_ || are_absent_rare(executed);
  }

 private:
  static constexpr std::uint32_t kCounted = 256;  ///< absent lines
  static constexpr std::uint32_t kRest = 65536;   ///< jumps
  /// The first rest after absent lines. Loops that begin look the same until their lines are
  /// present.
  static constexpr std::uint32_t kShortRest = 4096;
  [[gnu::noinline]] bool are_absent_rare(std::uint64_t executed);

  ExecutionState& s_;
  bool eager_ = false;
  bool rests_ = false;
  std::uint32_t short_ = 0;   ///< consecutive short attempts
  std::uint32_t hold_ = 1;    ///< jumps until the next attempt
  std::uint32_t absent_ = 0;  ///< absent lines since `counted_from_`
  std::uint32_t absent_rest_ = kShortRest;
  std::uint64_t counted_from_ = 0;  ///< in executed instructions
  std::uint64_t longest_ = 0;  ///< instructions in the longest attempt since the last useful one
};

}  // namespace tvp::riscv
