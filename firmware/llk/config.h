#pragma once

// Writes to the backend configuration go through the instruction stream. The stream keeps the order
// between a value and the instructions that use it (ISA TensixCoprocessor/BackendConfiguration.md,
// "danger one").

#include <utility>

#include "firmware/llk/issue.h"
#include "foundation/regs/tensix_config.h"

namespace tvp::llk {

namespace config = regs::config;
using config::DataFormat;

/// RMWCIB of byte kByte of a configuration word.
template <unsigned kByte>
[[gnu::always_inline]] constexpr Word encode_rmwcib(Word mask, Word value, Word index) {
  static_assert(kByte < 4);
  if constexpr (kByte == 0) return regs::tensix::encode_rmwcib0(mask, value, index);
  if constexpr (kByte == 1) return regs::tensix::encode_rmwcib1(mask, value, index);
  if constexpr (kByte == 2) return regs::tensix::encode_rmwcib2(mask, value, index);
  return regs::tensix::encode_rmwcib3(mask, value, index);
}

/// Writes the bytes that the field touches. Other bits of the word keep their values.
inline __attribute__((always_inline)) void set_field(config::Field field, uint32_t value) {
  const uint32_t placed = field.place(value);
  if (field.mask & 0x000000FFu)
    push(encode_rmwcib<0>(field.mask & 0xFF, placed & 0xFF, field.addr32));
  if (field.mask & 0x0000FF00u)
    push(encode_rmwcib<1>(field.mask >> 8 & 0xFF, placed >> 8 & 0xFF, field.addr32));
  if (field.mask & 0x00FF0000u)
    push(encode_rmwcib<2>(field.mask >> 16 & 0xFF, placed >> 16 & 0xFF, field.addr32));
  if (field.mask & 0xFF000000u)
    push(encode_rmwcib<3>(field.mask >> 24, placed >> 24, field.addr32));
}
inline __attribute__((always_inline)) void set_field(config::Field field, DataFormat format) {
  set_field(field, static_cast<uint32_t>(format));
}

/// GPR that carries whole words.
inline constexpr Word kConfigGpr = 13;

/// Writes a whole word, so the bits beside the field become zero (ISA WRCFG.md). Only for words
/// that no code reads back.
inline __attribute__((always_inline)) void set_word(config::Field field, uint32_t value) {
  const uint32_t word = field.place(value);
  push(regs::tensix::encode_setdmareg(word & 0xFFFF, 2 * kConfigGpr));
  push(regs::tensix::encode_setdmareg(word >> 16, 2 * kConfigGpr + 1));
  push(regs::tensix::encode_wrcfg(kConfigGpr, 0, field.addr32));
  issue<regs::tensix::encode_nop()>();  // the next instruction still sees the old word
}

/// Calls f(0) … f(kCount - 1) with constants. Fields of tables become part of the instructions, and
/// the tables take no local memory.
template <unsigned kCount, typename Function>
inline __attribute__((always_inline)) void unrolled(Function f) {
  [&]<unsigned... kIndex>(std::integer_sequence<unsigned, kIndex...>)
      __attribute__((always_inline)) {
    (f(std::integral_constant<unsigned, kIndex>{}), ...);
  }
  (std::make_integer_sequence<unsigned, kCount>{});
}

/// A whole word of this thread's own configuration.
inline __attribute__((always_inline)) void set_thread_word(unsigned index, uint32_t value) {
  push(regs::tensix::encode_setc16(index, value));
}

}  // namespace tvp::llk
