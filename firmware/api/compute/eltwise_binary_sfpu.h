#pragma once

// DST[out] = DST[a] op DST[b] on the vector unit, and choices between tiles. None needs its init.

#include "api/compute/eltwise_unary.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
template <typename Program>
ALWI void sfpu_binary(uint32_t a, uint32_t b, uint32_t out, Program program) {
  llk::sfpu::binary<DST_ACCUM_MODE>(thread_state.half, a, b, out, thread_state.shape,
                                    llk::sfpu::VectorMode::kAll, program);
}
#endif

#define TVP_BINARY(name, ...)                                              \
  template <auto...>                                                       \
  ALWI void name##_init() {}                                               \
  template <auto...>                                                       \
  ALWI void name([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b, \
                 [[maybe_unused]] uint32_t out) {                          \
    MATH((sfpu_binary(a, b, out, [] {                                      \
      namespace s = llk::sfpu;                                             \
      __VA_ARGS__                                                          \
    })));                                                                  \
  }
TVP_BINARY(add_binary_tile, s::binary_program<s::Binary::kAdd>();)
TVP_BINARY(sub_binary_tile, s::binary_program<s::Binary::kSubtract>();)
TVP_BINARY(rsub_binary_tile, s::binary_program<s::Binary::kReverseSubtract>();)
TVP_BINARY(mul_binary_tile, s::binary_program<s::Binary::kMultiply>();)
TVP_BINARY(div_binary_tile, s::binary_program<s::Binary::kDivide>();)
TVP_BINARY(binary_min_tile, s::max_min<1, 0>();)

#define TVP_COMPARE(name, comparison)                         \
  TVP_BINARY(name, s::binary_program<s::Binary::kSubtract>(); \
             s::compare_with_zero_program<s::Comparison::comparison>();)
TVP_COMPARE(eq_binary_tile, kEqual)
TVP_COMPARE(ne_binary_tile, kNotEqual)
TVP_COMPARE(lt_binary_tile, kLess)
TVP_COMPARE(gt_binary_tile, kGreater)
TVP_COMPARE(ge_binary_tile, kGreaterEqual)
TVP_COMPARE(le_binary_tile, kLessEqual)
#undef TVP_COMPARE
#undef TVP_BINARY

ALWI void copy_dest_values_init() {}
template <auto...>
ALWI void copy_dest_values([[maybe_unused]] uint32_t from, [[maybe_unused]] uint32_t to) {
  MATH((sfpu_binary(from, from, to, [] {})));
}

ALWI void where_tile_init() {}
/// DST[out] = DST[condition] is not zero ? DST[a] : DST[b].
template <auto...>
ALWI void where_tile([[maybe_unused]] uint32_t condition, [[maybe_unused]] uint32_t a,
                     [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary<DST_ACCUM_MODE>(thread_state.half, condition, a, b, out, thread_state.shape,
                             s::VectorMode::kAll, [] {
                               s::absolute<0, 3>();
                               s::mov<2, 0>();
                               s::where<3, s::kNotEqual>();
                               s::mov<1, 0>();
                               s::everywhere();
                             });
#endif
}

}  // namespace ckernel
