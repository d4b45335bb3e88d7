#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/host_masks_avx512.h"
#include "models/tensix/coprocessor/lanes/lane_fused.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX-512.
template <>
struct FusedProduct<64> {
  using U32 = Lanes<64>::U32;

  /// The lanes in which a result may be another one.
  struct Doubt {
    unsigned lanes = 0;
    TVP_INLINE bool any() const { return lanes != 0; }
  };

  TVP_INLINE static U32 multiply_add(U32 a, U32 b, U32 c, Doubt& doubt) {
    const auto x = (__m512)a, y = (__m512)b, z = (__m512)c;
    const __m512 result = _mm512_fmadd_ps(x, y, z);
    const __m512 error = _mm512_fmsub_ps(x, y, _mm512_mul_ps(x, y));
    unsigned special = _mm512_fpclass_ps_mask(result, kSpecial | kMinusZero);
    for (const __m512 operand : {x, y, z}) special |= _mm512_fpclass_ps_mask(operand, kSpecial);

    // Exponents, of zero minus infinity, for which comparisons here hold or do not matter.
    const __m512 of_product = _mm512_add_ps(_mm512_getexp_ps(x), _mm512_getexp_ps(y));
    const __m512 of_addend = _mm512_getexp_ps(z);
    const __m512 above =
        _mm512_sub_ps(_mm512_getexp_ps(result), _mm512_max_ps(of_product, of_addend));
    const __m512 from_smallest = _mm512_sub_ps(of_product, _mm512_set1_ps(kSmallest));
    special |= _mm512_fpclass_ps_mask(from_smallest, kBelowZero);
    special |= greater(of_product, kLargest) | greater(above, 1);

    const unsigned inexact = _mm512_cmp_ps_mask(error, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    const unsigned adds = ~unsigned{_mm512_fpclass_ps_mask(z, kZeros)};
    const unsigned matters = less(_mm512_sub_ps(of_addend, of_product), -2) | less(above, -1);
    doubt.lanes |= special | (inexact & adds & matters);
    return (U32)result;
  }

 private:
  // Classes of numbers.
  static constexpr int kZeros = 0x06, kMinusZero = 0x04, kBelowZero = 0x40;
  static constexpr int kSpecial = 0x01 | 0x80 | 0x08 | 0x10 | 0x20;
  // Bounds of products' exponents. Above the lower one, the last bit of their error is a number
  // too.
  static constexpr float kSmallest = -90, kLargest = 127;

  TVP_INLINE static unsigned less(__m512 a, float b) {
    return _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_LT_OQ);
  }
  TVP_INLINE static unsigned greater(__m512 a, float b) {
    return _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_GT_OQ);
  }
};

}  // namespace tvp::tensix::coprocessor
