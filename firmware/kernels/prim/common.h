#pragma once
// Parts that all programs share. PRIM_TYPE is the type of the elements, PRIM_BLOCK the bytes that a
// tasklet moves at a time.

#include "firmware/api/pim.h"
#include "firmware/kernels/prim/arguments.h"

#ifndef PRIM_TYPE
#define PRIM_TYPE std::int32_t
#endif
#ifndef PRIM_BLOCK
#define PRIM_BLOCK 1024
#endif

extern "C" {
tvp::firmware::prim::Arguments arguments;
// The host reads the results by name, also those of programs that have none.
[[gnu::used, gnu::retain]] tvp::firmware::prim::Results results;
}

namespace tvp::firmware::prim {

using T = PRIM_TYPE;
inline constexpr std::uint32_t kBlockBytes = PRIM_BLOCK;
inline constexpr std::uint32_t kBlock = kBlockBytes / sizeof(T);

/// Low half of the clock, for spans of less than 12 s.
inline std::uint32_t cycles() {
  return pim::device_register(pim::regs::kControl + pim::regs::control::kTimerLow);
}

/// Keeps the longest time of the tasklets. Each has a mutex's turn.
inline void keep_longest(std::uint64_t spent) {
  const pim::Mutex mutex(0);
  mutex.lock();
  if (spent > results.cycles) results.cycles = spent;
  mutex.unlock();
}

/// The blocks of a tasklet: every pim::kTasklets-th one. Calls work(bank offset, elements).
template <typename Work>
void for_blocks(std::uint32_t tasklet, Work&& work) {
  const std::uint32_t end = arguments.elements * sizeof(T);
  for (std::uint32_t at = tasklet * kBlockBytes; at < end; at += pim::kTasklets * kBlockBytes) {
    const std::uint32_t left = (end - at) / sizeof(T);
    work(at, left < kBlock ? left : kBlock);
  }
}

}  // namespace tvp::firmware::prim
