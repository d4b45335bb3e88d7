#pragma once

// Formats follow the buffers that a kernel names last, by the names of tt-metal's sentinel. Its
// inits call it there; those of this API set formats by themselves, so that it need not be enabled,
// and there are no calls to spy on: TEST_RECONFIG_CALLS is what it is where nothing is tested.

#include "api/compute/reconfig_data_format.h"

enum class Operand : uint8_t { SRCA, SRCB, PACK };
constexpr uint8_t RECONFIG_NOTHING_CHANGED = 0;
constexpr uint8_t RECONFIG_CHANGED_SRCA = 1 << 0;
constexpr uint8_t RECONFIG_CHANGED_SRCB = 1 << 1;
constexpr uint8_t RECONFIG_CHANGED_PACK = 1 << 2;
#define SET_CALLED_RECONFIG(call_bit)
#define TEST_RECONFIG_CALLS(expected_calls) false

/// `call_line`: where the kernel asks for it.
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
