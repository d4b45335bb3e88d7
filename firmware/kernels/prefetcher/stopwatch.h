#pragma once

// Cycles that a core spends waiting, by reason, for the host to read.

#include "firmware/kernels/prefetcher/arguments.h"
#include "risc_common.h"

namespace tvp::kernels::prefetcher {

/// Adds the duration of `wait`.
template <typename Wait>
inline __attribute__((always_inline)) void timed(uint32_t& total, Wait wait) {
  const uint32_t begin = c_tensix_core::read_wall_clock_l();
  wait();
  total += c_tensix_core::read_wall_clock_l() - begin;
}

inline volatile uint32_t* stats_at(uint32_t address) {
  return reinterpret_cast<volatile uint32_t*>(address);
}

}  // namespace tvp::kernels::prefetcher
