#pragma once
// A go signal as a dispatcher gives it, to the core that measures and to the tiles around it at
// once: tt-metal's fast dispatch has loaded the kernel by then, which waits for the signal, and all
// tiles get it, those that have nothing to run as well (woken_tile.cpp, one of which gives it).

#include "api/dataflow/dataflow_api.h"

namespace tvp::kernels::microbenchmarks {

FORCE_INLINE volatile uint32_t* word_of(uint32_t semaphore) {
  return reinterpret_cast<volatile uint32_t*>(get_semaphore(semaphore));
}

/// The go signal of the measuring core. Its compile-time arguments begin at `kFirst`.
template <uint32_t kFirst>
class GoSignal {
 public:
  /// Does nothing where nobody gives a signal.
  __attribute__((noinline)) void wait() {
    if constexpr (kIsGiven) {
      noc_semaphore_inc(get_noc_addr(kGiverX, kGiverY, get_semaphore(kReady)), 1);
      noc_async_atomic_barrier();
      noc_semaphore_wait_min(word_of(kSignal), ++round_);
    }
  }

 private:
  static constexpr bool kIsGiven = get_compile_time_arg_val(kFirst) != 0;
  // Semaphores: where it arrives, and who waits for it.
  static constexpr uint32_t kSignal = get_compile_time_arg_val(kFirst + 1);
  static constexpr uint32_t kReady = get_compile_time_arg_val(kFirst + 2);
  static constexpr uint32_t kGiverX = get_compile_time_arg_val(kFirst + 3);
  static constexpr uint32_t kGiverY = get_compile_time_arg_val(kFirst + 4);

  uint32_t round_ = 0;
};

}  // namespace tvp::kernels::microbenchmarks
