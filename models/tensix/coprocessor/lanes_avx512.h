#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX-512 (F, BW, DQ, VL). The compiler takes comparisons of its
/// own 64-byte vectors apart, lane by lane; these are instructions.
template <>
struct Lanes<64> : LaneMoves<64> {
  using LaneMoves<64>::HalfI16;
  using LaneMoves<64>::I32;
  using LaneMoves<64>::U32;

  TVP_INLINE static I32 larger(I32 a, I32 b) {
    return (I32)_mm512_max_epi32((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static I32 smaller(I32 a, I32 b) {
    return (I32)_mm512_min_epi32((__m512i)a, (__m512i)b);
  }
  TVP_INLINE static HalfI16 larger(HalfI16 a, HalfI16 b) {
    return (HalfI16)_mm256_max_epi16((__m256i)a, (__m256i)b);
  }
  TVP_INLINE static I32 greater(I32 a, I32 b) {
    return (I32)_mm512_movm_epi32(_mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b));
  }
  TVP_INLINE static I32 equal(I32 a, I32 b) {
    return (I32)_mm512_movm_epi32(_mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b));
  }
  template <typename Vector>
  TVP_INLINE static Vector select(I32 condition, Vector a, Vector b) {
    return (Vector)_mm512_mask_mov_epi32((__m512i)b, _mm512_movepi32_mask((__m512i)condition),
                                         (__m512i)a);
  }
};

}  // namespace tvp::tensix::coprocessor
