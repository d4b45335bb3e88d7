#pragma once

// Converts a row of tiles to rows of datums.

#include "api/compute/pack_untilize.h"

namespace ckernel {

ALWI void untilize_init(uint32_t in) {
  reconfig_data_format_srca(in);
  copy_init(in);
}
ALWI void untilize_init(uint32_t in, uint32_t out) { untilize_init(in); }
ALWI void untilize_init_short(uint32_t in) { untilize_init(in); }
#if COMPILE_FOR_TRISC == 0
/// UNPACK's part.
template <auto...>
ALWI void llk_unpack_untilize_init(uint32_t in = 0) {
  untilize_init(in);
}
template <auto...>
ALWI void llk_unpack_untilize_uninit(uint32_t in = 0) {}
#endif
ALWI void untilize_uninit(uint32_t in) {}

/// DST is acquired and released inside.
template <uint32_t kBlock = 1>
ALWI void untilize_block(uint32_t in, uint32_t tiles, uint32_t out) {
  PACK((use_rows(1, tiles)));
  for (uint32_t t = 0; t < tiles; ++t) {
    tile_regs_acquire();
    copy_tile(in, t, 0);
    tile_regs_commit();
    tile_regs_wait();
    PACK((pack_rows_of_tiles(out, 0, 0, t)));
    tile_regs_release();
  }
  PACK((leave_rows()));
}

}  // namespace ckernel
