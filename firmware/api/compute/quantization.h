#pragma once

// Affine quantization in a 32-bit DST: DST[a] by the scale in DST[b], a tile of floats. The init
// takes the FP32 bits of the zero point.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
static uint32_t quantization_zero_point;
#endif
ALWI void set_zero_point(uint32_t zero_point) { MATH((quantization_zero_point = zero_point)); }

ALWI void quant_tile_init(uint32_t zero_point) { set_zero_point(zero_point); }
ALWI void requant_tile_init(uint32_t zero_point) { set_zero_point(zero_point); }
ALWI void dequant_tile_init(uint32_t zero_point) { set_zero_point(zero_point); }

/// Int32 nearest to a * scale + zero point, ties to even below 2^22.
ALWI void quant_tile(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  sfpu_binary_cells<s::Cell::kFloat, s::Cell::kInt32>(
      a, b, out, [] { s::quantize_program(quantization_zero_point); });
#endif
}
/// The same for an Int32 tile a.
ALWI void requant_tile(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  sfpu_binary_cells<s::Cell::kInt32>(a, b, out, [] {
    s::int32_to_float<0, 2>();
    s::quantize_program(quantization_zero_point);
  });
#endif
}
/// (a - zero point) * scale for an Int32 tile a.
ALWI void dequant_tile(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  sfpu_binary_cells<s::Cell::kInt32, s::Cell::kFloat>(a, b, out, [] {
    s::int32_to_float<0, 2>();
    s::add_number<0, 2>(quantization_zero_point ^ 0x80000000u);
    s::mad_wait<0, 1, s::kZero, 0>();
  });
#endif
}

}  // namespace ckernel
