#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/host_masks_avx2.h"
#include "models/tensix/coprocessor/lanes/lane_fused.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX2 and FMA. Magnitudes are compared as integers, exponents in
/// place (bits 30:23, which are 0 of zero).
///
/// Of denormals only those of factors matter: an addend like that is lost beside any product that
/// is left here, and is the result, which is looked at, beside a product that is zero. A product is
/// zero if a factor is, or if it is less than half the last place of any result that is left. Its
/// exponent then means nothing, but it has no error, and no sum is far above it.
template <>
struct FusedProduct<32> {
  using U32 = Lanes<32>::U32;

  /// Collects, over all vectors of a register, if a result may be wrong.
  class Doubt {
   public:
    TVP_INLINE Doubt()
        : loses_(all(0)),
          largest_factor_(all(0)),
          largest_result_(all(0)),
          least_result_(all(-1)),
          least_product_(all(-1)),
          least_below_(all(0)) {}
    TVP_INLINE bool any() const {
      const __m256i large =
          _mm256_or_si256(_mm256_or_si256(_mm256_cmpgt_epi32(largest_factor_, all(kLargestFactor)),
                                          _mm256_cmpgt_epi32(largest_result_, all(kInfinity - 1))),
                          _mm256_cmpgt_epi32(all(1 - 2 * kOne), least_below_));
      const __m256i normal =
          _mm256_and_si256(from(kLeastResult, least_result_), from(kLeastProduct, least_product_));
      const __m256i lost = _mm256_or_si256(loses_, large);
      return (_mm256_testz_si256(lost, lost) & _mm256_testc_si256(normal, all(-1))) == 0;
    }

   private:
    friend FusedProduct;
    // Exponents of 2^-89 (the last bit of the error of a product, 46 places further down, is a
    // number, too); of 2^36 (the other factor of a product is no denormal); of 2^-124.
    static constexpr int kLeastProduct = (127 - 89) << 23;
    static constexpr int kLargestFactor = (127 + 36) << 23;
    static constexpr int kLeastResult = (127 - 124) << 23;

    TVP_INLINE static __m256i from(int least, __m256i less_one) {
      return _mm256_cmpeq_epi32(_mm256_max_epu32(less_one, all(least - 1)), less_one);
    }

    __m256i loses_;           ///< not zero where both lose or much cancels
    __m256i largest_factor_;  ///< exponent
    __m256i largest_result_;
    __m256i least_result_, least_product_;  ///< less one, so that zero is the largest
    __m256i least_below_;                   ///< the larger operand's exponent less the result
  };

  TVP_INLINE static U32 multiply_add(U32 a, U32 b, U32 c, Doubt& doubt) {
    const auto x = (__m256)a, y = (__m256)b, z = (__m256)c;
    const __m256 zero = _mm256_setzero_ps();
    // Every zero is +0.
    const __m256 result = _mm256_add_ps(_mm256_fmadd_ps(x, y, z), zero);
    const __m256 product = _mm256_mul_ps(x, y);
    const __m256 error = _mm256_fmsub_ps(x, y, product);

    const __m256i of_result = magnitude(result);
    doubt.largest_result_ = _mm256_max_epi32(doubt.largest_result_, of_result);
    note_least(doubt.least_result_, of_result);
    note_least(doubt.least_product_, magnitude(product));
    const __m256i of_x = exponent(x), of_y = exponent(y), of_addend = exponent(z);
    doubt.largest_factor_ = _mm256_max_epi32(doubt.largest_factor_, _mm256_max_epi32(of_x, of_y));

    const __m256i of_product = _mm256_add_epi32(of_x, _mm256_sub_epi32(of_y, all(127 * kOne)));
    const __m256i below = _mm256_sub_epi32(_mm256_max_epi32(of_product, of_addend), of_result);
    doubt.least_below_ = _mm256_min_epi32(doubt.least_below_, below);
    // The addend's exponent is less by more than two, or the sum's is by more than one.
    const __m256i less = _mm256_max_epi32(_mm256_sub_epi32(of_product, of_addend),
                                          _mm256_add_epi32(below, all(kOne)));
    const __m256i matters = _mm256_cmpgt_epi32(less, all(2 * kOne));
    const __m256 inexact = _mm256_and_ps(_mm256_cmp_ps(error, zero, _CMP_NEQ_UQ), z);
    doubt.loses_ =
        _mm256_or_si256(doubt.loses_, _mm256_and_si256(matters, _mm256_castps_si256(inexact)));
    return (U32)result;
  }

 private:
  static constexpr int kInfinity = 0x7F800000;
  static constexpr int kOne = 1 << 23;  ///< of an exponent

  TVP_INLINE static __m256i all(int value) { return _mm256_set1_epi32(value); }
  TVP_INLINE static __m256i magnitude(__m256 v) {
    return _mm256_and_si256(_mm256_castps_si256(v), all(0x7FFFFFFF));
  }
  TVP_INLINE static __m256i exponent(__m256 v) {
    return _mm256_and_si256(_mm256_castps_si256(v), all(kInfinity));
  }
  TVP_INLINE static void note_least(__m256i& least, __m256i magnitude) {
    least = _mm256_min_epu32(least, _mm256_add_epi32(magnitude, all(-1)));
  }
};

}  // namespace tvp::tensix::coprocessor
