#pragma once

// Vector operations for the kernel's compiler. Each is a line of assembly with an integer in place
// of each vector. sw/runtime/vectors replaces the lines by Tensix instructions with registers.
//
// An operand of a line has a letter for its use and the lowest bit of the field for its register's
// number: d is defined, s used, m modified. A capital letter asks for a fixed register. For
// example, "d4=%0" is a result whose register goes into the field at bit 4, and "S3=%1" is a source
// that must be in LReg 3.

#include <stdint.h>

#include "foundation/regs/tensix_opcodes.h"

#if !defined(__riscv)
#error "sfpi vectors are for kernels of T cores: host programs have no vector unit"
#endif

#define sfpi_inline __attribute__((always_inline)) inline

namespace sfpi::impl_ {

namespace t = tvp::regs::tensix;
using t::Word;

/// A vector's value, which the compiler handles like this integer.
struct sfpu_t {
  uint32_t token;
};

inline constexpr uint32_t kPush = 0xFFE40000;  ///< ISA BabyRISCV/PushTensixInstruction.md

// An instruction with a constant word, or an instruction with a run-time immediate that is stored
// to the coprocessor.
#define TVP_SFPI_ISSUE(word, fields, outputs, ...)                                              \
  if (__builtin_constant_p(word)) {                                                             \
    asm volatile inline("sfpi.issue %[w]" fields:outputs : [w] "i"(word), ##__VA_ARGS__);       \
  } else {                                                                                      \
    Word scratch;                                                                               \
    asm volatile inline("sfpi.store %[o],%[w],%[x],%[p]" fields                                 \
                        : TVP_SFPI_AND(outputs)[x] "=&r"(scratch)                               \
                        : [o] "i"(static_cast<Word>(kOp) << 24), [w] "r"(word), [p] "r"(kPush), \
                          ##__VA_ARGS__);                                                       \
  }
#define TVP_SFPI_AND(...) __VA_OPT__(__VA_ARGS__, )

/// Without register operands.
template <t::Opcode kOp>
sfpi_inline void issue(Word word) {
  TVP_SFPI_ISSUE(word, "", )
}
template <t::Opcode kOp, int kD>
sfpi_inline sfpu_t define(Word word) {
  sfpu_t d;
  TVP_SFPI_ISSUE(word, ",d%c[f]=%[d]", [d] "=r"(d.token), [f] "i"(kD))
  return d;
}
template <t::Opcode kOp, int kM>
sfpi_inline void modify(Word word, sfpu_t& m) {
  TVP_SFPI_ISSUE(word, ",m%c[f]=%[m]", [m] "+r"(m.token), [f] "i"(kM))
}
template <t::Opcode kOp, int kS>
sfpi_inline void use(Word word, sfpu_t s) {
  TVP_SFPI_ISSUE(word, ",s%c[f]=%[s]", , [s] "r"(s.token), [f] "i"(kS))
}
/// The sources at bits 8, 12 and 16 are C, B and A, the result at bit 4 is D.
template <t::Opcode kOp>
sfpi_inline sfpu_t from_c(Word word, sfpu_t c) {
  sfpu_t d;
  TVP_SFPI_ISSUE(word, ",d4=%[d],s8=%[c]", [d] "=r"(d.token), [c] "r"(c.token))
  return d;
}
template <t::Opcode kOp>
sfpi_inline sfpu_t from_bc(Word word, sfpu_t b, sfpu_t c) {
  sfpu_t d;
  TVP_SFPI_ISSUE(word,
                 ",d4=%[d],s12=%[b],s8=%[c]", [d] "=r"(d.token), [b] "r"(b.token), [c] "r"(c.token))
  return d;
}
template <t::Opcode kOp>
sfpi_inline sfpu_t from_ab(Word word, sfpu_t a, sfpu_t b) {
  sfpu_t d;
  TVP_SFPI_ISSUE(
      word, ",d4=%[d],s16=%[a],s12=%[b]", [d] "=r"(d.token), [a] "r"(a.token), [b] "r"(b.token))
  return d;
}
template <t::Opcode kOp>
sfpi_inline sfpu_t from_abc(Word word, sfpu_t a, sfpu_t b, sfpu_t c) {
  sfpu_t d;
  TVP_SFPI_ISSUE(word, ",d4=%[d],s16=%[a],s12=%[b],s8=%[c]", [d] "=r"(d.token), [a] "r"(a.token),
                 [b] "r"(b.token), [c] "r"(c.token))
  return d;
}
/// D is a source, too.
template <t::Opcode kOp>
sfpi_inline sfpu_t into(Word word, sfpu_t d, sfpu_t c) {
  TVP_SFPI_ISSUE(word, ",m4=%[d],s8=%[c]", [d] "+r"(d.token), [c] "r"(c.token))
  return d;
}
template <t::Opcode kOp>
sfpi_inline sfpu_t into(Word word, sfpu_t d) {
  modify<kOp, 4>(word, d);
  return d;
}
#undef TVP_SFPI_AND

/// A read-only register (ISA LReg.md).
template <int kRegister>
sfpi_inline sfpu_t constant() {
  sfpu_t d;
  asm volatile inline("sfpi.constant %c1,%0" : "=r"(d.token) : "i"(kRegister));
  return d;
}
enum Constant : int { k0p8373 = 8, kZero = 9, kOne = 10, kMinusOne = 11, kTileId = 15 };

sfpi_inline sfpu_t undefined() {
  sfpu_t d;
  asm volatile inline("sfpi.undefined %0" : "=r"(d.token));
  return d;
}
/// Assigns in the enabled lanes.
sfpi_inline void assign(sfpu_t& to, sfpu_t from) {
  asm volatile inline("sfpi.assign %0,%1" : "+r"(to.token) : "r"(from.token));
}
/// One of the eight registers by its number.
sfpi_inline sfpu_t get_register(int number) {
  sfpu_t d;
  asm volatile inline("sfpi.get %c1,%0" : "=r"(d.token) : "i"(number));
  return d;
}
sfpi_inline void set_register(int number, sfpu_t from) {
  asm volatile inline("sfpi.set %c0,%1" : : "i"(number), "r"(from.token));
}

// ---- Immediates -----------------------------------------------------------------------------

/// SFPLOADI's modes (ISA SFPLOADI.md).
enum LoadMode : Word {
  kBf16 = 0,
  kFp16 = 1,
  kUnsigned16 = 2,
  kSigned16 = 4,
  kUpper = 8,
  kLower = 10
};

sfpi_inline sfpu_t load_immediate(LoadMode mode, Word value) {
  return define<t::Opcode::kSfploadi, 20>(t::encode_sfploadi(0, mode, value));
}
/// True if SFPLOADI's FP16, which has no denormals and no infinity, holds all bits of the value.
constexpr bool fits_fp16(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 0xFF;
  return (bits & 0x1FFF) == 0 && exponent >= 112 && exponent <= 143;
}
/// Loads 32 bits into all lanes: from a read-only register, by one instruction if possible, or by
/// two.
sfpi_inline sfpu_t load_bits(uint32_t bits) {
  if (__builtin_constant_p(bits)) {
    if (bits == 0) return constant<kZero>();
    if (bits == 0x3F800000) return constant<kOne>();
    if (bits == 0xBF800000) return constant<kMinusOne>();
    if ((bits & 0xFFFF) == 0) return load_immediate(kBf16, bits >> 16);
    if (bits < 0x10000) return load_immediate(kUnsigned16, bits);
    if (bits >= 0xFFFF8000) return load_immediate(kSigned16, bits & 0xFFFF);
    if (fits_fp16(bits)) {
      return load_immediate(
          kFp16, (bits >> 16 & 0x8000) | ((bits >> 23 & 0xFF) - 112) << 10 | (bits >> 13 & 0x3FF));
    }
  }
  sfpu_t d = load_immediate(kBf16, bits >> 16);
  modify<t::Opcode::kSfploadi, 20>(t::encode_sfploadi(0, kLower, bits & 0xFFFF), d);
  return d;
}

// ---- Arithmetic -----------------------------------------------------------------------------

sfpi_inline sfpu_t multiply(sfpu_t a, sfpu_t b) {
  return from_ab<t::Opcode::kSfpmul>(t::encode_sfpmul(0, 0, kZero, 0, 0), a, b);
}
sfpi_inline sfpu_t add(sfpu_t a, sfpu_t b) {
  return from_bc<t::Opcode::kSfpadd>(t::encode_sfpadd(kOne, 0, 0, 0, 0), a, b);
}
sfpi_inline sfpu_t subtract(sfpu_t a, sfpu_t b) {
  return from_bc<t::Opcode::kSfpmad>(t::encode_sfpmad(kMinusOne, 0, 0, 0, 0), b, a);
}
sfpi_inline sfpu_t negate(sfpu_t a) {
  return from_c<t::Opcode::kSfpmov>(t::encode_sfpmov(0, 0, 1), a);
}
enum IntegerMode : Word {
  kImmediate = 1,
  kSubtract = 2,
  kFlagsLess = 0,
  kNoFlags = 4,
  kFlagsNot = 8
};
constexpr bool fits_12(int32_t value) { return value >= -2048 && value <= 2047; }

sfpi_inline sfpu_t integer_add(sfpu_t a, int32_t b, Word flags = kNoFlags) {
  return from_c<t::Opcode::kSfpiadd>(
      t::encode_sfpiadd(static_cast<Word>(b) & 0xFFF, 0, 0, kImmediate | flags), a);
}
sfpi_inline sfpu_t integer_add(sfpu_t a, sfpu_t b, Word flags = kNoFlags) {
  return into<t::Opcode::kSfpiadd>(t::encode_sfpiadd(0, 0, 0, flags), b, a);
}
sfpi_inline sfpu_t integer_subtract(sfpu_t a, sfpu_t b, Word flags = kNoFlags) {
  return into<t::Opcode::kSfpiadd>(t::encode_sfpiadd(0, 0, 0, kSubtract | flags), b, a);
}
sfpi_inline sfpu_t integer_add_any(sfpu_t a, int32_t b) {
  if (__builtin_constant_p(b) && fits_12(b)) return integer_add(a, b);
  return integer_add(a, load_bits(static_cast<uint32_t>(b)));
}
sfpi_inline sfpu_t bitwise_and(sfpu_t a, sfpu_t b) {
  return into<t::Opcode::kSfpand>(t::encode_sfpand(0, 0), a, b);
}
sfpi_inline sfpu_t bitwise_or(sfpu_t a, sfpu_t b) {
  return into<t::Opcode::kSfpor>(t::encode_sfpor(0, 0), a, b);
}
sfpi_inline sfpu_t bitwise_xor(sfpu_t a, sfpu_t b) {
  return into<t::Opcode::kSfpxor>(t::encode_sfpxor(0, 0), a, b);
}
sfpi_inline sfpu_t bitwise_not(sfpu_t a) {
  return from_c<t::Opcode::kSfpnot>(t::encode_sfpnot(0, 0), a);
}
/// Shifts to the left, or by negative amounts to the right with zeros.
sfpi_inline sfpu_t shift(sfpu_t a, int32_t amount) {
  return into<t::Opcode::kSfpshft>(t::encode_sfpshft(static_cast<Word>(amount) & 0xFFF, 0, 0, 1),
                                   a);
}
sfpi_inline sfpu_t shift(sfpu_t a, sfpu_t amount) {
  return from_bc<t::Opcode::kSfpshft2>(t::encode_sfpshft2(0, 0, 0, 5), a, amount);
}

// ---- Lanes that are enabled -----------------------------------------------------------------

/// SFPSETCC's comparisons with zero.
enum Sign : Word { kLess = 0, kNotEqual = 2, kGreaterEqual = 4, kEqual = 6 };

sfpi_inline void narrow_by_sign(sfpu_t c, Sign sign) {
  use<t::Opcode::kSfpsetcc, 8>(t::encode_sfpsetcc(0, 0, 0, sign), c);
}
sfpi_inline void push_lanes() { issue<t::Opcode::kSfppushc>(t::encode_sfppushc(0)); }
sfpi_inline void pop_lanes() { issue<t::Opcode::kSfppopc>(t::encode_sfppopc(0, 0)); }
/// Enables the lanes of the enclosing level that are not enabled.
sfpi_inline void other_lanes() { issue<t::Opcode::kSfpcompc>(t::encode_sfpcompc(0)); }

}  // namespace sfpi::impl_

using __rvtt_vec_t = sfpi::impl_::sfpu_t;
