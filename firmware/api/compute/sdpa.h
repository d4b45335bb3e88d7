#pragma once

// Merges partial attention results (not part of the public API of this hardware's kernels).

#include "api/compute/threads/operation_common.h"

namespace ckernel {

/// DST[first..first+3] holds max a, max b, sum a, sum b in column 0. The results are the merged
/// maximum, the factors of a and b, and the merged sum (firmware/llk/llk_sdpa.h).
ALWI void sdpa_merge_statistics_tiles(uint32_t first) {
  MATH((llk::sdpa::merge_statistics<DST_ACCUM_MODE>(thread_state.half, first, thread_state.shape)));
}

/// Column 0 of DST[dst] becomes its reciprocal, or 0 where it is 0.
ALWI void sdpa_normalizer_tile_init() { MATH((llk::sdpa::record_normalizer<DST_ACCUM_MODE>())); }
ALWI void sdpa_normalizer_tile(uint32_t dst) {
  MATH((llk::sdpa::normalizer<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape)));
}

}  // namespace ckernel
