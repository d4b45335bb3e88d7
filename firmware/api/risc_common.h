#pragma once
// Functions of the core: wall clock, waits, caches.

#include <stdint.h>

#include "foundation/regs/tensix_config.h"
#include "internal/mod_div_lib.h"
#include "internal/risc_attribs.h"

constexpr uint32_t RISCV_DEBUG_REGS_START_ADDR = 0xFFB12000;
constexpr uint32_t RISCV_DEBUG_REG_SOFT_RESET_0 = RISCV_DEBUG_REGS_START_ADDR + 0x1B0;
constexpr uint32_t RISCV_DEBUG_REG_WALL_CLOCK_L = RISCV_DEBUG_REGS_START_ADDR + 0x1F0;
/// The current value. _H has the value of the last read of _L.
constexpr uint32_t RISCV_DEBUG_REG_WALL_CLOCK_H_NOW = RISCV_DEBUG_REGS_START_ADDR + 0x1F4;
constexpr uint32_t RISCV_DEBUG_REG_WALL_CLOCK_H = RISCV_DEBUG_REGS_START_ADDR + 0x1F8;
/// Word of the coprocessor's configuration.
constexpr uint32_t RISCV_IC_INVALIDATE_InvalidateAll_ADDR32 =
    tvp::regs::config::global::kInvalidateInstructionCaches.addr32;

FORCE_INLINE volatile uint32_t& reg32(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

namespace c_tensix_core {
// Reading the low word latches the high one (ISA TileControlDebugStatus.md).
FORCE_INLINE uint64_t read_wall_clock() {
  const uint32_t low = reg32(RISCV_DEBUG_REG_WALL_CLOCK_L);
  const uint32_t high = reg32(RISCV_DEBUG_REG_WALL_CLOCK_H);
  return uint64_t(high) << 32 | low;
}
FORCE_INLINE uint32_t read_wall_clock_l() { return reg32(RISCV_DEBUG_REG_WALL_CLOCK_L); }
}  // namespace c_tensix_core

// Templates, because kernels of before 2026 define functions of these names, which take precedence.
template <int = 0>
FORCE_INLINE uint64_t get_timestamp() {
  return c_tensix_core::read_wall_clock();
}
template <int = 0>
FORCE_INLINE uint32_t get_timestamp_32b() {
  return c_tensix_core::read_wall_clock_l();
}

// Waits at least `cycles` of the wall clock.
inline void riscv_wait(uint32_t cycles) {
  const uint32_t start = c_tensix_core::read_wall_clock_l();
  while (c_tensix_core::read_wall_clock_l() - start < cycles) {
  }
}

// Wormhole's cores have no L1 data cache.
FORCE_INLINE void invalidate_l1_cache() {}
template <bool enable = true>
FORCE_INLINE void set_l1_data_cache() {}

FORCE_INLINE void WRITE_REG(uint32_t address, uint32_t value) { reg32(address) = value; }
FORCE_INLINE uint32_t READ_REG(uint32_t address) { return reg32(address); }
FORCE_INLINE uint32_t reg_read(uint32_t address) { return reg32(address); }

inline void zero_l1_buf(volatile uint32_t* buffer, uint32_t size_bytes) {
  for (uint32_t i = 0; i < size_bytes / 4; ++i) buffer[i] = 0;
}
/// Writes a word of a test's results if there is a buffer.
FORCE_INLINE void write_test_results(volatile uint32_t* buffer, uint32_t index, uint32_t value) {
  if (buffer != nullptr) buffer[index] = value;
}

template <typename T>
FORCE_INLINE T load_relaxed(const volatile T* address) {
  return *address;
}
