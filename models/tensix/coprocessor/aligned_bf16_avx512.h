#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "models/tensix/coprocessor/aligned_operands.h"
#include "models/tensix/coprocessor/float_sums.h"
#include "models/tensix/coprocessor/lanes.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// Adds the sums of both groups of products to eight rows of BF16 Dst, as Accumulator does, all of
/// it in the host's numbers. For functions that are built for AVX-512.
///
/// To align and to round to ten bits of fraction is again what an addition does if the sum so far
/// is large enough, 1.5 * 2^23 units of 2^(E - 10), from which T is left when they are taken away.
/// Where the hardware decides a tie, there is none here: a datum of Dst has become larger by 2^-13
/// of itself, since its ties go away from zero. Ties of sums of products go up: they have become
/// larger by a part of their own last place and by one of a unit. Together these are less than half
/// of a place for sums that are not moved, and more than one, or two, for those that are moved by
/// 14 and 15 places, of which the hardware rounds the last one, or two, by themselves first.
template <>
class Bf16Rows<64> {
 public:
  static constexpr unsigned kRows = 8;
  using Sums = Lanes<64>::F32[2][2];  ///< of two rows, by groups

  /// Exponents count from that of the largest product. Says whether those of Dst lie such that all
  /// that follows is an ordinary number.
  TVP_INLINE bool load(const Dst::Row* dst, int top) {
    shift_ = _mm512_set1_epi16(static_cast<short>((kExponentOfTop - top) << 7));
    const int lowest = std::max(1, top - kReach);
    const __m512i from = _mm512_set1_epi16(static_cast<short>(lowest));
    const __m512i range =
        _mm512_set1_epi16(static_cast<short>(std::min(kMost, top + kReach) - lowest));
    __mmask32 beyond = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < kRows; i += 2) {
      const __m512i cells = _mm512_loadu_si512(&dst[i]);
      const __m512i exponents = _mm512_and_si512(cells, _mm512_set1_epi16(0xFF));
      const __mmask32 counts = _mm512_test_epi16_mask(exponents, exponents);
      beyond |= _mm512_mask_cmpgt_epu16_mask(counts, _mm512_sub_epi16(exponents, from), range);
      const __m512i words = _mm512_maskz_add_epi16(
          counts, turned(cells, _mm512_slli_epi16(cells, 7), _mm512_srli_epi16(cells, 8), 0x7F80),
          shift_);
      _mm512_store_si512(values_[i], first_as_floats(words));
      _mm512_store_si512(values_[i + 1], second_as_floats(words));
    }
    return beyond == 0;
  }
  /// `top` of products whose sums never reach the ends of the range of BF16.
  TVP_INLINE static bool takes(int top) { return top >= kLeast && top <= kMost; }

  /// To rows `i` and `i + 1`; `begin` is what each of their sums began with.
  TVP_INLINE void add(unsigned i, const Sums& begin, const Sums& sum, Dst::Row* dst) const {
    __m512i of_dst[2];
    __m512 units[2], all[2], moved[2][2];
#pragma GCC unroll 2
    for (unsigned r = 0; r < 2; ++r) {
      of_dst[r] = _mm512_load_si512(values_[i + r]);
      // 1.5 * 2^13 of its leading one, which is 1.5 * 2^23 of its own units.
      const __m512i exponent = _mm512_and_si512(of_dst[r], _mm512_set1_epi32(0x7F800000));
      const __m512i largest = _mm512_max_epi32(as_bits(begin[r][0]), as_bits(begin[r][1]));
      units[r] = _mm512_castsi512_ps(_mm512_max_epi32(
          _mm512_add_epi32(exponent, _mm512_set1_epi32((13 << 23) | (1 << 22))), largest));
    }
#pragma GCC unroll 4
    for (unsigned c = 0; c < 4; ++c) {
      const __m512 from = (__m512)begin[c / 2][c % 2];
      const __m512 whole = _mm512_sub_ps((__m512)sum[c / 2][c % 2], from);
      const __m512 by_own = _mm512_fmadd_ps(from, _mm512_set1_ps(kOfOwnPlace), whole);
      moved[c / 2][c % 2] = _mm512_fmadd_ps(units[c / 2], _mm512_set1_ps(kOfUnit), by_own);
    }
#pragma GCC unroll 2
    for (unsigned r = 0; r < 2; ++r) all[r] = _mm512_add_ps(units[r], moved[r][0]);
#pragma GCC unroll 2
    for (unsigned r = 0; r < 2; ++r) all[r] = _mm512_add_ps(all[r], moved[r][1]);
#pragma GCC unroll 2
    for (unsigned r = 0; r < 2; ++r) {
      const __m512 whole = _mm512_castsi512_ps(of_dst[r]);
      all[r] = _mm512_fmadd_ps(whole, _mm512_set1_ps(1 + 0x1p-13F), all[r]);
    }
    const __m512i words = high_halves(rounded(_mm512_sub_ps(all[0], units[0])),
                                      rounded(_mm512_sub_ps(all[1], units[1])));
    const __mmask32 counts = _mm512_test_epi16_mask(words, words);
    const __m512i scaled = _mm512_maskz_sub_epi16(counts, words, shift_);
    _mm512_storeu_si512(&dst[i], turned(scaled, _mm512_slli_epi16(scaled, 8),
                                        _mm512_srli_epi16(scaled, 7), 0x7F00));
  }

 private:
  /// Exponents, as floats have them, of the leading one of what has the exponent of the top.
  static constexpr int kExponentOfTop = 127 + 23;
  /// From it up and down; the least of what sums without products begin with is below.
  static constexpr int kReach = 90;
  static_assert(kExponentOfTop - kReach + 13 > kBeginOfNothing);
  /// The largest group is at most 47 below the top, T not less than 2^-10 of it; nor is it more
  /// than 2^6 of the largest number.
  static constexpr int kLeast = 47 + 10 + 1, kMost = 254 - 6;
  // Of 1.5 * 2^23 places or units: 0.375, and 0.84 of 2^-14.
  static constexpr float kOfOwnPlace = 0x1p-25F, kOfUnit = 1.125F * 0x1p-38F;

  /// Fields in the other order: the sign of `with_sign`, bits that `mask` has of `left`, else of
  /// `right`.
  TVP_INLINE static __m512i turned(__m512i with_sign, __m512i left, __m512i right, int mask) {
    constexpr int kSelect = 0xCA;
    const __m512i fields = _mm512_ternarylogic_epi32(_mm512_set1_epi16(static_cast<short>(mask)),
                                                     left, right, kSelect);
    return _mm512_ternarylogic_epi32(_mm512_set1_epi16(static_cast<short>(0x8000)), with_sign,
                                     fields, kSelect);
  }
  TVP_INLINE static __m512i first_as_floats(__m512i words) {
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(words)), 16);
  }
  TVP_INLINE static __m512i second_as_floats(__m512i words) {
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(words, 1)), 16);
  }
  TVP_INLINE static __m512i as_bits(Lanes<64>::F32 value) { return (__m512i)value; }
  /// To eight bits, ties away from zero, in the high half.
  TVP_INLINE static __m512i rounded(__m512 value) {
    return _mm512_add_epi32(_mm512_castps_si512(value), _mm512_set1_epi32(1 << 15));
  }
  TVP_INLINE static __m512i high_halves(__m512i a, __m512i b) {
    alignas(64) static constexpr std::uint16_t kOdd[] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                         23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                         45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return _mm512_permutex2var_epi16(a, _mm512_load_si512(kOdd), b);
  }

  __m512i shift_;
  alignas(64) std::uint32_t values_[kRows][kColumns];
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
