#pragma once

// DST[out] = DST[a] op DST[b] on the vector unit, and choices between tiles. The inits have no
// effect.

#include "api/compute/eltwise_unary.h"

namespace ckernel {

TVP_SFPU_REPLAYED_BINARY(add_binary_tile, 2, true, s::mad_wait<0, s::kOne, 1, 0>();)
TVP_SFPU_REPLAYED_BINARY(sub_binary_tile, 2, true, s::mad_wait<1, s::kMinusOne, 0, 0>();)
TVP_SFPU_REPLAYED_BINARY(rsub_binary_tile, 2, true, s::mad_wait<0, s::kMinusOne, 1, 0>();)
TVP_SFPU_REPLAYED_BINARY(mul_binary_tile, 2, true, s::mad_wait<0, 1, s::kZero, 0>();)
TVP_SFPU_BINARY(div_binary_tile, s::binary_program<s::Binary::kDivide>();)
TVP_SFPU_REPLAYED_BINARY(binary_min_tile, 2, false, s::max_min<1, 0>();)

#define TVP_COMPARE(name, comparison) \
  TVP_SFPU_BINARY(name, s::compare_program<s::Comparison::comparison>();)
TVP_COMPARE(eq_binary_tile, kEqual)
TVP_COMPARE(ne_binary_tile, kNotEqual)
TVP_COMPARE(lt_binary_tile, kLess)
TVP_COMPARE(gt_binary_tile, kGreater)
TVP_COMPARE(ge_binary_tile, kGreaterEqual)
TVP_COMPARE(le_binary_tile, kLessEqual)
#undef TVP_COMPARE

ALWI void copy_dest_values_init() {}
/// Bit by bit, for any format.
template <auto...>
#if defined(TVP_COPY_DEST_TO_FIRST)  // order of 2025
ALWI void copy_dest_values(uint32_t to, uint32_t from) {
#else
ALWI void copy_dest_values(uint32_t from, uint32_t to) {
#endif
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::replayed_unary_cells<DST_ACCUM_MODE, DST_ACCUM_MODE ? s::Cell::kInt32 : s::Cell::kUInt16, 0>(
      thread_state.half, from, to, thread_state.shape, s::VectorMode::kAll, s::Nothing{}, [] {});
#endif
}

/// As typecast_tile_init().
ALWI void where_tile_init() { MATH((llk::sfpu::macros_of = nullptr)); }
/// DST[out] = DST[condition] is not zero ? DST[a] : DST[b], all of one format.
template <DataFormat kFormat = DataFormat::Float16_b, auto...>
ALWI void where_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::choose<DST_ACCUM_MODE, cell_of(kFormat)>(thread_state.half, condition, a, b, out,
                                                      thread_state.shape);
#endif
}

// Names of 2025. With three tiles the result replaces the condition.
template <DataFormat kFormat = DataFormat::Float32, auto...>
ALWI void where_tile(uint32_t condition, uint32_t a, uint32_t b) {
  where_tile<kFormat>(condition, a, b, condition);
}
ALWI void where_fp32_tile(uint32_t condition, uint32_t a, uint32_t b) {
  where_tile<DataFormat::Float32>(condition, a, b, condition);
}
ALWI void where_int32_tile(uint32_t condition, uint32_t a, uint32_t b) {
  where_tile<DataFormat::Int32>(condition, a, b, condition);
}
ALWI void where_fp32_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t out) {
  where_tile<DataFormat::Float32>(condition, a, b, out);
}
ALWI void where_int32_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t out) {
  where_tile<DataFormat::Int32>(condition, a, b, out);
}

ALWI void addcmul_tile_init() {}
/// DST[out] = DST[a] + value * DST[b] * DST[c] with the value's FP32 bits.
template <DataFormat kFormat = DataFormat::Float16_b, auto...>
ALWI void addcmul_tile(uint32_t a, uint32_t b, uint32_t c, uint32_t out, uint32_t value) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(thread_state.half, a, b, c, out,
                                                    thread_state.shape, [=] {
                                                      s::multiply_by<1, 3>(value);
                                                      s::mad_wait<1, 2, 0, 0>();
                                                    });
#endif
}

template <auto...>
ALWI void mac_tile_init() {}
/// DST[out] = DST[a] * DST[b] + DST[c].
template <DataFormat kFormat = DataFormat::Float16_b, auto...>
ALWI void mac_tile(uint32_t a, uint32_t b, uint32_t c, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  static_assert(cell_of(kFormat) == s::Cell::kFloat, "mac_tile: tiles of floating-point numbers");
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(
      thread_state.half, a, b, c, out, thread_state.shape, [] { s::mad_wait<0, 1, 2, 0>(); });
#endif
}

ALWI void addcdiv_tile_init() {}
/// DST[out] = DST[a] + value * DST[b] / DST[c].
template <DataFormat kFormat = DataFormat::Float16_b, auto...>
ALWI void addcdiv_tile(uint32_t a, uint32_t b, uint32_t c, uint32_t out, uint32_t value) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(thread_state.half, a, b, c, out,
                                                    thread_state.shape, [=] {
                                                      s::reciprocal<0x7F80, 2, 3, 4, 5, 6>();
                                                      s::mad_wait<1, 3, s::kZero, 1>();
                                                      s::variable<2>(value);
                                                      s::mad_wait<1, 2, 0, 0>();
                                                    });
#endif
}

ALWI void lerp_tile_init() {}
/// DST[out] = DST[a] + DST[c] * (DST[b] - DST[a]).
template <DataFormat kFormat = DataFormat::Float16_b, auto...>
ALWI void lerp_tile(uint32_t a, uint32_t b, uint32_t c, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(thread_state.half, a, b, c, out,
                                                    thread_state.shape, [] {
                                                      s::negate<0, 3>();
                                                      s::mad_wait<1, s::kOne, 3, 3>();
                                                      s::mad_wait<2, 3, 0, 0>();
                                                    });
#endif
}

ALWI void mask_tile_init() {}
/// DST[data] where the next tile of DST, the mask, is not zero, and zero elsewhere.
ALWI void mask_tile(uint32_t data, uint32_t mask, DataFormat format = DataFormat::Float16_b) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if (format == DataFormat::Int32) {
    sfpu_binary_cells<s::Cell::kInt32>(data, data + 1, data,
                                       [] { s::mask_program<s::Cell::kInt32>(0); });
  } else {
    sfpu_replayed_binary<3, false>(data, data + 1, data, [] {
      s::where_zero<1, 1>();
      s::loadi<0, s::kBf16, 0>();
      s::everywhere();
    });
  }
#endif
}
/// As mask_tile(), but infinity elsewhere.
ALWI void mask_posinf_tile(uint32_t data, uint32_t mask) {
  MATH((sfpu_binary(data, data + 1, data,
                    [] { llk::sfpu::mask_program<llk::sfpu::Cell::kFloat>(0x7F800000); })));
}

}  // namespace ckernel
