#pragma once
// A go signal like a dispatcher's, sent at the same time to the measuring core and the tiles around
// it. In tt-metal's fast dispatch the kernel is then already loaded and waits for the signal. Idle
// tiles also get it (woken_tile.cpp, one of which sends it).

#include "api/dataflow/dataflow_api.h"

namespace tvp::kernels::microbenchmarks {

FORCE_INLINE volatile uint32_t* word_of(uint32_t semaphore) {
  return reinterpret_cast<volatile uint32_t*>(get_semaphore(semaphore));
}

/// The go signal of the measuring core. Its compile-time arguments begin at `kFirst`.
template <uint32_t kFirst>
class GoSignal {
 public:
  /// Returns immediately if no tile sends a signal.
  __attribute__((noinline)) void wait() {
    if constexpr (kIsGiven) {
      noc_semaphore_inc(get_noc_addr(kGiverX, kGiverY, get_semaphore(kReady)), 1);
      noc_async_atomic_barrier();
      noc_semaphore_wait_min(word_of(kSignal), ++round_);
    }
  }

 private:
  static constexpr bool kIsGiven = get_compile_time_arg_val(kFirst) != 0;
  // Semaphores: the signal's, and the waiting cores'.
  static constexpr uint32_t kSignal = get_compile_time_arg_val(kFirst + 1);
  static constexpr uint32_t kReady = get_compile_time_arg_val(kFirst + 2);
  static constexpr uint32_t kGiverX = get_compile_time_arg_val(kFirst + 3);
  static constexpr uint32_t kGiverY = get_compile_time_arg_val(kFirst + 4);

  uint32_t round_ = 0;
};

}  // namespace tvp::kernels::microbenchmarks
