#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/lanes.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX-512 (F, CD, BW, DQ, VL). The compiler takes comparisons of
/// its own 64-byte vectors apart, lane by lane; these are instructions.
template <>
struct Lanes<64> : LaneMoves<64> {
  using LaneMoves<64>::I32;
  using LaneMoves<64>::U32;
  using LaneMoves<64>::U16;
  using LaneMoves<64>::U8;
  using Mask = __mmask16;
  static constexpr bool kHasWords = true;

  TVP_INLINE static U32 load16(const std::uint16_t* from) {
    return (U32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)from));
  }
  TVP_INLINE static void store16(std::uint16_t* to, U32 v) {
    _mm256_storeu_si256((__m256i*)to, _mm512_cvtepi32_epi16((__m512i)v));
  }
  TVP_INLINE static I32 load8(const std::uint8_t* from) {
    return (I32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)from));
  }
  TVP_INLINE static U8 lowest_bytes(const I32 (&v)[4]) {
    const __m256i first =
        joined(_mm512_cvtepi32_epi8((__m512i)v[0]), _mm512_cvtepi32_epi8((__m512i)v[1]));
    const __m256i second =
        joined(_mm512_cvtepi32_epi8((__m512i)v[2]), _mm512_cvtepi32_epi8((__m512i)v[3]));
    return (U8)_mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
  }

  TVP_INLINE static I32 larger(I32 a, I32 b) {
    return (I32)_mm512_max_epi32((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static I32 smaller(I32 a, I32 b) {
    return (I32)_mm512_min_epi32((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static U8 smaller(U8 a, U8 b) { return (U8)_mm512_min_epu8((__m512i)a, (__m512i)b); }
  TVP_INLINE static std::int32_t largest(I32 v) { return _mm512_reduce_max_epi32((__m512i)v); }
  TVP_INLINE static Mask greater(I32 a, I32 b) {
    return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static Mask equal(I32 a, I32 b) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static Mask not_zero(I32 v) { return _mm512_test_epi32_mask((__m512i)v, (__m512i)v); }
  TVP_INLINE static Mask is_negative(U32 v) { return _mm512_movepi32_mask((__m512i)v); }
  TVP_INLINE static Mask both(Mask a, Mask b) { return _kand_mask16(a, b); }
  TVP_INLINE static Mask either(Mask a, Mask b) { return _kor_mask16(a, b); }
  TVP_INLINE static bool any(Mask mask) { return mask != 0; }
  TVP_INLINE static U8 where_zero(U8 v, U8 value) {
    return (U8)_mm512_maskz_mov_epi8(_mm512_testn_epi8_mask((__m512i)v, (__m512i)v),
                                     (__m512i)value);
  }
  TVP_INLINE static bool any_below(U8 v, std::uint8_t limit) {
    return _mm512_cmplt_epu8_mask((__m512i)v, _mm512_set1_epi8((char)limit)) != 0;
  }
  template <typename Vector>
  TVP_INLINE static Vector select(Mask condition, Vector a, Vector b) {
    return (Vector)_mm512_mask_mov_epi32((__m512i)b, condition, (__m512i)a);
  }
  template <typename Vector>
  TVP_INLINE static Vector where(Mask condition, Vector v) {
    return (Vector)_mm512_maskz_mov_epi32(condition, (__m512i)v);
  }
  template <typename Vector>
  TVP_INLINE static Vector except(Mask condition, Vector v) {
    return (Vector)_mm512_maskz_mov_epi32(_knot_mask16(condition), (__m512i)v);
  }
  TVP_INLINE static I32 magnitude(I32 v) { return (I32)_mm512_abs_epi32((__m512i)v); }
  TVP_INLINE static I32 with_sign(U32 magnitude, U32 sign) {
    return (I32)_mm512_mask_sub_epi32((__m512i)magnitude, is_negative(sign), _mm512_setzero_si512(),
                                      (__m512i)magnitude);
  }
  TVP_INLINE static I32 shifted_right(I32 v, I32 places) {
    return (I32)_mm512_srav_epi32((__m512i)v, (__m512i)places);
  }
  TVP_INLINE static U32 shifted_right(U32 v, I32 places) {
    return (U32)_mm512_srlv_epi32((__m512i)v, (__m512i)places);
  }
  TVP_INLINE static U32 shifted_left(U32 v, I32 places) {
    return (U32)_mm512_sllv_epi32((__m512i)v, (__m512i)places);
  }
  TVP_INLINE static I32 leading_one(U32 v) { return all(31) - (I32)_mm512_lzcnt_epi32((__m512i)v); }
  TVP_INLINE static U8 repeated(const std::uint8_t* sixteen) {
    return (U8)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i*)sixteen));
  }
  TVP_INLINE static U8 picked(U8 v, U8 places) {
    return (U8)_mm512_shuffle_epi8((__m512i)v, (__m512i)places);
  }

  // Words of 16 bits.

  TVP_INLINE static U16 larger(U16 a, U16 b) {
    return (U16)_mm512_max_epu16((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static U16 smaller(U16 a, U16 b) {
    return (U16)_mm512_min_epu16((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static bool any(U16 v) { return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0; }
  TVP_INLINE static U16 where_not_zero(U16 condition, U16 v) {
    return (U16)_mm512_maskz_mov_epi16(
        _mm512_test_epi16_mask((__m512i)condition, (__m512i)condition), (__m512i)v);
  }
  TVP_INLINE static U16 where_zero(U16 condition, U16 v) {
    return (U16)_mm512_maskz_mov_epi16(
        _mm512_testn_epi16_mask((__m512i)condition, (__m512i)condition), (__m512i)v);
  }
  /// The excess of a word over a limit, or 0.
  TVP_INLINE static U16 excess(U16 v, U16 limit) {
    return (U16)_mm512_subs_epu16((__m512i)v, (__m512i)limit);
  }
  /// With their signs.
  TVP_INLINE static I32 first_half(U16 words) {
    return (I32)_mm512_cvtepi16_epi32(_mm512_castsi512_si256((__m512i)words));
  }
  TVP_INLINE static I32 second_half(U16 words) {
    return (I32)_mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64((__m512i)words, 1));
  }
  /// High halves of the lanes of two vectors.
  TVP_INLINE static U16 high_halves(U32 first, U32 second) {
    alignas(64) static constexpr std::uint16_t kOdd[] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                         23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                         45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return (U16)_mm512_permutex2var_epi16((__m512i)first, _mm512_load_si512(kOdd), (__m512i)second);
  }
  TVP_INLINE static U16 low_halves(U32 first, U32 second) {
    return (U16)_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16((__m512i)first)),
                                   _mm512_cvtepi32_epi16((__m512i)second), 1);
  }

 private:
  TVP_INLINE static __m256i joined(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
  }
};

}  // namespace tvp::tensix::coprocessor
