#pragma once
// Prints the contents of a circular buffer or of L1 with DPRINT. Without printing it has no effect.
// The math thread knows no circular buffers.

#include <stdint.h>

#include "debug/dprint_tile.h"

inline void debug_dump_l1(uint32_t address, uint32_t words) {
#if defined(DEBUG_PRINT_ENABLED)
  const auto* const from = reinterpret_cast<volatile const uint32_t*>(address);
  DPRINT << "L1[" << HEX() << address << DEC() << "] " << words << " words:" << ENDL();
  for (uint32_t i = 0; i < words; i += 4) {
    DPRINT << "  [" << HEX() << address + 4 * i << "]";
    for (uint32_t j = i; j < i + 4 && j < words; ++j) DPRINT << " " << from[j];
    DPRINT << DEC() << ENDL();
  }
#endif
}

/// Prints the buffer's pointers and counts, and `words` words from the read pointer on.
inline void debug_dump_cb(uint32_t cb, uint32_t words = 0) {
#if defined(DEBUG_PRINT_ENABLED) && !(defined(COMPILE_FOR_TRISC) && COMPILE_FOR_TRISC == 1)
  const auto& local = get_local_cb_interface(cb);
  DPRINT << "CB" << cb << " sz=" << local.fifo_size << " rd=" << local.fifo_rd_ptr
         << " wr=" << local.fifo_wr_ptr << ENDL();
  if (words > 0) debug_dump_l1(CB_RD_PTR(cb), words);
#endif
}

/// Prints a tile as numbers of the buffer's format. A data-movement core selects the kind of
/// buffer.
inline void debug_dump_cb_typed(uint32_t cb, uint32_t tile = 0, bool input_or_untilized = true,
                                bool untilized = true) {
#if defined(DEBUG_PRINT_ENABLED) && !(defined(COMPILE_FOR_TRISC) && COMPILE_FOR_TRISC == 1)
  DPRINT << "CB" << cb << " tile " << tile << ":" << ENDL();
  for (uint8_t row = 0; row < 32; ++row) {
    const SliceRange range{row, static_cast<uint8_t>(row + 1), 1, 0, 32, 1};
#if defined(COMPILE_FOR_TRISC)
    DPRINT << TileSlice(cb, tile, range, true, input_or_untilized) << ENDL();
#else
    DPRINT << TileSlice(cb, tile, range, input_or_untilized, TSLICE_RD_PTR, true, untilized)
           << ENDL();
#endif
  }
#endif
}
