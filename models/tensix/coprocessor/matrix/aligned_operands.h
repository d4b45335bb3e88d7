#pragma once

#include <algorithm>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor::aligned_sums {

inline constexpr unsigned kRows = 8;  ///< maximum of rows of SrcB and Dst that an instruction uses

/// Float exponent of the initial value of a sum over a group without products.
inline constexpr int kBeginOfNothing = 60;

// The part of a cell of Src that an instruction uses (matrix_arithmetic.md, Operands and Notation).

TVP_INLINE std::uint32_t exponent_mask(const FloatSums::Formats& formats) {
  return formats.srca == datum::SrcStyle::kFp16 ? 0x1F : 0xFF;
}
TVP_INLINE std::uint32_t mantissa_mask(datum::SrcStyle style) {
  return style == datum::SrcStyle::kBf16 ? 0x3F8 : 0x3FF;
}

/// Significand of a phase: ((cell >> shift) & mask) | hidden, times 2^weight.
struct Part {
  int shift;
  int width;
  std::uint32_t mask;
  std::uint32_t hidden;
  int weight;
};
TVP_INLINE Part srca_part(const FloatSums::Formats& formats) {
  const std::uint32_t mantissa = mantissa_mask(formats.srca);
  if ((formats.phase & 1) == 0) return {8 + 6, 4, mantissa >> 6, 16, 0};
  return {8 + 1, 5, (mantissa >> 1) & 31, 0, 0};
}
TVP_INLINE Part srcb_part(const FloatSums::Formats& formats) {
  const std::uint32_t mantissa = mantissa_mask(formats.srcb);
  if ((formats.phase & 2) == 0) return {8 + 4, 6, mantissa >> 4, 64, 0};
  return {8, 4, mantissa & 15, 0, 3};
}

/// Exponent difference between products of phase 0 and of this phase.
TVP_INLINE int phase_exponent(unsigned phase) {
  return ((phase & 1) != 0 ? 5 : 0) + ((phase & 2) != 0 ? 7 : 0);
}
/// K: the difference between the exponent of a product and the sum of its operands' exponents.
TVP_INLINE int product_exponent(const FloatSums::Formats& formats) {
  const int k0 = formats.srca != datum::SrcStyle::kFp16 ? -127 : formats.dst32 ? 97 : -15;
  return k0 - phase_exponent(formats.phase);
}
/// Z: the exponent of a zero product.
TVP_INLINE int zero_exponent(const FloatSums::Formats& formats) {
  return std::max(product_exponent(formats), 0);
}

}  // namespace tvp::tensix::coprocessor::aligned_sums
