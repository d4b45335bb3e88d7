#pragma once

// Division of a thread's replay buffer of 32 places (ISA TensixCoprocessor/REPLAY.md). Programs of
// the vector unit are recorded at every call, from the first place on. The sequences of the matrix
// multiplication and of a kernel are recorded once and stay in the second half.

namespace tvp::llk {

inline constexpr unsigned kReplayPlaces = 32;
inline constexpr unsigned kSharedReplayPlaces = 16;

/// Keeps the second half. A kernel is one translation unit, so the compiler knows if no code calls
/// this.
#if defined(__riscv)
[[maybe_unused]] static bool second_half_is_taken = false;
#else
inline bool second_half_is_taken = false;
#endif
inline void take_second_half() { second_half_is_taken = true; }
[[gnu::always_inline]] inline bool second_half_is_free() {
#if defined(__riscv)
  return __builtin_constant_p(second_half_is_taken) && !second_half_is_taken;
#else
  return !second_half_is_taken;
#endif
}

}  // namespace tvp::llk
