#pragma once

// Functions of vectors: one instruction each, or a few as the name says.

#include <utility>

#include "api/sfpi/constants.h"
#include "api/sfpi/registers.h"

namespace sfpi {

// ---- The same bits as another type ------------------------------------------------------------

template <impl_::Vector T>
sfpi_inline T reinterpret(vVal v) {
  return T(v.get());
}
template <impl_::Vector T>
sfpi_inline T as(vVal v) {
  return T(v.get());
}

// ---- Parts of floats --------------------------------------------------------------------------

struct ExponentMode {
  enum Values { Unbiased, Biased };
  static constexpr Values Debias = Unbiased;
  static constexpr Values NoDebias = Biased;
  constexpr ExponentMode(Values v) : value(v) {}
  Values value;
};
enum class MantissaMode { FractionOnly, WithUnitBit, ImplicitOne = WithUnitBit };

/// The exponent as an integer, less 127 if unbiased.
sfpi_inline vInt exexp(vFloat v, ExponentMode mode = ExponentMode::Unbiased) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpexexp>(
      t::encode_sfpexexp(0, 0, mode.value == ExponentMode::Biased ? 1 : 0), v.get());
}
sfpi_inline vInt exexp_nodebias(vFloat v) { return exexp(v, ExponentMode::Biased); }
/// The 23 bits of the mantissa, optionally with the leading one.
sfpi_inline vMag exman(vFloat v, MantissaMode mode = MantissaMode::FractionOnly) {
  using namespace impl_;
  return vMag(from_c<t::Opcode::kSfpexman>(
      t::encode_sfpexman(0, 0, mode == MantissaMode::FractionOnly ? 1 : 0), v.get()));
}
sfpi_inline vInt exman8(vFloat v) { return exman(v, MantissaMode::WithUnitBit).get(); }
sfpi_inline vInt exman9(vFloat v) { return exman(v).get(); }
template <impl_::Vector T>
sfpi_inline vUInt exsgn(T v) {
  return as<vUInt>(v) >> 31;
}

/// `v` with another exponent, mantissa or sign. The new value is a number or the low bits of a
/// vector of integers. For the sign it is the top bit of any vector.
template <Integral T>
sfpi_inline vFloat setexp(vFloat v, T exponent) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpsetexp>(
      t::encode_sfpsetexp(static_cast<Word>(exponent) & 0xFF, 0, 0, 1), v.get());
}
template <impl_::IntegerVector T>
sfpi_inline vFloat setexp(vFloat v, T exponent) {
  using namespace impl_;
  return into<t::Opcode::kSfpsetexp>(t::encode_sfpsetexp(0, 0, 0, 0), exponent.get(), v.get());
}
sfpi_inline vFloat copyexp(vFloat v, vFloat from) {
  using namespace impl_;
  return into<t::Opcode::kSfpsetexp>(t::encode_sfpsetexp(0, 0, 0, 2), from.get(), v.get());
}
/// The upper 12 bits of the mantissa if the number fits them as it is shifted, all 23 otherwise.
template <Integral T>
sfpi_inline vFloat setman(vFloat v, T mantissa) {
  using namespace impl_;
  const auto bits = static_cast<uint32_t>(mantissa);
  if (__builtin_constant_p(bits) && bits < 0x1000) {
    return from_c<t::Opcode::kSfpsetman>(t::encode_sfpsetman(bits, 0, 0, 1), v.get());
  }
  return into<t::Opcode::kSfpsetman>(t::encode_sfpsetman(0, 0, 0, 0), load_bits(bits), v.get());
}
template <impl_::Vector T>
sfpi_inline vFloat setman(vFloat v, T mantissa) {
  using namespace impl_;
  return into<t::Opcode::kSfpsetman>(t::encode_sfpsetman(0, 0, 0, 0), mantissa.get(), v.get());
}
sfpi_inline vFloat copyman(vFloat v, vFloat from) { return setman(v, from); }
template <impl_::Vector T, Integral S>
sfpi_inline T setsgn(T v, S sign) {
  using namespace impl_;
  return T(from_c<t::Opcode::kSfpsetsgn>(t::encode_sfpsetsgn(static_cast<Word>(sign) & 1, 0, 0, 1),
                                         v.get()));
}
template <impl_::Vector T, impl_::Vector S>
sfpi_inline T copysgn(T v, S sign) {
  using namespace impl_;
  return T(into<t::Opcode::kSfpsetsgn>(t::encode_sfpsetsgn(0, 0, 0, 0), sign.get(), v.get()));
}
template <impl_::Vector T, impl_::Vector S>
sfpi_inline T setsgn(T v, S sign) {
  return copysgn(v, sign);
}
/// Adds a number to the exponent. Infinities stay.
template <Integral T>
sfpi_inline vFloat addexp(vFloat v, T exponent) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpdivp2>(
      t::encode_sfpdivp2(static_cast<Word>(exponent) & 0xFF, 0, 0, 1), v.get());
}
enum class LdexpMode { Correct, Fast };
template <Integral T>
sfpi_inline vFloat ldexp(vFloat v, T scale, LdexpMode = LdexpMode::Correct) {
  return addexp(v, scale);
}
sfpi_inline vFloat ldexp(vFloat v, vInt scale, LdexpMode mode = LdexpMode::Correct) {
  if (mode == LdexpMode::Fast) return setexp(v, exexp_nodebias(v) + scale);
  return v * setexp(vFloat(0.0f), scale + 127);
}

sfpi_inline vFloat abs(vFloat v) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpabs>(t::encode_sfpabs(0, 0, 1), v.get());
}
sfpi_inline vInt abs(vInt v) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpabs>(t::encode_sfpabs(0, 0, 0), v.get());
}
sfpi_inline vMag abs(vSMag v) { return vMag(setsgn(v, 0).get()); }

// ---- Bits -------------------------------------------------------------------------------------

enum class LZMode { All, IgnoreSign };
/// Leading zeros, 32 for zero.
template <impl_::Vector T>
sfpi_inline vInt lz(T v, LZMode mode = LZMode::All) {
  using namespace impl_;
  return from_c<t::Opcode::kSfplz>(t::encode_sfplz(0, 0, mode == LZMode::All ? 0 : 4), v.get());
}
template <impl_::Vector T>
sfpi_inline vInt lz_nosgn(T v) {
  return lz(v, LZMode::IgnoreSign);
}
enum class ShiftMode { Logical };
/// Shifts to the left, or by negative amounts to the right.
template <impl_::IntegerVector T, Integral S>
sfpi_inline T shft(T v, S amount, ShiftMode = ShiftMode::Logical) {
  return T(impl_::shift(v.get(), static_cast<int32_t>(amount)));
}
template <impl_::IntegerVector T, impl_::IntegerVector S>
sfpi_inline T shft(T v, S amount, ShiftMode = ShiftMode::Logical) {
  return T(impl_::shift(v.get(), amount.get()));
}

// ---- Kinds of floats --------------------------------------------------------------------------

sfpi_inline auto is_nan(vFloat v) { return exexp_nodebias(v) >= 255 && exman9(v) != 0; }
sfpi_inline auto is_inf(vFloat v) { return exexp_nodebias(v) >= 255 && exman9(v) == 0; }
sfpi_inline auto is_finite(vFloat v) { return exexp_nodebias(v) < 255; }
sfpi_inline auto is_normal(vFloat v) {
  const vInt exponent = exexp_nodebias(v);
  return exponent < 255 && exponent != 0;
}
sfpi_inline auto is_subnormal(vFloat v) { return exexp_nodebias(v) == 0 && exman9(v) != 0; }
sfpi_inline auto is_zero(vFloat v) { return (as<vUInt>(v) << 1) == 0; }
sfpi_inline auto is_pos(vFloat v) { return as<vInt>(v) >= 0; }
sfpi_inline auto is_neg(vFloat v) { return as<vInt>(v) < 0; }

// ---- Conversions ------------------------------------------------------------------------------

/// Rounding to nearest, or by random bits. The number 0 means nearest.
struct RoundMode {
  enum Values { NearestAway, Nearest = NearestAway, NearestStochastic };
  static constexpr Values NearestEven = NearestAway;
  static constexpr Values Stochastic = NearestStochastic;
  constexpr RoundMode(Values v) : random(v == NearestStochastic) {}
  constexpr RoundMode(int v) : random(v != 0) {}
  bool random;
};

namespace impl_ {

/// Mod1 of SFPSTOCHRND.
enum Rounded : Word {
  kToFp16 = 0,
  kToBf16,
  kToUInt8,
  kToInt8,
  kIntToUInt8,
  kIntToInt8,
  kToUInt16,
  kToInt16
};

sfpi_inline sfpu_t round_to(Rounded what, sfpu_t v, RoundMode mode) {
  return from_c<t::Opcode::kSfpstochrnd>(t::encode_sfpstochrnd(mode.random, 0, 0, 0, 0, 0, what),
                                         v);
}
/// Divides by a power of two and rounds.
sfpi_inline sfpu_t round_to(Rounded what, sfpu_t v, unsigned shift, RoundMode mode) {
  return from_c<t::Opcode::kSfpstochrnd>(
      t::encode_sfpstochrnd(mode.random, shift & 31, 0, 0, 0, 1, what), v);
}
sfpi_inline sfpu_t round_to(Rounded what, sfpu_t v, sfpu_t shift, RoundMode mode) {
  return from_bc<t::Opcode::kSfpstochrnd>(t::encode_sfpstochrnd(mode.random, 0, 0, 0, 0, 0, what),
                                          shift, v);
}
sfpi_inline sfpu_t cast_to_float(sfpu_t v, RoundMode mode) {
  return from_c<t::Opcode::kSfpcast>(t::encode_sfpcast(0, 0, mode.random ? 1 : 0), v);
}
/// Converts sign and magnitude to two's complement, or back.
sfpi_inline sfpu_t other_sign_form(sfpu_t v) {
  vInt result(v);
  v_if(result < 0) {
    result = setsgn(result, 0);
    result = 0 - result;
  }
  v_endif;
  return result.get();
}

template <typename To>
constexpr Rounded rounded() {
  if (std::is_same_v<To, vFloat16a>) return kToFp16;
  if (std::is_same_v<To, vFloat16b>) return kToBf16;
  if (std::is_same_v<To, vUInt8>) return kToUInt8;
  if (std::is_same_v<To, vSMag8>) return kToInt8;
  if (std::is_same_v<To, vUInt16>) return kToUInt16;
  return kToInt16;
}

}  // namespace impl_

/// Converts values between types of vectors. Integers of 16 and 8 bits saturate.
template <impl_::Vector To, impl_::Vector From>
sfpi_inline To convert(From v, RoundMode mode = RoundMode::NearestStochastic) {
  using namespace impl_;
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (std::is_base_of_v<vFloat, From>) {
    static_assert(
        std::is_same_v<To, vFloat16a> || std::is_same_v<To, vFloat16b> ||
            std::is_same_v<To, vUInt8> || std::is_same_v<To, vUInt16> ||
            std::is_base_of_v<vSMag16, To>,
        "the vector unit converts floats to vFloat16a, vFloat16b, vUInt8, vUInt16, vSMag8 "
        "and vSMag16");
    return To(round_to(rounded<To>(), v.get(), mode));
  } else if constexpr (std::is_base_of_v<vInt, From>) {
    if constexpr (std::is_same_v<To, vSMag>) {
      return To(other_sign_form(v.get()));
    } else {
      return convert<To>(vSMag(other_sign_form(v.get())), mode);
    }
  } else if constexpr (std::is_base_of_v<vUInt, From>) {
    if constexpr (std::is_same_v<To, vInt>) {
      return To(v.get());
    } else {
      return convert<To>(vSMag(v.get()), mode);
    }
  } else if constexpr (std::is_same_v<To, vInt>) {
    return To(other_sign_form(v.get()));
  } else {
    static_assert(std::is_base_of_v<vFloat, To>, "not a conversion of the vector unit's");
    return convert<To>(vFloat(cast_to_float(v.get(), mode)), mode);
  }
}

/// Converts a number in sign and magnitude of any type.
sfpi_inline vFloat int32_to_float(vVal v, RoundMode mode = RoundMode::NearestStochastic) {
  return impl_::cast_to_float(v.get(), mode);
}
#define TVP_SFPI_ROUND(name, Result, what)                                           \
  sfpi_inline Result name(vFloat v, RoundMode mode = RoundMode::NearestStochastic) { \
    return impl_::round_to(impl_::what, v.get(), mode);                              \
  }
TVP_SFPI_ROUND(float_to_fp16a, vUInt, kToFp16)
TVP_SFPI_ROUND(float_to_fp16b, vUInt, kToBf16)
TVP_SFPI_ROUND(float_to_uint8, vUInt, kToUInt8)
TVP_SFPI_ROUND(float_to_int8, vUInt, kToInt8)
TVP_SFPI_ROUND(float_to_uint16, vUInt, kToUInt16)
TVP_SFPI_ROUND(float_to_int16, vUInt, kToInt16)
#undef TVP_SFPI_ROUND
#define TVP_SFPI_DESCALE(name, what)                                                              \
  sfpi_inline vUInt name(vInt v, vUInt shift, RoundMode mode = RoundMode::NearestStochastic) {    \
    return impl_::round_to(impl_::what, v.get(), shift.get(), mode);                              \
  }                                                                                               \
  sfpi_inline vUInt name(vInt v, unsigned shift, RoundMode mode = RoundMode::NearestStochastic) { \
    return impl_::round_to(impl_::what, v.get(), shift, mode);                                    \
  }
TVP_SFPI_DESCALE(int32_to_uint8, kIntToUInt8)
TVP_SFPI_DESCALE(int32_to_int8, kIntToInt8)
#undef TVP_SFPI_DESCALE

/// The nearest whole number below 2^22 in magnitude, as float and as integer.
struct FloatInt {
  vFloat first;
  vInt second;
  sfpi_inline operator vFloat() const { return first; }
  sfpi_inline operator vInt() const { return second; }
};
sfpi_inline FloatInt round(vFloat x) {
  const vFloat magic = 12582912.0f;  // 1.5 * 2^23
  const vFloat sum = x + magic;
  return {sum - magic, as<vInt>(sum) - as<vInt>(magic)};
}

// ---- Tables (ISA SFPLUT.md, SFPLUTFP32.md) ----------------------------------------------------

namespace impl_ {

inline constexpr Word kKeepSign = 4;

template <Word kSign>
sfpi_inline vFloat table8(vFloat v, vVal l0, vVal l1, vVal l2) {
  sfpu_t d;
  asm volatile inline("sfpi.issue %[w],d20=%[d],S0=%[a],S1=%[b],S2=%[c],S3=%[v]"
                      : [d] "=r"(d.token)
                      : [w] "i"(t::encode_sfplut(0, kSign)), [a] "r"(l0.get().token),
                        [b] "r"(l1.get().token), [c] "r"(l2.get().token), [v] "r"(v.get().token));
  return d;
}
/// Its mode also means that LReg 7 names the result.
template <Word kSign>
sfpi_inline vFloat table16(vFloat v, vVal l0, vVal l1, vVal l2) {
  sfpu_t d;
  asm volatile inline("sfpi.issue %[w],D3=%[d],S0=%[a],S1=%[b],S2=%[c],S3=%[v],S7=%[i]"
                      : [d] "=r"(d.token)
                      : [w] "i"(t::encode_sfplutfp32(3, 10 | kSign)), [a] "r"(l0.get().token),
                        [b] "r"(l1.get().token), [c] "r"(l2.get().token), [v] "r"(v.get().token),
                        [i] "r"(load_bits(3).token));
  return d;
}
template <Word kMode>
sfpi_inline vFloat table6(vFloat v, vVal a0, vVal a1, vVal a2, vVal b0, vVal b1, vVal b2) {
  sfpu_t d;
  asm volatile inline(
      "sfpi.issue %[w],d4=%[d],S0=%[a],S1=%[b],S2=%[c],S3=%[v],S4=%[e],S5=%[f],S6=%[g]"
      : [d] "=r"(d.token)
      : [w] "i"(t::encode_sfplutfp32(0, kMode)), [a] "r"(a0.get().token), [b] "r"(a1.get().token),
        [c] "r"(a2.get().token), [v] "r"(v.get().token), [e] "r"(b0.get().token),
        [f] "r"(b1.get().token), [g] "r"(b2.get().token));
  return d;
}

}  // namespace impl_

/// a |v| + b with a and b from a table by |v| < 1, < 2 and above. The result has the sign of v or,
/// with lut…_sign, its own. Tables: pairs of 8 bits, pairs of FP16, floats, six pairs of FP16.
sfpi_inline vFloat lut(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
  return impl_::table8<impl_::kKeepSign>(v, l0, l1, l2);
}
sfpi_inline vFloat lut_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
  return impl_::table8<0>(v, l0, l1, l2);
}
sfpi_inline vFloat lut2(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
  return impl_::table16<impl_::kKeepSign>(v, l0, l1, l2);
}
sfpi_inline vFloat lut2_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
  return impl_::table16<0>(v, l0, l1, l2);
}
sfpi_inline vFloat lut2(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1,
                        vFloat b2) {
  return impl_::table6<impl_::kKeepSign>(v, a0, a1, a2, b0, b1, b2);
}
sfpi_inline vFloat lut2_sign(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1,
                             vFloat b2) {
  return impl_::table6<0>(v, a0, a1, a2, b0, b1, b2);
}
/// Selects the segment by |v| < 1/2, 1, 3/2, 2, and 3 (mode 1) or 4.
sfpi_inline vFloat lut2(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23, vUInt b45,
                        int mode = 1) {
  if (mode == 1) return impl_::table6<2 | impl_::kKeepSign>(v, a01, a23, a45, b01, b23, b45);
  return impl_::table6<3 | impl_::kKeepSign>(v, a01, a23, a45, b01, b23, b45);
}
sfpi_inline vFloat lut2_sign(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23,
                             vUInt b45, int mode = 1) {
  if (mode == 1) return impl_::table6<2>(v, a01, a23, a45, b01, b23, b45);
  return impl_::table6<3>(v, a01, a23, a45, b01, b23, b45);
}

// ---- Two and more vectors ---------------------------------------------------------------------

namespace impl_ {

/// Mod1 of SFPSWAP, in place. With 1 `d` gets the smaller, by the order of sign and magnitude.
template <Word kMode>
sfpi_inline void exchange(sfpu_t& d, sfpu_t& c) {
  asm volatile inline("sfpi.issue %2,m4=%0,m8=%1"
                      : "+r"(d.token), "+r"(c.token)
                      : "i"(t::encode_sfpswap(0, 0, kMode)));
}

}  // namespace impl_

template <impl_::Vector T>
sfpi_inline void swap(T& a, T& b) {
  impl_::exchange<0>(a.ref(), b.ref());
}
template <impl_::Vector T>
sfpi_inline void vec_swap(T& a, T& b) {
  impl_::exchange<0>(a.ref(), b.ref());
}
/// `a` becomes the smaller of each lane, `b` the larger.
template <impl_::Vector T>
sfpi_inline void vec_min_max(T& a, T& b) {
  impl_::exchange<1>(a.ref(), b.ref());
}
template <impl_::Vector T>
sfpi_inline void vec_max_min(T& a, T& b) {
  impl_::exchange<1>(b.ref(), a.ref());
}
template <typename T>
concept Ordered = std::is_base_of_v<vFloat, T> || std::is_base_of_v<vSMag, T>;
template <Ordered T>
sfpi_inline std::pair<T, T> min_max(T a, T b) {
  sfpu_t x = a.get();
  sfpu_t y = b.get();
  impl_::exchange<1>(x, y);
  return {T(x), T(y)};
}
template <Ordered T>
sfpi_inline T min(T a, T b) {
  return min_max(a, b).first;
}
template <Ordered T>
sfpi_inline T max(T a, T b) {
  return min_max(a, b).second;
}
sfpi_inline vFloat min(vFloat a, float b) { return min(a, vFloat(b)); }
sfpi_inline vFloat max(vFloat a, float b) { return max(a, vFloat(b)); }
template <Ordered T>
sfpi_inline T clamp(T v, T low, T high) {
  return min(max(v, low), high);
}
sfpi_inline vFloat clamp(vFloat v, float low, float high) { return min(max(v, low), high); }
sfpi_inline vFloat symmetric_clamp(vFloat v, float bound) { return copysgn(min(abs(v), bound), v); }

/// Rotates each group of eight lanes by one to the right.
sfpi_inline sfpu_t subvec_shflror1(const vVal& v) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpshft2>(t::encode_sfpshft2(0, 0, 0, 3), v.get());
}
/// Shifts by one to the right without rotation. The first lane is not zero (ISA SFPSHFT2.md).
sfpi_inline sfpu_t subvec_shflshr1(const vVal& v) {
  using namespace impl_;
  return from_c<t::Opcode::kSfpshft2>(t::encode_sfpshft2(0, 0, 0, 4), v.get());
}
/// The four vectors are rows of eight 4x4 matrices, and each matrix is transposed. LReg 4 to 7
/// cannot hold other values, because the instruction also transposes them.
template <impl_::Vector T>
sfpi_inline void subvec_transp(T& a, T& b, T& c, T& d) {
  asm volatile inline("sfpi.issue %4,M0=%0,M1=%1,M2=%2,M3=%3,X4,X5,X6,X7"
                      : "+r"(a.ref().token), "+r"(b.ref().token), "+r"(c.ref().token),
                        "+r"(d.ref().token)
                      : "i"(impl_::t::encode_sfptransp(0)));
}

/// c0 + c1 x + c2 x x …
sfpi_inline vFloat polynomial(vFloat) { return 0.0f; }
template <typename C>
sfpi_inline vFloat polynomial(vFloat, C c0) {
  return vFloat(c0);
}
template <typename C0, typename C1, typename... Cs>
sfpi_inline vFloat polynomial(vFloat x, C0 c0, C1 c1, Cs... cs) {
  return x * polynomial(x, c1, cs...) + vFloat(c0);
}

}  // namespace sfpi
