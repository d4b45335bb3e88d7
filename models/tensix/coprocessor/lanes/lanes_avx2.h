#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/lanes.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX2. Of what the compiler makes of its own 32-byte vectors
/// much is good, but not conversions between lanes of different width, and few selections.
template <>
struct Lanes<32> : LaneMoves<32> {
  using LaneMoves<32>::I32;
  using LaneMoves<32>::U32;
  using LaneMoves<32>::U16;
  using LaneMoves<32>::U8;
  using Mask = I32;  ///< -1 where it holds, otherwise 0
  static constexpr bool kHasWords = true;

  TVP_INLINE static U32 load16(const std::uint16_t* from) {
    return (U32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)from));
  }
  TVP_INLINE static void store16(std::uint16_t* to, U32 v) {
    const __m256i lowest = _mm256_shuffle_epi8((__m256i)v, in_both(0x0D0C090805040100));
    _mm_storeu_si128((__m128i*)to, _mm_unpacklo_epi64(_mm256_castsi256_si128(lowest),
                                                      _mm256_extracti128_si256(lowest, 1)));
  }
  TVP_INLINE static I32 load8(const std::uint8_t* from) {
    return (I32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)from));
  }
  TVP_INLINE static U8 lowest_bytes(const I32 (&v)[4]) {
    const __m256i first = _mm256_packus_epi32((__m256i)v[0], (__m256i)v[1]);
    const __m256i second = _mm256_packus_epi32((__m256i)v[2], (__m256i)v[3]);
    return (U8)_mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second),
                                           _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }

  TVP_INLINE static I32 larger(I32 a, I32 b) {
    return (I32)_mm256_max_epi32((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static I32 smaller(I32 a, I32 b) {
    return (I32)_mm256_min_epi32((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static U8 smaller(U8 a, U8 b) { return (U8)_mm256_min_epu8((__m256i)a, (__m256i)b); }
  TVP_INLINE static std::int32_t largest(I32 v) {
    __m128i most =
        _mm_max_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4E));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xB1));
    return _mm_cvtsi128_si32(most);
  }
  TVP_INLINE static Mask greater(I32 a, I32 b) {
    return (Mask)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static Mask equal(I32 a, I32 b) {
    return (Mask)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static Mask not_zero(I32 v) { return ~equal(v, I32{}); }
  /// Mask of the lanes with bit 31.
  TVP_INLINE static Mask is_negative(U32 v) { return (I32)v >> 31; }
  TVP_INLINE static Mask both(Mask a, Mask b) { return a & b; }
  TVP_INLINE static Mask either(Mask a, Mask b) { return a | b; }
  TVP_INLINE static bool any(Mask mask) {
    return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
  }
  TVP_INLINE static U8 where_zero(U8 v, U8 value) {
    return (U8)_mm256_cmpeq_epi8((__m256i)v, _mm256_setzero_si256()) & value;
  }
  TVP_INLINE static bool any_below(U8 v, std::uint8_t limit) {
    const __m256i least = _mm256_set1_epi8((char)limit);
    return _mm256_movemask_epi8(
               _mm256_cmpeq_epi8(_mm256_max_epu8((__m256i)v, least), (__m256i)v)) != -1;
  }
  template <typename Vector>
  TVP_INLINE static Vector select(Mask condition, Vector a, Vector b) {
    return (Vector)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)condition);
  }
  template <typename Vector>
  TVP_INLINE static Vector where(Mask condition, Vector v) {
    return (Vector)((I32)v & condition);
  }
  template <typename Vector>
  TVP_INLINE static Vector except(Mask condition, Vector v) {
    return (Vector)_mm256_andnot_si256((__m256i)condition, (__m256i)v);
  }
  TVP_INLINE static I32 magnitude(I32 v) { return (I32)_mm256_abs_epi32((__m256i)v); }
  TVP_INLINE static I32 with_sign(U32 magnitude, U32 sign) {
    return (I32)_mm256_sign_epi32((__m256i)magnitude, (__m256i)(sign | 1));
  }
  TVP_INLINE static I32 shifted_right(I32 v, I32 places) {
    return (I32)_mm256_srav_epi32((__m256i)v, (__m256i)places);
  }
  TVP_INLINE static U32 shifted_right(U32 v, I32 places) {
    return (U32)_mm256_srlv_epi32((__m256i)v, (__m256i)places);
  }
  TVP_INLINE static U32 shifted_left(U32 v, I32 places) {
    return (U32)_mm256_sllv_epi32((__m256i)v, (__m256i)places);
  }
  /// (The bit below the leading one is cleared, so that no conversion rounds up.)
  TVP_INLINE static I32 leading_one(U32 v) {
    const U32 number = bits(to_float(integers(v & ~(v >> 1))));
    return integers(number >> 23) - 127;
  }
  TVP_INLINE static U8 repeated(const std::uint8_t* sixteen) {
    return (U8)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i*)sixteen));
  }
  TVP_INLINE static U8 picked(U8 v, U8 places) {
    return (U8)_mm256_shuffle_epi8((__m256i)v, (__m256i)places);
  }

  // Words of 16 bits.

  TVP_INLINE static U16 larger(U16 a, U16 b) {
    return (U16)_mm256_max_epu16((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static U16 smaller(U16 a, U16 b) {
    return (U16)_mm256_min_epu16((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static bool any(U16 v) { return _mm256_testz_si256((__m256i)v, (__m256i)v) == 0; }
  TVP_INLINE static U16 where_not_zero(U16 condition, U16 v) {
    return (U16)_mm256_andnot_si256(_mm256_cmpeq_epi16((__m256i)condition, _mm256_setzero_si256()),
                                    (__m256i)v);
  }
  TVP_INLINE static U16 where_zero(U16 condition, U16 v) {
    return (U16)_mm256_cmpeq_epi16((__m256i)condition, _mm256_setzero_si256()) & v;
  }
  /// The excess of a word over a limit, or 0.
  TVP_INLINE static U16 excess(U16 v, U16 limit) {
    return (U16)_mm256_subs_epu16((__m256i)v, (__m256i)limit);
  }
  /// With their signs.
  TVP_INLINE static I32 first_half(U16 words) {
    return (I32)_mm256_cvtepi16_epi32(_mm256_castsi256_si128((__m256i)words));
  }
  TVP_INLINE static I32 second_half(U16 words) {
    return (I32)_mm256_cvtepi16_epi32(_mm256_extracti128_si256((__m256i)words, 1));
  }
  /// High halves of the lanes of two vectors.
  TVP_INLINE static U16 high_halves(U32 first, U32 second) {
    const __m256i words = _mm256_packus_epi32((__m256i)(first >> 16), (__m256i)(second >> 16));
    return (U16)_mm256_permute4x64_epi64(words, 0xD8);
  }
  TVP_INLINE static U16 low_halves(U32 first, U32 second) {
    const __m256i words =
        _mm256_packus_epi32((__m256i)(first & 0xFFFF), (__m256i)(second & 0xFFFF));
    return (U16)_mm256_permute4x64_epi64(words, 0xD8);
  }

 private:
  /// Which bytes of each half go to its lowest eight.
  TVP_INLINE static __m256i in_both(long long bytes) {
    return _mm256_setr_epi64x(bytes, 0, bytes, 0);
  }
};

}  // namespace tvp::tensix::coprocessor
