#pragma once

// From rows to tiles: the input buffer holds 32 rows of `block` tiles' width for each row of tiles.
// DST is acquired and released inside.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

/// Rows of `full_dim` tiles, of which tiles are cut.
ALWI void tilize_init([[maybe_unused]] uint32_t in, [[maybe_unused]] uint32_t full_dim,
                      [[maybe_unused]] uint32_t out) {
#if COMPILE_FOR_TRISC == 0
  use_operand_a(in);
  thread_state.row = full_dim * 2 * llk::datum_bytes(thread_state.a.format);
  llk::describe_unpack_rows(thread_state.a, thread_state.row * 16);
#elif COMPILE_FOR_TRISC == 1
  reconfig_data_format_srca(in);
  thread_state.shape = operand(in).shape;
  llk::init_copy_a(thread_state.shape);
#endif
}
ALWI void tilize_init_short(uint32_t in, uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
ALWI void tilize_init_short_with_dt([[maybe_unused]] uint32_t old_in, uint32_t in,
                                    uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
ALWI void tilize_uninit([[maybe_unused]] uint32_t in, [[maybe_unused]] uint32_t out) {
  UNPACK((use_operand_a(in)));
}
ALWI void tilize_uninit_with_dt([[maybe_unused]] uint32_t old_in, uint32_t in, uint32_t out) {
  reconfig_data_format_srca(in);
  tilize_uninit(in, out);
}

/// Tiles `first_in` and following of the input to tiles `first_out` and following of the output.
ALWI void tilize_block([[maybe_unused]] uint32_t in, uint32_t tiles, uint32_t out,
                       [[maybe_unused]] uint32_t first_in = 0, uint32_t first_out = 0) {
  for (uint32_t i = 0; i < tiles; ++i) {
#if COMPILE_FOR_TRISC == 0
    const uint32_t row = thread_state.row, width = 2 * llk::datum_bytes(thread_state.a.format);
    const uint32_t across = row / width, tile = first_in + i;
    const uint32_t rows = thread_state.a.shape.rows() / 2;
    llk::unpack_from_rows(
        get_local_cb_interface(in).fifo_rd_ptr + tile / across * rows * row + tile % across * width,
        thread_state.a, row);
#elif COMPILE_FOR_TRISC == 1
    llk::acquire_dst_half();
    llk::copy_a(thread_state.half, 0);
#endif
    tile_regs_commit();
    tile_regs_wait();
    pack_tile<true>(0, out, first_out + i);
    tile_regs_release();
  }
}

ALWI void fast_tilize_init(uint32_t in, uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
ALWI void fast_tilize_init_with_dt(uint32_t in, uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
ALWI void fast_tilize_uninit(uint32_t in, uint32_t out) { tilize_uninit(in, out); }
ALWI void fast_tilize_block(uint32_t in, uint32_t tiles, uint32_t out, uint32_t first_in = 0,
                            uint32_t first_out = 0) {
  tilize_block(in, tiles, out, first_in, first_out);
}

}  // namespace ckernel
