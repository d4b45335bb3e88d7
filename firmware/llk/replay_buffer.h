#pragma once

// Division of a thread's replay buffer of 32 places (ISA TensixCoprocessor/REPLAY.md). Programs of
// the vector unit record anew with every call, from the first place on. The matrix multiplication's
// and a kernel's own sequences are recorded once and stay in the second half.

namespace tvp::llk {

inline constexpr unsigned kReplayPlaces = 32;
inline constexpr unsigned kSharedReplayPlaces = 16;

/// Something is to stay in the second half. A kernel is one translation unit: if none of it says
/// so, the compiler knows.
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
