#pragma once

#include "api/compute/cb_api.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 2
/// Number of consecutive pages that one pack_tile() with an index packs, as set by llk_pack_init().
/// Static, so that kernels that never set it do not read it.
static uint32_t tiles_of_pack_tile = 1;
[[gnu::noinline]] static void pack_following_tiles(uint32_t dst, uint32_t address, uint32_t page) {
  for (uint32_t i = 1; i < tiles_of_pack_tile; ++i)
    llk::pack_tile(dst + i, address + i * page, llk::packer_mask(thread_state.out.shape));
}
#endif

/// Packs DST[dst] to the reserved end of the buffer: after the tiles packed since the last push, or
/// with `kOutOfOrder` to tile `index` of it.
template <bool kOutOfOrder = false>
ALWI void pack_tile(uint32_t dst, uint32_t cb, uint32_t index = 0) {
#if COMPILE_FOR_TRISC == 2
  TVP_LLK_CHECK(dst < thread_state.half.tiles());
  LocalCBInterface& local = get_local_cb_interface(cb);
  const uint32_t offset = kOutOfOrder ? index * local.fifo_page_size : local.fifo_wr_tile_ptr;
  if constexpr (!kOutOfOrder) local.fifo_wr_tile_ptr += local.fifo_page_size;
  llk::pack_tile(dst, local.fifo_wr_ptr + offset, llk::packer_mask(thread_state.out.shape));
  if constexpr (kOutOfOrder) {
    if (tiles_of_pack_tile != 1)
      pack_following_tiles(dst, local.fifo_wr_ptr + offset, local.fifo_page_size);
  } else {
    TVP_LLK_CHECK(tiles_of_pack_tile == 1);
  }
#endif
}
ALWI void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; ++i) pack_tile(dst + i, cb);
}

/// Name since July 2026.
template <auto...>
ALWI void pack_block(uint32_t dst, uint32_t cb, uint32_t tiles) {
  pack_tile_block(dst, cb, tiles);
}

// Names of earlier releases.
ALWI void matmul_pack_tile(uint32_t dst, uint32_t cb, uint32_t tiles) {
  pack_tile_block(dst, cb, tiles);
}

/// Restores packing tile by tile after an init of untilizing or of several tiles a call.
ALWI void pack_init(uint32_t cb, uint32_t = 0) { PACK((tiles_of_pack_tile = 1)); }

// ---- The first rows of 16 datums of a tile, one after the other

/// Prepares packing of 1 to 64 rows in the order of DST: the first 16 are face 0. Not for block
/// formats.
ALWI void pack_rows_init(uint32_t rows) { PACK((llk::describe_pack_first(rows))); }
/// Packs rows of DST[dst] to the start of tile `index` of the buffer.
ALWI void pack_rows(uint32_t dst, uint32_t cb, uint32_t index = 0) {
#if COMPILE_FOR_TRISC == 2
  const LocalCBInterface& local = get_local_cb_interface(cb);
  llk::pack_tile(dst, local.fifo_wr_ptr + index * local.fifo_page_size, 1);
#endif
}
ALWI void pack_rows_uninit() { PACK((llk::describe_pack_first(thread_state.out.shape.face_rows))); }

}  // namespace ckernel
