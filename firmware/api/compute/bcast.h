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

ALWI void add_bcast_cols_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWADD, BroadcastType::COL>(a, b);
}
ALWI void add_bcast_cols_init_short() { init_binary<ELWADD, BroadcastType::COL>(); }
ALWI void add_bcast_rows_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWADD, BroadcastType::ROW>(a, b);
}
ALWI void add_bcast_rows_init_short() { init_binary<ELWADD, BroadcastType::ROW>(); }
ALWI void add_bcast_scalar_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWADD, BroadcastType::SCALAR>(a, b);
}
ALWI void add_bcast_scalar_init_short() { init_binary<ELWADD, BroadcastType::SCALAR>(); }
ALWI void sub_bcast_cols_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWSUB, BroadcastType::COL>(a, b);
}
ALWI void sub_bcast_cols_init_short() { init_binary<ELWSUB, BroadcastType::COL>(); }
ALWI void sub_bcast_rows_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWSUB, BroadcastType::ROW>(a, b);
}
ALWI void sub_bcast_rows_init_short() { init_binary<ELWSUB, BroadcastType::ROW>(); }
ALWI void sub_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWSUB, BroadcastType::SCALAR>(a, b);
}
ALWI void sub_tiles_bcast_scalar_init_short() { init_binary<ELWSUB, BroadcastType::SCALAR>(); }
ALWI void mul_bcast_cols_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWMUL, BroadcastType::COL>(a, b);
}
ALWI void mul_bcast_cols_init_short() { init_binary<ELWMUL, BroadcastType::COL>(); }
ALWI void mul_bcast_rows_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWMUL, BroadcastType::ROW>(a, b);
}
ALWI void mul_bcast_rows_init_short() { init_binary<ELWMUL, BroadcastType::ROW>(); }
ALWI void mul_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b = 1, uint32_t = 0) {
  init_binary<ELWMUL, BroadcastType::SCALAR>(a, b);
}
ALWI void mul_tiles_bcast_scalar_init_short() { init_binary<ELWMUL, BroadcastType::SCALAR>(); }

// Names since July 2026, in general and by operation.
template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void bcast_init(uint32_t a, uint32_t b, uint32_t = 0) {
  init_binary<kType, kBroadcast>(a, b);
}
ALWI void add_bcast_cols_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWADD, BroadcastType::COL>(a, b);
}
ALWI void add_bcast_rows_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWADD, BroadcastType::ROW>(a, b);
}
ALWI void add_bcast_scalar_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWADD, BroadcastType::SCALAR>(a, b);
}
ALWI void sub_bcast_cols_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWSUB, BroadcastType::COL>(a, b);
}
ALWI void sub_bcast_rows_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWSUB, BroadcastType::ROW>(a, b);
}
ALWI void sub_bcast_scalar_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWSUB, BroadcastType::SCALAR>(a, b);
}
ALWI void mul_bcast_cols_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWMUL, BroadcastType::COL>(a, b);
}
ALWI void mul_bcast_rows_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWMUL, BroadcastType::ROW>(a, b);
}
ALWI void mul_bcast_scalar_init(uint32_t a, uint32_t b, uint32_t = 0) {
  bcast_init<ELWMUL, BroadcastType::SCALAR>(a, b);
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
ALWI void add_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst) {
  add_tiles_bcast<BroadcastType::COL>(a, b, tile_a, tile_b, dst);
}
ALWI void add_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst, uint32_t row = 0) {
  add_tiles_bcast<BroadcastType::ROW>(a, b, tile_a, tile_b, dst, row);
}
ALWI void add_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                                 uint32_t dst) {
  add_tiles_bcast<BroadcastType::SCALAR>(a, b, tile_a, tile_b, dst);
}
ALWI void sub_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst) {
  sub_tiles_bcast<BroadcastType::COL>(a, b, tile_a, tile_b, dst);
}
ALWI void sub_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst, uint32_t row = 0) {
  sub_tiles_bcast<BroadcastType::ROW>(a, b, tile_a, tile_b, dst, row);
}
ALWI void sub_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                                 uint32_t dst) {
  sub_tiles_bcast<BroadcastType::SCALAR>(a, b, tile_a, tile_b, dst);
}
ALWI void mul_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst) {
  mul_tiles_bcast<BroadcastType::COL>(a, b, tile_a, tile_b, dst);
}
ALWI void mul_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t dst, uint32_t row = 0) {
  mul_tiles_bcast<BroadcastType::ROW>(a, b, tile_a, tile_b, dst, row);
}
ALWI void mul_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                                 uint32_t dst) {
  mul_tiles_bcast<BroadcastType::SCALAR>(a, b, tile_a, tile_b, dst);
}

}  // namespace ckernel
