#pragma once

// Thread 1: error functions, Bessel functions and tests for special values on the vector unit,
// programs as in sfpu_math.h. Bounds are relative and for FP32 in Dst.

#include "firmware/llk/sfpu/sfpu_power.h"

namespace tvp::llk::sfpu {

/// LReg 1 = erfc |x| of |x| in LReg 6: t P(t) e^(-x x) with t = 1 / (1 + 0.4 |x|). P has an error
/// of 2^-23. The result has an error of 2e-5 for |x| < 9.3 and is 0 beyond.
inline void erfc_of_magnitude() {
  mad_wait<6, 6, kZero, 0>();
  negate<0, 0>();
  exp<0, 1, 2, 3, 4, 5>();
  mov<1, 5>();
  load_bits<1, bits(0.4f)>();
  mad_wait<6, 1, kOne, 0>();
  reciprocal<0x7F80, 0, 2, 1, 3, 4>();
  polynomial<1, 2, 4, 0.225634202f, 0.226443559f, 0.201883957f, 0.193408966f, 0.0797158256f,
             0.0880283192f, 0.0839271545f, -0.140288264f, 0.0412463211f>();
  mad_wait<1, 2, kZero, 1>();
  mad_wait<1, 5, kZero, 1>();
}
inline void erfc_program() {
  mov<0, 7>();
  absolute<0, 6>();
  erfc_of_magnitude();
  mov<1, 0>();
  where<7, kLess>();
  loadi<2, kBf16, 0x4000>();
  negate<1, 1>();
  mad_wait<1, kOne, 2, 0>();
  everywhere();
}
/// An odd polynomial below one, 1 - erfc elsewhere: 4e-6.
inline void erf_program() {
  mov<0, 7>();
  absolute<0, 6>();
  erfc_of_magnitude();
  negate<1, 1>();
  mad_wait<1, kOne, kOne, 5>();
  mad_wait<6, 6, kZero, 1>();
  polynomial<0, 1, 4, 1.12837911f, -0.37612626f, 0.112835839f, -0.0268537737f, 0.00518825511f,
             -0.000800955633f, 7.8517558e-05f>();
  mad_wait<0, 6, kZero, 0>();
  add_constant<6, 0xBF80>();
  mov_where<6, kGreaterEqual, 5, 0>();
  take_magnitude<0, 7>();
  mov<7, 0>();
}
/// x P(w) with w = -ln(1 - x x): 3e-6. P has steps from 2.5 where w < 5, and steps of w's root from
/// 3 above. The result is infinite for one and NaN beyond.
inline void erfinv_program() {
  mov<0, 7>();
  negate<0, 1>();
  mad<1, kOne, kOne, 1>();
  mad_wait<0, kOne, kOne, 2>();
  mad_wait<1, 2, kZero, 0>();
  log_program();
  negate<0, 0>();
  loadi<1, kBf16, 0xC020>();
  mad_wait<0, kOne, 1, 5>();
  polynomial<6, 5, 4, 1.50140941f, 0.246640727f, -0.00417770771f, -0.00125370827f, 0.000218602538f,
             -4.39672613e-06f, -3.52886855e-06f, 3.4374321e-07f, 2.8530927e-08f>();
  add_constant<5, 0xC020>();  // w - 5
  reciprocal_root<0, 1, 2, 3, 4>();
  mad_wait<0, 1, kZero, 1>();
  loadi<2, kBf16, 0xC040>();
  mad_wait<1, kOne, 2, 1>();
  polynomial<0, 1, 4, 2.83297706f, 1.00167418f, 0.00943500828f, -0.00762618706f, 0.00576557312f,
             -0.00365660945f, 0.00129226642f, 8.24820963e-05f, -0.000159756935f>();
  mov_where<5, kLess, 6, 0>();
  mad_wait<0, 7, kZero, 0>();
  absolute<7, 1>();
  op<t::encode_sfpiadd(0, kOne, 1, 2 | 4)>();
  where<1, kEqual>();
  loadi<2, kBf16, 0x7F80>();
  mov<7, 0>();
  op<t::encode_sfpsetsgn(0, 2, 0, 0)>();
  everywhere();
  loadi_where<1, kLess, 0, kBf16, 0x7FC0>();
}

/// LReg 0 = e^u / sqrt(u) and LReg 2 = 3.75 / u, with u in LReg 6.
inline void bessel_parts() {
  mov<6, 0>();
  exp<0, 1, 2, 3, 4, 5>();
  saturate_exp<0, 1, 2>();
  mov<1, 5>();
  reciprocal_root<6, 0, 1, 2, 3>();
  mad_wait<0, 0, kZero, 2>();
  load_bits<1, bits(3.75f)>();
  mad_wait<2, 1, kZero, 2>();
  mad_wait<0, 5, kZero, 0>();
}
/// LReg 1 = (u / 3.75)^2, with u in LReg 6.
inline void bessel_square() {
  load_bits<1, bits(0.266666681f)>();
  mad_wait<6, 1, kZero, 1>();
  mad_wait<1, 1, kZero, 1>();
}
/// Keeps the lanes whose LReg 6 is above 3.75.
inline void where_bessel_is_large() {
  load_bits<1, bits(-3.75f)>();
  mad_wait<6, kOne, 1, 1>();
  where<1, kGreaterEqual>();
}
/// Modified Bessel function of order zero: 2e-5, infinity from 88.5 on. Up to 3.75 it is a
/// polynomial of x^2, above e^|x| / sqrt|x| times a polynomial of 3.75 / |x|.
inline void i0_program() {
  absolute<0, 6>();
  bessel_parts();
  polynomial<1, 2, 4, 0.398942411f, 0.0132898754f, 0.00215539755f, -0.000842798385f, 0.00649264269f,
             -0.0152314324f, 0.0203513894f, -0.01292824f, 0.00306503102f>();
  mad_wait<0, 1, kZero, 7>();
  bessel_square();
  polynomial<0, 1, 4, 1.0f, 3.51562333f, 3.08993697f, 1.20676351f, 0.265963107f, 0.0360725746f,
             0.00458623748f>();
  where_bessel_is_large();
  mov<7, 0>();
  everywhere();
}
/// The Bessel function of order one, in the same way.
inline void i1_program() {
  mov<0, 7>();
  absolute<0, 6>();
  bessel_parts();
  polynomial<1, 2, 4, 0.398942143f, -0.0398846343f, -0.00351033639f, 0.000820659334f,
             -0.00736899814f, 0.0169933178f, -0.0224596895f, 0.0140694026f, -0.00328500313f>();
  mad_wait<0, 1, kZero, 5>();
  bessel_square();
  polynomial<0, 1, 4, 0.5f, 0.878906131f, 0.514986634f, 0.150857553f, 0.0265726224f, 0.00302752713f,
             0.000320276507f>();
  mad_wait<0, 6, kZero, 0>();
  where_bessel_is_large();
  mov<5, 0>();
  everywhere();
  take_magnitude<0, 7>();
  mov<7, 0>();
}

enum class Special : uint8_t {
  kInfinite,
  kPositiveInfinite,
  kNegativeInfinite,
  kNan,
  kFinite,
};
/// Leaves 1 or 0.
template <Special kSpecial>
inline void special_program() {
  absolute<0, 1>();
  loadi<2, kBf16, 0x7F80>();
  op<t::encode_sfpiadd(0, 1, 2, 2 | 4)>();  // bits of |x| minus those of infinity
  mov<0, 3>();
  loadi<0, kBf16, 0>();
  if constexpr (kSpecial == Special::kFinite) {
    where<2, kLess>();
  } else if constexpr (kSpecial == Special::kNan) {
    where<2, kNotEqual>();
    where<2, kGreaterEqual>();
  } else {
    where<2, kEqual>();
    if constexpr (kSpecial == Special::kPositiveInfinite) where<3, kGreaterEqual>();
    if constexpr (kSpecial == Special::kNegativeInfinite) where<3, kLess>();
  }
  loadi<0, kBf16, 0x3F80>();
  everywhere();
}

/// 1 where the sign bit is set, else 0.
inline void signbit_program() {
  mov<0, 1>();
  loadi<0, kBf16, 0>();
  loadi_where<1, kLess, 0, kBf16, 0x3F80>();
}

}  // namespace tvp::llk::sfpu
