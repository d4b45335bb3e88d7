#pragma once

#include <type_traits>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor::aligned_sums {

// Adds sums of products or operands to Dst (matrix_arithmetic.md, Accumulate and write).

inline constexpr int kFractionBits = 10;

enum class DstKind { kBf16, kFp16, kFp32 };

/// A sum in each column, in units of 2^-10 of 2^exponent. |sum| < 2^16.
template <unsigned kBytes>
struct Term {
  typename Lanes<kBytes>::I32 exponent;
  typename Lanes<kBytes>::I32 sum;
};

template <unsigned kBytes, DstKind kDst>
struct Accumulator {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using Mask = typename L::Mask;

  static constexpr bool k32 = kDst == DstKind::kFp32;
  static constexpr int kMantissaBits = kDst == DstKind::kBf16 ? 7 : k32 ? 23 : 10;
  static constexpr int kLargestExponent = kDst == DstKind::kFp16 ? 31 : 255;
  /// A result with this exponent or a larger one overflows and is replaced by this value.
  static constexpr int kOverflow = kDst == DstKind::kFp16 ? 32 : 255;
  static constexpr std::uint32_t kOverflowMantissa = kDst == DstKind::kFp16 ? 0x7FE000 : 0;
  /// 16-bit Dst: ten bits of fraction remain once datums are aligned to each other.
  static constexpr int kDropped = k32 ? 0 : 13;
  /// Both roundings of nearest() in one step: floor((floor((x + 1) / 2) + h) / 2h).
  static constexpr int kBeforeDropping = k32 ? 1 : 1 + (1 << kDropped);

  /// UP of half of a number below 2^31: to the nearest multiple of 2^d in these units, ties up.
  /// Then drops bits with a second rounding, ties up.
  TVP_INLINE static I32 nearest_up(I32 doubled, I32 d) {
    return (L::shifted_right(doubled, d) + kBeforeDropping) >> (1 + kDropped);
  }
  /// AWAY of half of a magnitude below 2^31.
  TVP_INLINE static U32 nearest(U32 doubled, I32 d) {
    return (L::shifted_right(doubled, d) + kBeforeDropping) >> (1 + kDropped);
  }

  /// Twice the magnitude in units of 2^-23 of 2^exponent.
  TVP_INLINE static U32 doubled_magnitude_of(U32 high, U32 low) {
    if constexpr (kDst == DstKind::kFp16) return (0x400 | ((high >> 5) & 0x3FF)) << 14;
    return ((0x80 | ((high >> 8) & 0x7F)) << 17) | (low << 1);
  }
  /// Fields in storage order, of 32 bits or of 16. Sign in bit 31, mantissa in bits 22:0.
  TVP_INLINE static U32 stored(U32 sign, U32 exponent, U32 mantissa) {
    const U32 with_sign = ((sign >> 16) & 0x8000) | exponent;
    if constexpr (kDst == DstKind::kFp16) return ((mantissa >> 8) & 0x7FE0) | with_sign;
    const U32 high = ((mantissa >> 8) & 0x7F00) | with_sign;
    if constexpr (k32) return (high << 16) | (mantissa & 0xFFFF);
    return high;
  }

  /// T, normalized and rounded. Its unit is 2^-23 of 2^exponent, for 16-bit Dst 2^-10.
  TVP_INLINE static U32 normalized(I32 t, I32 exponent) {
    const I32 magnitude = L::magnitude(t);
    U32 bits;
    I32 x;
    if constexpr (k32) {
      // Conversion to float finds the top bit and rounds numbers of more than 24 bits, ties to
      // even, unless a bit follows T.
      const I32 behind = L::where(L::greater(magnitude, L::all(0xFFFFFF)), L::all(1));
      bits = L::bits(L::to_float(magnitude + magnitude + behind));
      x = L::integers(bits >> 23) + exponent - (127 + 23 + 1);
      x = L::select(L::equal(t, L::all(-1)), exponent + 4, x);  // like the hardware's normalizer
    } else {
      constexpr int kRounded = 23 - kMantissaBits;
      bits = L::bits(L::to_float(magnitude)) + (1u << (kRounded - 1));
      x = L::integers(bits >> 23) + exponent - (127 + kFractionBits);
    }
    const Mask overflow = L::greater(x, L::all(kOverflow - 1));
    const U32 mantissa = L::select(overflow, U32{} + kOverflowMantissa, bits);
    const U32 written = L::bits(L::smaller(x, L::all(kLargestExponent)));
    const U32 result = stored(L::bits(t), written, mantissa);
    return L::where(L::both(L::not_zero(t), L::greater(x, I32{})), result);
  }

  /// Adds `kTerms` terms to columns of a row of Dst, or writes their sum there.
  template <unsigned kTerms>
  TVP_INLINE static void add(const Term<kBytes> (&terms)[kTerms], FloatSums::DstRow dst,
                             bool add_dst, unsigned j) {
    const std::uint32_t kept = add_dst ? 0xFFFF : 0;
    const U32 high = L::load16(dst.high->data() + j) & kept;
    U32 low{};
    if constexpr (k32) low = L::load16(dst.low->data() + j) & kept;
    const I32 e_dst = L::integers(high & kLargestExponent);
    const U32 magnitude = L::except(L::equal(e_dst, I32{}), doubled_magnitude_of(high, low));

    I32 e = e_dst;
    for (const Term<kBytes>& term : terms) e = L::larger(e, term.exponent);
    I32 t = L::with_sign(nearest(magnitude, e - e_dst), high << 16);
    for (const Term<kBytes>& term : terms) t += nearest_up(term.sum << 14, e - term.exponent);
    U32 result = normalized(t, e);
    // Terms of products are 0 for exponents without a result.
    if constexpr (kTerms == 1) result = L::where(L::greater(e, I32{}), result);
    L::store16(dst.high->data() + j, k32 ? result >> 16 : result);
    if constexpr (k32) L::store16(dst.low->data() + j, result & 0xFFFF);
  }
};

template <typename Function>
TVP_INLINE void with_dst_kind(const FloatSums::Formats& formats, Function function) {
  using enum DstKind;
  if (formats.dst32) {
    function(std::integral_constant<DstKind, kFp32>());
  } else if (formats.srca == datum::SrcStyle::kFp16) {
    function(std::integral_constant<DstKind, kFp16>());
  } else {
    function(std::integral_constant<DstKind, kBf16>());
  }
}

}  // namespace tvp::tensix::coprocessor::aligned_sums
