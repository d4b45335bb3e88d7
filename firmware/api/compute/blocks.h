#pragma once

// Functions of several tiles a call, under names of 2026 (compute/experimental/*.h). tt-metal's
// avoid MOPs; here MOPs need fewer instructions.

#include "api/compute/bcast.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"

namespace ckernel {

ALWI void mm_no_mop_init_short(uint32_t in0, uint32_t in1, uint32_t transpose = 0, uint32_t ct = 1,
                               uint32_t rt = 1, uint32_t kt = 1) {
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}
ALWI void mm_no_mop_reinit_short(uint32_t in0, uint32_t in1, uint32_t transpose = 0,
                                 uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}
ALWI void matmul_block_no_mop(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1,
                              uint32_t dst, uint32_t transpose, uint32_t ct, uint32_t rt,
                              uint32_t kt) {
  matmul_block(in0, in1, tile0, tile1, dst, transpose, ct, rt, kt);
}

/// Subtracts the column of one tile from `tiles` tiles of a row.
ALWI void sub_bcast_cols_init_short_custom(uint32_t a, uint32_t b, uint32_t tiles) {
  sub_bcast_cols_init_short(a, b);
}
ALWI void sub_tiles_bcast_cols_custom(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                                      uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; ++i) sub_tiles_bcast_cols(a, b, tile_a + i, tile_b, dst + i);
}

ALWI void pack_block_contiguous_init(uint32_t) {}
ALWI void pack_block_contiguous(uint32_t dst, uint32_t cb, uint32_t tiles) {
  pack_tile_block(dst, cb, tiles);
}

}  // namespace ckernel
