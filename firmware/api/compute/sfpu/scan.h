#pragma once

// Scans down the columns of 32x32 tiles of DST. The state stays in the vector unit from tile to
// tile until it computes another function.

#include <array>

#include "api/compute/sfpu/sfpu_call.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

ALWI void cumsum_tile_init() {}
/// Running sums from the top; with `first` = false they continue the last tile's.
ALWI void cumsum_tile(uint32_t dst, bool first = true) {
  MATH((llk::sfpu::sum_columns_so_far<DST_ACCUM_MODE>(thread_state.half, dst, first)));
}

ALWI void tiled_prod_tile_init() {}
/// Running products along the lanes of the vector unit, face after face.
template <auto...>
ALWI void tiled_prod_tile(uint32_t dst) {
  MATH((llk::sfpu::multiply_lanes_so_far<DST_ACCUM_MODE>(thread_state.half, dst,
                                                         thread_state.shape)));
}

// ---- Exponential moving average

#if COMPILE_FOR_TRISC == 1
/// FP32 bits of the factors of the old average and the new value.
static uint32_t ema_factors[2];
#endif
ALWI void ema_init(uint32_t alpha, uint32_t beta) {
  MATH((ema_factors[0] = alpha));
  MATH((ema_factors[1] = beta));
}
/// The next value starts a new average.
ALWI void ema_clear_previous_output() { MATH((llk::sfpu::average::clear())); }
/// Each row of the tile behind DST[dst] becomes alpha times the row before plus beta times this row
/// of DST[dst]. The row before the first is the last row of the last tile.
ALWI void ema_tile(uint32_t dst) {
  MATH((llk::sfpu::average::tile<DST_ACCUM_MODE>(thread_state.half, dst, dst + 1, ema_factors[0],
                                                 ema_factors[1])));
}

ALWI void sfpu_sum_int_init() {}
/// Int32: parts of the sum of every column in rows 0 to 3, or of every row in columns 0, 2 to 14.
ALWI void sfpu_sum_int_col(uint32_t dst) {
  MATH((llk::sfpu::sum_integer_columns(thread_state.half, dst)));
}
ALWI void sfpu_sum_int_row(uint32_t dst) {
  MATH((llk::sfpu::sum_integer_rows(thread_state.half, dst)));
}
/// DST[dst] += DST[other], Int32.
ALWI void sfpu_add_int(uint32_t dst, uint32_t other) {
  MATH((sfpu_binary_cells<llk::sfpu::Cell::kInt32>(dst, other, dst,
                                                   [] { llk::sfpu::integer_add<1, 0>(); })));
}

// ---- Mean and variance of columns by Welford's method -------------------------------------------

#if COMPILE_FOR_TRISC == 1
/// FP32 bits of 1 / (index + 1), from a table or computed.
template <std::size_t kSize>
ALWI uint32_t reciprocal_of(const std::array<uint32_t, kSize>& table, uint32_t index) {
  if constexpr (kSize != 0) return table[index];
  return __builtin_bit_cast(uint32_t, 1.0f / static_cast<float>(index + 1));
}
#endif

ALWI void welford_clear() { MATH((llk::sfpu::welford::clear())); }
enum class WelfordInitMode : uint8_t { ClearStats, PreserveStats };
template <WelfordInitMode kMode = WelfordInitMode::ClearStats>
ALWI void welford_init() {
  if constexpr (kMode == WelfordInitMode::ClearStats) welford_clear();
}
/// Initializes again after another operation, for tiles of this buffer. The state stays.
ALWI void welford_reinit(uint32_t cb) { copy_tile_to_dst_init_short(cb); }
/// Takes rows of a tile after `seen` earlier rows.
template <std::size_t kSize>
ALWI void welford_update_rows(uint32_t dst, uint32_t seen, uint32_t first, uint32_t rows,
                              const std::array<uint32_t, kSize>& table) {
  MATH((llk::sfpu::welford::update<DST_ACCUM_MODE>(
      thread_state.half, dst, first, rows,
      [&](uint32_t row) { return reciprocal_of(table, seen + row); })));
}
template <std::size_t kSize>
ALWI void welford_update(uint32_t dst, uint32_t seen, const std::array<uint32_t, kSize>& table) {
  welford_update_rows<kSize>(dst, seen, 0, TILE_HEIGHT, table);
}
/// Saves the state to DST[dst] and the tile behind it, or restores it, for up to 16 groups.
ALWI void welford_save_state(uint32_t dst, uint32_t group = 0) {
  MATH((llk::sfpu::welford::save<DST_ACCUM_MODE>(thread_state.half, dst, group)));
}
ALWI void welford_restore_state(uint32_t dst, uint32_t group = 0) {
  MATH((llk::sfpu::welford::restore<DST_ACCUM_MODE>(thread_state.half, dst, group)));
}
/// Stores mean and variance over last + 1 rows to row 0 of DST[dst] and of the tile behind it.
template <std::size_t kSize>
ALWI void welford_finalize_to_row(uint32_t dst, uint32_t last,
                                  const std::array<uint32_t, kSize>& table) {
  MATH((llk::sfpu::welford::finalize_to_rows<DST_ACCUM_MODE>(thread_state.half, dst,
                                                             reciprocal_of(table, last))));
}
/// Stores to the group's four rows of 16, each number twice.
template <std::size_t kSize>
ALWI void welford_finalize_to_face(uint32_t dst, uint32_t group, uint32_t last,
                                   const std::array<uint32_t, kSize>& table) {
  MATH((llk::sfpu::welford::finish(reciprocal_of(table, last))));
  MATH((llk::sfpu::welford::save_rows<DST_ACCUM_MODE>(thread_state.half, dst, group)));
}
template <std::size_t kSize>
ALWI void welford_finalize_to_face(uint32_t dst, uint32_t last,
                                   const std::array<uint32_t, kSize>& table) {
  welford_finalize_to_face<kSize>(dst, 0, last, table);
}

// Signature of November 2025. Two tiles of DST keep the state between calls. The call takes rows of
// a tile from `skipped` on until it has seen `last` rows, `seen` of them in earlier calls. If
// `seen` is 0, the state is reset. With kToRows, mean and variance go to their first rows at the
// end.
template <uint32_t kIn, uint32_t kMean, uint32_t kSquares, bool kToRows, std::size_t kSize>
ALWI void welford_tile(uint32_t seen, uint32_t last, uint32_t skipped,
                       const std::array<uint32_t, kSize>& table) {
#if COMPILE_FOR_TRISC == 1
  namespace welford = llk::sfpu::welford;
  static_assert(kSquares == kMean + 1, "welford_tile: the squares' tile lies behind the mean's");
  const uint32_t there = TILE_HEIGHT - skipped;
  const uint32_t rows = last - seen < there ? last - seen : there;
  if (seen == 0) {
    welford::clear();
  } else {
    welford::restore<DST_ACCUM_MODE>(thread_state.half, kMean, 0);
  }
  welford::update<DST_ACCUM_MODE>(thread_state.half, kIn, skipped, rows,
                                  [&](uint32_t row) { return reciprocal_of(table, seen + row); });
  if (kToRows && seen + rows == last) {
    welford::finalize_to_rows<DST_ACCUM_MODE>(thread_state.half, kMean,
                                              reciprocal_of(table, last - 1));
  } else {
    welford::save<DST_ACCUM_MODE>(thread_state.half, kMean, 0);
  }
#endif
}
/// The tile of squares becomes that of variances over `count` rows: 32 columns to four rows of 16,
/// each number twice.
template <uint32_t kMean, uint32_t kSquares, std::size_t kSize>
ALWI void welford_M2_to_var(uint32_t count, const std::array<uint32_t, kSize>& table) {
  static_assert(kSquares == kMean + 1, "welford_M2_to_var: the squares' tile is the next one");
  MATH((llk::sfpu::welford::restore<DST_ACCUM_MODE>(thread_state.half, kMean, 0)));
  welford_finalize_to_face<kSize>(kMean, count - 1, table);
}

}  // namespace ckernel
