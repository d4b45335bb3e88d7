#include "models/riscv/execute/block_worth.h"

#include <algorithm>

namespace tvp::riscv {

/// With a near horizon most blocks must be cut at changing places. Executing instructions one by
/// one then keeps more of the core's code in the host's caches.
void BlockWorth::note_run(std::uint64_t executed) {
  constexpr std::uint64_t kWorthwhile = 48;
  constexpr std::uint32_t kTries = 32;
  short_ = executed >= kWorthwhile || eager_ ? 0 : short_ + 1;
  if (short_ < kTries) return;
  short_ = 0;
  rests_ = true;
  s_.until_blocks = kRest;
}

/// A short run costs more to enter than it saves. An exception are growing runs, in which blocks
/// are still being recorded.
void BlockWorth::note_length(std::uint64_t executed, bool warms) {
  constexpr std::uint64_t kWorthwhile = 64;
  constexpr std::uint32_t kMostHeld = 1024;
  if (executed >= kWorthwhile || eager_) {
    hold_ = 1;
  } else if (executed <= longest_ && !warms) {
    hold_ = std::min(2 * hold_, kMostHeld);
  }
  longest_ = executed >= kWorthwhile ? 0 : std::max(longest_, executed);
  s_.until_blocks = hold_;
}

/// Finding the block behind each absent line costs the host more than the interpreter, if code runs
/// for less than two lines between them.
bool BlockWorth::are_absent_rare(std::uint64_t executed) {
  constexpr std::uint64_t kBetween = 8;  // instructions
  const bool rare = executed - counted_from_ >= kBetween * kCounted;
  absent_ = 0;
  if (rare) {
    absent_rest_ = kShortRest;
  } else {
    rests_ = true;
    s_.until_blocks = absent_rest_;
    absent_rest_ = std::min(2 * absent_rest_, kRest);
  }
  return rare;
}

}  // namespace tvp::riscv
