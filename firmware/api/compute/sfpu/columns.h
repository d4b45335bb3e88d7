#pragma once

// Reductions of 32x32 tiles of DST on the vector unit: columns to row 0, rows to column 0, rows
// added to rows, and the sum of products of all datums. Other datums of a result tile, in rows 1 to
// 3 or in other columns, have no meaning.

#include "api/compute/eltwise_binary.h"
#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
constexpr llk::sfpu::Down down_of(PoolType type) {
  switch (type) {
    case PoolType::SUM:
      return llk::sfpu::Down::kSum;
    case PoolType::AVG:
      return llk::sfpu::Down::kAverage;
    case PoolType::MAX:
      return llk::sfpu::Down::kMaximum;
    default:
      return llk::sfpu::Down::kMinimum;
  }
}
#endif

template <PoolType kPool, DataFormat kFormat>
ALWI void sfpu_reduce_init() {}
/// Sum, average, maximum or minimum of each column or row of Float32, Float16_b, Int32, UInt32 or
/// UInt16. Averages of integers are truncated.
template <PoolType kPool, DataFormat kFormat, ReduceDim kDim = ReduceDim::REDUCE_COL>
ALWI void sfpu_reduce(uint32_t dst, uint32_t columns = 1, uint32_t rows = 1) {
  TVP_LLK_CHECK(columns == 1 && rows == 1);  // tiles
  static_assert(kDim == ReduceDim::REDUCE_COL || kDim == ReduceDim::REDUCE_ROW,
                "sfpu_reduce: columns or rows");
  static_assert(kFormat == DataFormat::Float32 || kFormat == DataFormat::Float16_b ||
                    kFormat == DataFormat::Int32 || kFormat == DataFormat::UInt32 ||
                    kFormat == DataFormat::UInt16,
                "sfpu_reduce: of Float32, Float16_b, Int32, UInt32 or UInt16");
#if COMPILE_FOR_TRISC == 1
  constexpr auto kDown = down_of(kPool);
  constexpr auto kCell = cell_of(kFormat);
  constexpr bool kUnsigned = kFormat == DataFormat::UInt32;
  if constexpr (kDim == ReduceDim::REDUCE_COL) {
    llk::sfpu::reduce_columns<kDown, kCell, kUnsigned, DST_ACCUM_MODE>(thread_state.half, dst);
  } else {
    llk::sfpu::reduce_rows<kDown, kCell, kUnsigned, DST_ACCUM_MODE>(thread_state.half, dst);
  }
#endif
}

/// Order of a tile's rows in DST: as faces, or row by row, two rows of 16 datums each. Kernels use
/// both namespaces ckernel and sfpi, which share one DataLayout.
#if COMPILE_FOR_TRISC == 1 && defined(__riscv)
using sfpi::DataLayout;
#else
enum class DataLayout : uint8_t { TILE, ROW_MAJOR };
#endif

template <DataLayout kLayout = DataLayout::TILE>
ALWI void max_reduce_with_indices_init() {}
/// Row 0 of DST[dst] becomes the maximum of the first kRows rows of each column. Row 0 of
/// DST[indices] becomes the datum (16 bits) of that tile at the same place. If values are equal,
/// the lower index wins. With `kAccumulate` the tiles behind both hold the results so far, from
/// chunk 0 on.
template <int kRows = 9, DataLayout kLayout = DataLayout::TILE, bool kAccumulate = false, auto...>
ALWI void max_reduce_with_indices(uint32_t dst, uint32_t indices, uint32_t chunk = 0) {
  static_assert(kRows >= 1 && kRows <= 32, "max_reduce_with_indices: a tile has 32 rows");
  MATH((llk::sfpu::max_columns_with_indices<DST_ACCUM_MODE>(
      thread_state.half,
      {dst, indices, dst + 1, indices + 1, kAccumulate && chunk != 0, kAccumulate}, kRows,
      kLayout == DataLayout::ROW_MAJOR)));
}

ALWI void reshuffle_rows_tile_init() {}
/// Adds each row r of DST[dst] to the row of the next tile that byte r of the list selects. Numbers
/// beyond the last row skip it. The list starts 16 bytes behind the address, because published
/// kernels pass the address of a tile header.
ALWI void reshuffle_rows_tile(uint32_t dst, uint32_t address) {
#if COMPILE_FOR_TRISC == 1
  const auto* rows = reinterpret_cast<const volatile uint8_t*>(address + 16);
  llk::sfpu::add_rows_to_rows<DST_ACCUM_MODE>(thread_state.half, dst, dst + 1,
                                              [=](unsigned row) { return rows[row]; });
#endif
}

ALWI void mul_reduce_scalar_init(uint32_t a, uint32_t b) {
  mul_tiles_init(a, b);
  PACK((llk::pack_only(llk::PackOnly::kDatum)));
}
/// The first datum of DST[0] becomes the sum of all products of tiles a and b over `tiles` pairs,
/// times `scaler`. The products are in DST[0] and following. Packers write zeros beside it until
/// mul_reduce_scalar_uninit().
template <PoolType kPool = PoolType::SUM>
ALWI void mul_reduce_scalar_tile(uint32_t a, uint32_t b, uint32_t tiles, float scaler = 1.0f) {
  static_assert(kPool == PoolType::SUM, "mul_reduce_scalar: sums only");
  for (uint32_t i = 0; i < tiles; ++i) mul_tiles(a, b, i, i, i);
  MATH((llk::sfpu::sum_of_tiles<DST_ACCUM_MODE>(thread_state.half, tiles,
                                                __builtin_bit_cast(uint32_t, scaler))));
}
/// Form of summer 2026, which names the result's buffer.
template <PoolType kPool = PoolType::SUM>
ALWI void mul_reduce_scalar_tile(uint32_t a, uint32_t b, uint32_t, uint32_t tiles,
                                 float scaler = 1.0f) {
  mul_reduce_scalar_tile<kPool>(a, b, tiles, scaler);
}
ALWI void mul_reduce_scalar_uninit() { PACK((llk::pack_only(llk::PackOnly::kAll))); }

}  // namespace ckernel
