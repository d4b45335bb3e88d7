#pragma once

// Formats of the buffers that a kernel names last, under the names of tt-metal's sentinel.
// tt-metal's inits call the sentinel; inits of this API set formats themselves, so it need not be
// enabled. TEST_RECONFIG_CALLS has the value of builds without tests.

#include "api/compute/reconfig_data_format.h"

enum class Operand : uint8_t { SRCA, SRCB, PACK };
constexpr uint8_t RECONFIG_NOTHING_CHANGED = 0;
constexpr uint8_t RECONFIG_CHANGED_SRCA = 1 << 0;
constexpr uint8_t RECONFIG_CHANGED_SRCB = 1 << 1;
constexpr uint8_t RECONFIG_CHANGED_PACK = 1 << 2;
#define SET_CALLED_RECONFIG(call_bit)
#define TEST_RECONFIG_CALLS(expected_calls) false

/// `call_line` is the line of the kernel's call.
template <Operand operand = Operand::SRCA>
ALWI void state_configure(uint32_t cb, uint32_t call_line) {
  if constexpr (operand == Operand::SRCA) ckernel::reconfig_data_format_srca(cb);
  if constexpr (operand == Operand::SRCB) ckernel::reconfig_data_format_srcb(cb);
  if constexpr (operand == Operand::PACK) ckernel::pack_reconfig_data_format(cb);
}
template <Operand a = Operand::SRCA, Operand b = Operand::SRCB>
ALWI void state_configure(uint32_t cb_a, uint32_t cb_b, uint32_t call_line) {
  state_configure<a>(cb_a, call_line);
  state_configure<b>(cb_b, call_line);
}
ALWI void state_configure(uint32_t cb_a, uint32_t cb_b, uint32_t cb_out, uint32_t call_line) {
  state_configure<Operand::SRCA, Operand::SRCB>(cb_a, cb_b, call_line);
  state_configure<Operand::PACK>(cb_out, call_line);
}
