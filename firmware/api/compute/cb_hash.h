#pragma once

// A hash that shows if a circular buffer held the same bytes as in another run, for kernels that
// are compiled with DEBUG_CB_HASH.

#include "api/compute/cb_api.h"
#include "api/compute/tile_move_copy.h"
#include "debug/dprint.h"
#if COMPILE_FOR_TRISC == 1 && defined(DEBUG_CB_HASH)
#include "firmware/llk/sfpu/sfpu_hash.h"
#endif

namespace ckernel {

/// UNPACK prints the FNV-1a hash of the words of the tiles at the front, which must have arrived.
ALWI void hash_cb_trisc(uint32_t cb, uint32_t tiles, uint32_t label) {
#if COMPILE_FOR_TRISC == 0 && defined(DEBUG_CB_HASH)
  const LocalCBInterface& local = get_local_cb_interface(cb);
  const auto* words = reinterpret_cast<const volatile uint32_t*>(local.fifo_rd_ptr << 4);
  uint32_t hash = 0x811C9DC5;
  for (uint32_t i = 0; i < tiles * local.fifo_page_size * 4; ++i)
    hash = (hash ^ words[i]) * 0x01000193;
  DPRINT << "hash[0x" << HEX() << label << "] cb=" << DEC() << cb << " tiles=" << tiles << " = 0x"
         << HEX() << hash << DEC() << ENDL();
#endif
}

/// Takes the Int32 tiles from the buffer through DST[0]. The first vector of DST[0] then holds a
/// hash of 23 bits for each lane of the vector unit, the rest is zero. The exclusive or of all
/// lanes is one number. The caller has initialized the copy.
ALWI void hash_cb_sfpu(uint32_t cb, uint32_t tiles) {
#if defined(DEBUG_CB_HASH)
  MATH((llk::sfpu::begin_hash()));
  cb_wait_front(cb, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    copy_tile(cb, tile, 0);
    MATH((llk::sfpu::hash_tile(thread_state.half, 0)));
  }
  cb_pop_front(cb, tiles);
  MATH((llk::sfpu::store_hash(thread_state.half, 0)));
#endif
}

}  // namespace ckernel
