#pragma once

// From tiles to rows, by the packers: a row of `full_ct_dim` tiles becomes 32 rows of that width at
// the reserved end of the output buffer. Not for block formats.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 2
/// DST tiles [dst, dst + tiles) to columns `column` and following of the tile row `below` of a
/// matrix that is `full` tiles wide.
ALWI void pack_rows_of_tiles(uint32_t out, uint32_t dst, uint32_t tiles, uint32_t full,
                             uint32_t below, uint32_t column) {
  const llk::Operand tile = thread_state.out;
  const uint32_t width = 2 * llk::datum_bytes(tile.format);  // of a tile, in units of 16 bytes
  const uint32_t row = full * width;
  llk::describe_pack_rows(tile, row);
  uint32_t address = get_local_cb_interface(out).fifo_wr_ptr +
                     below * (tile.shape.rows() / 2) * row + column * width;
  for (uint32_t i = 0; i < tiles; ++i, address += width)
    llk::pack_rows_of_tile(dst + i, address, tile, row);
  llk::describe_pack(tile, thread_state.half);
}
#endif

template <uint32_t kBlock = 8, uint32_t kFull = kBlock, auto...>
ALWI void pack_untilize_dest_init([[maybe_unused]] uint32_t out, uint32_t = 16, uint32_t = 4) {
  pack_reconfig_data_format(out);
}
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_init(uint32_t in, uint32_t out) {
  reconfig_data_format_srca(in);
  copy_init(in);
  pack_untilize_dest_init<kBlock, kFull>(out);
}
ALWI void pack_untilize_uninit([[maybe_unused]] uint32_t out) {}

/// Rows of kBlock tiles from DST tile `first` on.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, auto...>
ALWI void pack_untilize_dest([[maybe_unused]] uint32_t out, [[maybe_unused]] uint32_t rows = 1,
                             [[maybe_unused]] uint32_t block_column = 0, uint32_t = 16,
                             uint32_t = 4, [[maybe_unused]] uint32_t first = 0) {
  static_assert(!kDiagonal && !kNarrow, "whole rows only");
#if COMPILE_FOR_TRISC == 2
  for (uint32_t r = 0; r < rows; ++r)
    pack_rows_of_tiles(out, first + r * kBlock, kBlock, kFull, r, block_column * kBlock);
#endif
}

/// `rows` rows of kBlock tiles; acquires and releases DST.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_block(uint32_t in, uint32_t rows, [[maybe_unused]] uint32_t out,
                              [[maybe_unused]] uint32_t block_column = 0) {
  for (uint32_t r = 0; r < rows; ++r) {
    tile_regs_acquire();
    for (uint32_t c = 0; c < kBlock; ++c) copy_tile(in, r * kBlock + c, c);
    tile_regs_commit();
    tile_regs_wait();
    PACK((pack_rows_of_tiles(out, 0, kBlock, kFull, r, block_column * kBlock)));
    tile_regs_release();
  }
}

}  // namespace ckernel
