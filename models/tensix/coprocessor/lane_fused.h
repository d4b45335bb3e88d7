#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lane_multiply_add.h"

namespace tvp::tensix::coprocessor {

/// vector_multiply_add by the host's fused product, for functions that are built for AVX-512. It
/// has the same bits unless both operands of the addition lose some or much of them cancels:
///
/// Let u be the last place that the operands keep, 2^-26 of the larger exponent. With the sum's
/// leading one at most one place below that exponent, the host rounds at multiples of 2u, and an
/// operand that loses bits becomes an odd multiple of u (or zero, when it is less than u, beside
/// which the other one is a number of 24 bits already). If the other one is a multiple of 2u, the
/// sum of both is odd, too, and on the same side of every place at which the host rounds. A product
/// that fits 24 bits loses nothing beside an addend that could cancel it.
///
/// Two places above the larger exponent a bit is lost that ought to be sticky; that, denormals,
/// infinities, NaN and what is far too small or too large is for LaneMultiplyAdd.
class LaneFused {
  using Registers = LaneProducts::Lanes;

 public:
  TVP_INLINE static void execute(const Registers& x, const Registers& y, const Registers& z,
                                 const Registers& written, Registers& result) {
    __m512 values[kVectors];
    unsigned differs = 0;
#pragma GCC unroll 2
    for (unsigned i = 0; i < kVectors; ++i)
      differs |= multiply_add(at(x, i), at(y, i), at(z, i), values[i]);
    if (differs != 0) [[unlikely]]
      return LaneMultiplyAdd<64>::execute(x, y, z, written, result);
#pragma GCC unroll 2
    for (unsigned i = 0; i < kVectors; ++i) {
      const __mmask16 here = _mm512_movepi32_mask(_mm512_castps_si512(at(written, i)));
      // (The host does not pass on what is stored by a mask to a load that follows.)
      _mm512_storeu_ps(result.data() + i * kLanes,
                       _mm512_mask_mov_ps(at(result, i), here, values[i]));
    }
  }

 private:
  static constexpr unsigned kLanes = 16;
  static constexpr unsigned kVectors = std::tuple_size_v<Registers> / kLanes;
  // Classes of numbers.
  static constexpr int kZeros = 0x06, kMinusZero = 0x04, kBelowZero = 0x40;
  static constexpr int kSpecial = 0x01 | 0x80 | 0x08 | 0x10 | 0x20;
  // Of exponents of products: above, the last bit of their error is a number, too.
  static constexpr float kSmallest = -90, kLargest = 127;

  TVP_INLINE static __m512 at(const Registers& lanes, unsigned i) {
    return _mm512_loadu_ps(lanes.data() + i * kLanes);
  }
  TVP_INLINE static unsigned less(__m512 a, float b) {
    return _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_LT_OQ);
  }
  TVP_INLINE static unsigned greater(__m512 a, float b) {
    return _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_GT_OQ);
  }

  /// Returns in which lanes the result may be another one.
  TVP_INLINE static unsigned multiply_add(__m512 x, __m512 y, __m512 z, __m512& result) {
    result = _mm512_fmadd_ps(x, y, z);
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
    return special | (inexact & adds & matters);
  }
};

}  // namespace tvp::tensix::coprocessor
