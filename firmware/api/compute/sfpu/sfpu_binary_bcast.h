#pragma once

// Operations of 32x32 tiles of DST with the first column or row of another one. They run on the
// vector unit in full precision; the matrix unit's broadcasts have the precision of its sources.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

#define TVP_WITH_FIRST(name, where, operation)                                                 \
  ALWI void name##_init() {}                                                                   \
  /* DST[data] op= the first datum of the same row or column of DST[of]. */                    \
  ALWI void name(uint32_t data, uint32_t of) {                                                 \
    MATH((llk::sfpu::where<DST_ACCUM_MODE, llk::sfpu::WithFirst::operation>(thread_state.half, \
                                                                            data, of)));       \
  }
TVP_WITH_FIRST(sfpu_add_bcast_col, with_first_of_row, kAdd)
TVP_WITH_FIRST(sfpu_sub_bcast_col, with_first_of_row, kSubtract)
TVP_WITH_FIRST(sfpu_mul_bcast_col, with_first_of_row, kMultiply)
TVP_WITH_FIRST(sfpu_add_bcast_row, with_first_of_column, kAdd)
TVP_WITH_FIRST(sfpu_sub_bcast_row, with_first_of_column, kSubtract)
TVP_WITH_FIRST(sfpu_mul_bcast_row, with_first_of_column, kMultiply)
#undef TVP_WITH_FIRST
ALWI void sfpu_bcast_col_init() {}
ALWI void sfpu_bcast_row_init() {}
template <BroadcastType kDim>
ALWI void sfpu_bcast_init() {
  static_assert(kDim == BroadcastType::COL || kDim == BroadcastType::ROW,
                "sfpu_bcast_init: columns and rows");
}

ALWI void sfpu_add_top_row_init() {}
/// The first row of DST[out] becomes the sum of the first rows of two tiles of Float32, Int32 or
/// UInt32.
template <DataFormat kFormat>
ALWI void sfpu_add_top_row(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::add_top_rows<DST_ACCUM_MODE, cell_of(kFormat)>(thread_state.half, a, b, out);
#endif
}

}  // namespace ckernel
