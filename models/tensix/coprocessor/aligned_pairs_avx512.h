#pragma once

#include <immintrin.h>

#include <cstdint>

#include "models/tensix/coprocessor/aligned_operands.h"
#include "models/tensix/coprocessor/float_sums.h"
#include "models/tensix/coprocessor/lanes.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// Adds the sums of both groups of products to eight rows of BF16 Dst, as Accumulator does, two
/// rows at once in lanes of 16 bits: a sum is no larger than eight products of 31 * 127, which with
/// the other one and a datum of Dst leaves a magnitude below 2^16. For functions that are built for
/// AVX-512.
template <>
class RowPairs<64> {
 public:
  static constexpr unsigned kRows = 8;
  // For each group and row: the sum, in units of 2^-10 of its exponent, and how far that is below
  // the top; beyond `zero` there is nothing.
  using Sums = std::uint16_t[2][kRows][kColumns];
  using Distances = std::uint8_t[2][kRows][kColumns];

  /// `dst` has eight rows side by side.
  TVP_INLINE static void add(const Sums& sums, const Distances& below, int top, int zero,
                             Dst::Row* dst) {
#pragma GCC unroll 2
    for (unsigned i = 0; i < kRows; i += 4) {
      const __m512i cells[2] = {_mm512_loadu_si512(&dst[i]), _mm512_loadu_si512(&dst[i + 2])};
      const __m512i of_dst = low_bytes(cells[0], cells[1]);
      const __m512i of_a = exponents(top, _mm512_loadu_si512(below[0][i]), zero);
      const __m512i of_b = exponents(top, _mm512_loadu_si512(below[1][i]), zero);
      const __m512i largest = _mm512_max_epu8(of_dst, _mm512_max_epu8(of_a, of_b));
      const __m512i by_dst = _mm512_sub_epi8(largest, of_dst);
      const __m512i by_a = _mm512_sub_epi8(largest, of_a);
      const __m512i by_b = _mm512_sub_epi8(largest, of_b);
      const std::uint64_t counts_a = _mm512_test_epi8_mask(of_a, of_a);  // exponent 0: nothing
      const std::uint64_t counts_b = _mm512_test_epi8_mask(of_b, of_b);
#pragma GCC unroll 2
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned row = i + 2 * k;
        const __m512i d = of_datum(cells[k], words(by_dst, k));
        const __m512i a = aligned(two_rows(sums[0], row, counts_a >> 32 * k), words(by_a, k));
        const __m512i b = aligned(two_rows(sums[1], row, counts_b >> 32 * k), words(by_b, k));
        // The sign of the whole is that of its parts' sum that stays in its range.
        const __m512i whole = _mm512_add_epi16(_mm512_add_epi16(a, b), d);
        const __m512i sign = _mm512_adds_epi16(_mm512_adds_epi16(a, b), d);
        _mm512_storeu_si512(&dst[row], normalized(whole, sign, words(largest, k)));
      }
    }
  }

 private:
  /// One half of 64 bytes.
  TVP_INLINE static __m512i words(__m512i bytes, unsigned half) {
    return _mm512_cvtepu8_epi16(half == 0 ? _mm512_castsi512_si256(bytes)
                                          : _mm512_extracti64x4_epi64(bytes, 1));
  }
  /// (Each by a load of its own: the host passes on what it has just stored in that size.)
  TVP_INLINE static __m512i two_rows(const std::uint16_t (&rows)[kRows][kColumns], unsigned row,
                                     std::uint64_t counts) {
    const auto* const first = reinterpret_cast<const __m256i*>(rows[row]);
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)),
                                            _mm256_loadu_si256(first + 1), 1);
    return _mm512_maskz_mov_epi16(static_cast<__mmask32>(counts), both);
  }
  TVP_INLINE static __m512i exponents(int top, __m512i below, int zero) {
    const __mmask64 any = _mm512_cmple_epu8_mask(below, _mm512_set1_epi8(static_cast<char>(zero)));
    const __m512i first = _mm512_set1_epi8(static_cast<char>(top < 0 ? 0 : top));
    return _mm512_maskz_subs_epu8(any, first, below);
  }
  TVP_INLINE static __m512i low_bytes(__m512i a, __m512i b) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)),
                              _mm512_cvtepi16_epi8(b), 1);
  }
  TVP_INLINE static __m512i negative_where(__mmask32 mask, __m512i v) {
    return _mm512_mask_sub_epi16(v, mask, _mm512_setzero_si512(), v);
  }

  /// Accumulator::nearest of a datum of Dst whose last bit is 2^-7: in units of 2^-10.
  TVP_INLINE static __m512i of_datum(__m512i cell, __m512i places) {
    const __m512i low_mask = _mm512_set1_epi16(0xFF);
    const __mmask32 counts = _mm512_test_epi16_mask(cell, low_mask);
    const __m512i mantissa = _mm512_and_si512(_mm512_srli_epi16(cell, 4), _mm512_set1_epi16(0x7F0));
    const __m512i doubled =
        _mm512_maskz_mov_epi16(counts, _mm512_or_si512(mantissa, _mm512_set1_epi16(0x800)));
    const __m512i magnitude =
        _mm512_avg_epu16(_mm512_srlv_epi16(doubled, places), _mm512_setzero_si512());
    return negative_where(_mm512_movepi16_mask(cell), magnitude);
  }
  /// Accumulator::nearest_up. Its first rounding, to 2^-23, only shows from 14 places on, and
  /// beyond 15 nothing is left.
  TVP_INLINE static __m512i aligned(__m512i sum, __m512i places) {
    const __m512i one = _mm512_set1_epi16(1);
    const __mmask32 moves = _mm512_test_epi16_mask(places, places);
    const __m512i thirteen = _mm512_set1_epi16(13);
    const __m512i more = _mm512_min_epu16(_mm512_sub_epi16(places, thirteen), _mm512_set1_epi16(2));
    const __m512i corrected =
        _mm512_mask_add_epi16(sum, _mm512_cmpgt_epi16_mask(places, thirteen), sum, more);
    const __m512i halves = _mm512_srav_epi16(corrected, _mm512_sub_epi16(places, one));
    return _mm512_mask_srai_epi16(corrected, moves, _mm512_add_epi16(halves, one), 1);
  }
  /// Accumulator::normalized.
  TVP_INLINE static __m512i normalized(__m512i whole, __m512i sign, __m512i exponent) {
    const __m512i magnitude = negative_where(_mm512_movepi16_mask(sign), whole);
    const __m512i numbers = high_halves(rounded(_mm512_castsi512_si256(magnitude)),
                                        rounded(_mm512_extracti64x4_epi64(magnitude, 1)));
    const __m512i place = _mm512_add_epi16(_mm512_srli_epi16(numbers, 7),
                                           _mm512_sub_epi16(exponent, _mm512_set1_epi16(127 + 10)));
    const __mmask32 counts = _mm512_mask_cmpgt_epi16_mask(_mm512_test_epi16_mask(numbers, numbers),
                                                          place, _mm512_setzero_si512());
    const __m512i largest = _mm512_set1_epi16(255);
    const __mmask32 fits = _mm512_cmplt_epi16_mask(place, largest);
    const __m512i mantissa = _mm512_maskz_slli_epi16(fits, numbers, 9);
    const __m512i fields =
        _mm512_or_si512(_mm512_srli_epi16(mantissa, 1), _mm512_min_epi16(place, largest));
    constexpr int kFirstOrBothOthers = 0xF8;
    const __m512i result = _mm512_ternarylogic_epi32(
        fields, sign, _mm512_set1_epi16(static_cast<short>(0x8000)), kFirstOrBothOthers);
    return _mm512_maskz_mov_epi16(counts, result);
  }
  TVP_INLINE static __m512i high_halves(__m512i a, __m512i b) {
    alignas(64) static constexpr std::uint16_t kOdd[] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                         23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                         45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return _mm512_permutex2var_epi16(a, _mm512_load_si512(kOdd), b);
  }
  /// To eight bits, ties away from zero, in the high half of a float.
  TVP_INLINE static __m512i rounded(__m256i magnitude) {
    const __m512 number = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(magnitude));
    return _mm512_add_epi32(_mm512_castps_si512(number), _mm512_set1_epi32(1 << 15));
  }
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
