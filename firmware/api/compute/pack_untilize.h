#pragma once

// From tiles to rows, by the packers: a row of `full_ct_dim` tiles becomes 32 rows of that width at
// the reserved end of the output buffer. Not for block formats.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 2
/// Packers write rows of `tiles` tiles to a matrix that is `full` tiles wide, until leave_rows().
ALWI void use_rows(uint32_t tiles, uint32_t full) {
  const llk::Operand tile = thread_state.out;
  const uint32_t row = full * 2 * llk::datum_bytes(tile.format);  // in units of 16 bytes
  if (thread_state.row_tiles == tiles && thread_state.row == row) return;
  thread_state.row_tiles = tiles;
  thread_state.row = row;
  llk::describe_pack_rows(tile, row, tiles, thread_state.half);
}
/// Packers write tiles again.
ALWI void leave_rows() {
  if (thread_state.row_tiles == 0) return;
  thread_state.row_tiles = 0;
  llk::leave_pack_rows();
  llk::describe_pack(thread_state.out, thread_state.half);
}
/// DST tiles from `dst` on to columns `column` and following of the tile row `below` of the matrix.
ALWI void pack_rows_of_tiles(uint32_t out, uint32_t dst, uint32_t below, uint32_t column) {
  const llk::Operand tile = thread_state.out;
  const uint32_t width = 2 * llk::datum_bytes(tile.format);
  llk::pack_rows(dst, get_local_cb_interface(out).fifo_wr_ptr +
                          below * (tile.shape.rows() / 2) * thread_state.row + column * width);
}
#endif

template <uint32_t kBlock = 8, uint32_t kFull = kBlock, auto...>
ALWI void pack_untilize_dest_init([[maybe_unused]] uint32_t out, uint32_t = 16, uint32_t = 4) {
  pack_reconfig_data_format(out);
  PACK((use_rows(kBlock, kFull)));
}
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_init(uint32_t in, uint32_t out) {
  reconfig_data_format_srca(in);
  copy_init(in);
  pack_untilize_dest_init<kBlock, kFull>(out);
}
#if COMPILE_FOR_TRISC == 2
/// The packers' part of pack_untilize_dest_init, for a buffer of the format that they are set to.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, auto...>
ALWI void llk_pack_untilize_init([[maybe_unused]] uint32_t out, uint32_t = 16, uint32_t = 4) {
  static_assert(!kDiagonal && !kNarrow, "whole rows only");
  use_rows(kBlock, kFull);
}
#endif
ALWI void pack_untilize_uninit([[maybe_unused]] uint32_t out) { PACK((leave_rows())); }

/// Rows of kBlock tiles from DST tile `first` on.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, auto...>
ALWI void pack_untilize_dest([[maybe_unused]] uint32_t out, [[maybe_unused]] uint32_t rows = 1,
                             [[maybe_unused]] uint32_t block_column = 0, uint32_t = 16,
                             uint32_t = 4, [[maybe_unused]] uint32_t first = 0) {
  static_assert(!kDiagonal && !kNarrow, "whole rows only");
#if COMPILE_FOR_TRISC == 2
  use_rows(kBlock, kFull);
  for (uint32_t r = 0; r < rows; ++r)
    pack_rows_of_tiles(out, first + r * kBlock, r, block_column * kBlock);
#endif
}

/// `rows` rows of kBlock tiles; acquires and releases DST.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_block(uint32_t in, uint32_t rows, [[maybe_unused]] uint32_t out,
                              [[maybe_unused]] uint32_t block_column = 0) {
  PACK((use_rows(kBlock, kFull)));
  for (uint32_t r = 0; r < rows; ++r) {
    tile_regs_acquire();
    for (uint32_t c = 0; c < kBlock; ++c) copy_tile(in, r * kBlock + c, c);
    tile_regs_commit();
    tile_regs_wait();
    PACK((pack_rows_of_tiles(out, 0, r, block_column * kBlock)));
    tile_regs_release();
  }
}

}  // namespace ckernel
