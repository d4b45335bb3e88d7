#pragma once

// Sorts columns of two 32x32 tiles of DST with the tiles of their indices two tiles behind. A
// column has 64 elements. Sequences alternate between descending and ascending.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
/// Binary logarithm of a power of two.
ALWI unsigned log2_of(uint32_t value) {
  unsigned log = 0;
  while ((value >>= 1) != 0) ++log;
  return log;
}
#endif

#if COMPILE_FOR_TRISC == 1
/// In a stable sort the lower one of two indices belongs to the larger of equal values: descending
/// sequences keep the order of the indices.
template <bool kStable>
inline constexpr llk::sfpu::Ties kTies = !kStable    ? llk::sfpu::Ties::kAnyOrder
                                         : kHasInt16 ? llk::sfpu::Ties::kByIndex16
                                                     : llk::sfpu::Ties::kByIndex32;
#endif

ALWI void topk_tile_init() {}

/// Sorts sequences of 2^(last_phase + 1) elements, the first one ascending or descending.
template <bool stable_sort = false>
ALWI void topk_local_sort(uint32_t dst, int ascending, int last_phase, int first_phase = 0) {
  MATH((llk::sfpu::sort_phases<DST_ACCUM_MODE, kTies<stable_sort>>(
      thread_state.half, dst, ascending != 0, first_phase, last_phase)));
}
/// Merges sequences of k elements that start 2^round k elements apart, at most 32. The larger
/// elements go to the first sequence, or the smaller ones with `kSmallerFirst`.
template <bool kSmallerFirst = false, bool stable_sort = false>
ALWI void topk_merge(uint32_t dst, int round, int k) {
#if COMPILE_FOR_TRISC == 1
  const unsigned log_k = log2_of(k), log_apart = log_k + round;
  llk::sfpu::merge_sequences<DST_ACCUM_MODE, kTies<stable_sort>>(
      thread_state.half, dst, kSmallerFirst, log_k < 5 ? log_k : 5, log_apart < 5 ? log_apart : 5);
#endif
}
/// Sorts the results of topk_merge() for sequences of k elements; with `only_first` those of the
/// first tile.
template <bool stable_sort = false>
ALWI void topk_rebuild(uint32_t dst, bool ascending, int round, int k, int log_k, int only_first) {
#if COMPILE_FOR_TRISC == 1
  const unsigned log_apart = log_k + round + 1, most = log_k > 5 ? 6 : 5;
  llk::sfpu::sort_bitonic<DST_ACCUM_MODE, kTies<stable_sort>>(
      thread_state.half, dst, ascending, log_k, log_apart < most ? log_apart : most,
      only_first == 0);
#endif
}

}  // namespace ckernel
