#pragma once

// Counters of circular buffers are written from the instruction stream (ISA
// TensixCoprocessor/STOREREG.md), so that a count moves after the unit has moved the data.

#include "firmware/llk/issue.h"

namespace tvp::llk {

/// GPR of a thread that carries the value.
inline constexpr Word kStreamGpr = 12;

/// Stores 16 bits to a register at 0xFFB11000 or above.
inline void store_register(uint32_t address, uint16_t value) {
  push(regs::tensix::encode_setdmareg(value, 2 * kStreamGpr));
  push(regs::tensix::encode_setdmareg(0, 2 * kStreamGpr + 1));
  push(regs::tensix::encode_storereg(kStreamGpr, (address - 0xFFB00000u) >> 2));
}

}  // namespace tvp::llk
