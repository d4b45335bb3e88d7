#pragma once

// COL repeats column 0 of b over the columns, ROW its row 0 over the rows, SCALAR its first datum.
// Some functions have the call's line as the last parameter, because kernels keep pointers to them
// of this type.

#include "api/compute/eltwise_binary.h"
#include "api/compute/unary_bcast.h"

namespace ckernel {

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void init_bcast(uint32_t a, uint32_t b, uint32_t out = 16) {
  startup_again(a, b, out);
  init_binary<kType, kBroadcast>(a, b);
}

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void bcast_init(uint32_t a, uint32_t b, uint32_t = 0) {
  init_binary<kType, kBroadcast>(a, b);
}

template <BroadcastType kBroadcast = BroadcastType::COL>
ALWI void add_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row = 0) {
  any_tiles_bcast<ELWADD, kBroadcast>(a, b, tile_a, tile_b, dst, row);
}
template <BroadcastType kBroadcast = BroadcastType::COL>
ALWI void sub_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row = 0) {
  any_tiles_bcast<ELWSUB, kBroadcast>(a, b, tile_a, tile_b, dst, row);
}
template <BroadcastType kBroadcast = BroadcastType::COL>
ALWI void mul_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row = 0) {
  any_tiles_bcast<ELWMUL, kBroadcast>(a, b, tile_a, tile_b, dst, row);
}

// The functions of one operation and one way to repeat b: with the init's earlier name and its name
// since July of 2026. Some take the row that ROW repeats.
#define TVP_BCAST(tiles, init_short, init, type, dim, ...)                                  \
  ALWI void init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {                          \
    init_binary<type, BroadcastType::dim>(a, b);                                            \
  }                                                                                         \
  ALWI void init_short() { init_binary<type, BroadcastType::dim>(); }                       \
  ALWI void init(uint32_t a, uint32_t b, uint32_t = 0) {                                    \
    bcast_init<type, BroadcastType::dim>(a, b);                                             \
  }                                                                                         \
  ALWI void tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,                 \
                  uint32_t dst __VA_OPT__(, uint32_t row = 0)) {                            \
    any_tiles_bcast<type, BroadcastType::dim>(a, b, tile_a, tile_b, dst __VA_OPT__(, row)); \
  }
TVP_BCAST(add_tiles_bcast_cols, add_bcast_cols_init_short, add_bcast_cols_init, ELWADD, COL)
TVP_BCAST(add_tiles_bcast_rows, add_bcast_rows_init_short, add_bcast_rows_init, ELWADD, ROW, row)
TVP_BCAST(add_tiles_bcast_scalar, add_bcast_scalar_init_short, add_bcast_scalar_init, ELWADD,
          SCALAR)
TVP_BCAST(sub_tiles_bcast_cols, sub_bcast_cols_init_short, sub_bcast_cols_init, ELWSUB, COL)
TVP_BCAST(sub_tiles_bcast_rows, sub_bcast_rows_init_short, sub_bcast_rows_init, ELWSUB, ROW, row)
TVP_BCAST(sub_tiles_bcast_scalar, sub_tiles_bcast_scalar_init_short, sub_bcast_scalar_init, ELWSUB,
          SCALAR)
TVP_BCAST(mul_tiles_bcast_cols, mul_bcast_cols_init_short, mul_bcast_cols_init, ELWMUL, COL)
TVP_BCAST(mul_tiles_bcast_rows, mul_bcast_rows_init_short, mul_bcast_rows_init, ELWMUL, ROW, row)
TVP_BCAST(mul_tiles_bcast_scalar, mul_tiles_bcast_scalar_init_short, mul_bcast_scalar_init, ELWMUL,
          SCALAR)
#undef TVP_BCAST

}  // namespace ckernel
