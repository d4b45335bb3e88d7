#pragma once

#include "models/tensix/coprocessor/float_sums.h"
#include "models/tensix/coprocessor/lanes.h"

namespace tvp::tensix::coprocessor::aligned_sums {

// Sums of products or operands into Dst (matrix_arithmetic.md, Accumulate and write).

inline constexpr int kFractionBits = 10;

enum class DstKind { kBf16, kFp16, kFp32 };

/// One or two terms of each column: a sum in units of 2^-10 of 2^exponent.
struct Terms {
  alignas(64) std::int32_t exponent[2][kColumns];
  alignas(64) std::int32_t sum[2][kColumns];
};

template <unsigned kBytes, DstKind kDst>
struct Accumulator {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;

  static constexpr bool k32 = kDst == DstKind::kFp32;
  static constexpr int kMantissaBits = kDst == DstKind::kBf16 ? 7 : k32 ? 23 : 10;
  static constexpr int kLargestExponent = kDst == DstKind::kFp16 ? 31 : 255;
  /// From this exponent on a result is too large, and what is written in its place.
  static constexpr int kOverflow = kDst == DstKind::kFp16 ? 32 : 255;
  static constexpr std::uint32_t kOverflowMantissa = kDst == DstKind::kFp16 ? 0x7FE000 : 0;
  /// 16-bit Dst: ten bits of fraction are left once datums are aligned to each other.
  static constexpr int kDropped = k32 ? 0 : 13;
  static constexpr int kHalf = k32 ? 0 : 1 << 12;

  /// UP: to the nearest multiple of 2^d, in these units, ties up. |v| < 2^30.
  TVP_INLINE static I32 nearest_up(I32 v, I32 d) {
    return (((v + v) >> L::smaller(d, L::all(31))) + 1) >> 1;
  }
  /// AWAY of a magnitude below 2^30.
  TVP_INLINE static U32 nearest(U32 v, I32 d) {
    return (((v + v) >> L::bits(L::smaller(d, L::all(31)))) + 1) >> 1;
  }

  /// In units of 2^-23 of 2^exponent.
  TVP_INLINE static U32 magnitude_of(U32 high, U32 low) {
    if constexpr (kDst == DstKind::kFp16) return (0x400 | ((high >> 5) & 0x3FF)) << 13;
    return ((0x80 | ((high >> 8) & 0x7F)) << 16) | low;
  }
  /// Fields in the order of the storage, of 32 bits or of 16. Sign in bit 31, 23 bits of mantissa.
  TVP_INLINE static U32 stored(U32 sign, U32 exponent, U32 mantissa) {
    if constexpr (kDst == DstKind::kFp16) return (sign >> 16) | (mantissa >> 13 << 5) | exponent;
    const U32 high = (sign >> 16) | (mantissa >> 16 << 8) | exponent;
    if constexpr (k32) return (high << 16) | (mantissa & 0xFFFF);
    return high;
  }

  /// T, in units of 2^-23 of 2^exponent, 16-bit Dst: of 2^-10, normalized and rounded.
  TVP_INLINE static U32 normalized(I32 t, I32 exponent) {
    const I32 magnitude = L::magnitude(t);
    U32 bits;
    I32 x;
    if constexpr (k32) {
      // Conversion to float finds the top bit, and rounds what has more than 24: ties to even,
      // unless there is a bit behind T.
      bits = L::bits(L::to_float(magnitude + magnitude - L::greater(magnitude, L::all(0xFFFFFF))));
      x = L::integers(bits >> 23) + exponent - (127 + 23 + 1);
      x = L::select(L::equal(t, L::all(-1)), exponent + 4, x);  // as the hardware's normalizer does
    } else {
      constexpr int kRounded = 23 - kMantissaBits;
      bits = L::bits(L::to_float(magnitude)) + (1u << (kRounded - 1));
      bits = bits >> kRounded << kRounded;
      x = L::integers(bits >> 23) + exponent - (127 + kFractionBits);
    }
    const I32 overflow = L::greater(x, L::all(kOverflow - 1));
    const U32 mantissa = L::select(overflow, U32{} + kOverflowMantissa, bits & 0x7FFFFF);
    const U32 written = L::bits(L::smaller(x, L::all(kLargestExponent)));
    const I32 nonzero = ~L::equal(t, I32{}) & L::greater(x, I32{});
    return stored(L::bits(t) & 0x80000000, written, mantissa) & L::bits(nonzero);
  }

  /// Adds `kTerms` terms to columns of a row of Dst, or writes their sum there.
  template <unsigned kTerms>
  TVP_INLINE static void add(const Terms& terms, FloatSums::DstRow dst, bool add_dst, unsigned j) {
    const std::uint32_t kept = add_dst ? 0xFFFF : 0;
    const U32 high = L::load16(dst.high->data() + j) & kept;
    U32 low{};
    if constexpr (k32) low = L::load16(dst.low->data() + j) & kept;
    const I32 e_dst = L::integers(high & kLargestExponent);
    const U32 magnitude = magnitude_of(high, low) & ~L::bits(L::equal(e_dst, I32{}));

    const I32 e_0 = L::template load<I32>(terms.exponent[0] + j);
    I32 e = L::larger(e_0, e_dst);
    I32 e_1{};
    if constexpr (kTerms == 2) {
      e_1 = L::template load<I32>(terms.exponent[1] + j);
      e = L::larger(e, e_1);
    }
    const U32 before = (nearest(magnitude, e - e_dst) + kHalf) >> kDropped;
    I32 t = L::with_sign(before, high << 16);
    const I32 sum_0 = L::template load<I32>(terms.sum[0] + j) << 13;
    t += (nearest_up(sum_0, e - e_0) + kHalf) >> kDropped;
    if constexpr (kTerms == 2) {
      const I32 sum_1 = L::template load<I32>(terms.sum[1] + j) << 13;
      t += (nearest_up(sum_1, e - e_1) + kHalf) >> kDropped;
    }
    const U32 result = normalized(t, e) & L::bits(L::greater(e, I32{}));
    L::store16(dst.high->data() + j, k32 ? result >> 16 : result);
    if constexpr (k32) L::store16(dst.low->data() + j, result & 0xFFFF);
  }
};

template <unsigned kBytes, DstKind kDst, unsigned kTerms>
TVP_INLINE void accumulate_row(const Terms& terms, FloatSums::DstRow dst, bool add_dst) {
  for (unsigned j = 0; j < kColumns; j += Lanes<kBytes>::kCount)
    Accumulator<kBytes, kDst>::template add<kTerms>(terms, dst, add_dst, j);
}

template <unsigned kBytes, unsigned kTerms>
TVP_INLINE void accumulate(const FloatSums::Formats& formats, const Terms& terms,
                           FloatSums::DstRow dst, bool add_dst) {
  if (formats.dst32) {
    accumulate_row<kBytes, DstKind::kFp32, kTerms>(terms, dst, add_dst);
  } else if (formats.srca == datum::SrcStyle::kFp16) {
    accumulate_row<kBytes, DstKind::kFp16, kTerms>(terms, dst, add_dst);
  } else {
    accumulate_row<kBytes, DstKind::kBf16, kTerms>(terms, dst, add_dst);
  }
}

}  // namespace tvp::tensix::coprocessor::aligned_sums
