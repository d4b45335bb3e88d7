#pragma once

// A number that tells whether a circular buffer held the same bytes as in another run, for kernels
// that are compiled with DEBUG_CB_HASH.

#include "api/compute/cb_api.h"
#include "debug/dprint.h"

namespace ckernel {

/// UNPACK prints FNV-1a over the words of the tiles at the front, which are there.
ALWI void hash_cb_trisc([[maybe_unused]] uint32_t cb, [[maybe_unused]] uint32_t tiles,
                        [[maybe_unused]] uint32_t label) {
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

}  // namespace ckernel
