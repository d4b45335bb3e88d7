#pragma once

// Compute blocks of the SDPA reduction.

#include "api/compute/compute_kernel_api.h"
#include "api/compute/sdpa.h"
#include "firmware/kernels/sdpa/buffers.h"

namespace tvp::kernels::sdpa {

/// Tiles that fit in one half of Dst.
inline constexpr uint32_t kHalfTiles = DST_ACCUM_MODE ? 4 : 8;

/// Circular buffers of a partial result. A template argument, so that the tiles' description is
/// known at compile time.
struct Partial {
  uint32_t numerator, sum, max;
};

/// out = a merged with b. The order of a and b is part of the result's bits.
template <uint32_t kNumeratorTiles, Partial a, Partial b, Partial out>
static void merge() {
  // Statistics: maxima and sums into Dst, factors and results out of it.
  reconfig_data_format_srca(a.max);
  copy_tile_to_dst_init_short(a.max);
  cb_wait_front(a.max, 1);
  cb_wait_front(a.sum, 1);
  cb_wait_front(b.max, 1);
  cb_wait_front(b.sum, 1);
  tile_regs_acquire();
  copy_tile(a.max, 0, 0);
  copy_tile(b.max, 0, 1);
  copy_tile(a.sum, 0, 2);
  copy_tile(b.sum, 0, 3);
  sdpa_merge_statistics_tiles(0);
  tile_regs_commit();
  cb_pop_front(a.max, 1);
  cb_pop_front(b.max, 1);
  cb_pop_front(a.sum, 1);
  cb_pop_front(b.sum, 1);

  cb_reserve_back(kScaleA, 1);
  cb_reserve_back(kScaleB, 1);
  cb_reserve_back(out.max, 1);
  cb_reserve_back(out.sum, 1);
  tile_regs_wait();
  pack_reconfig_data_format(kScaleA);
  pack_tile(1, kScaleA);
  pack_tile(2, kScaleB);
  cb_push_back(kScaleA, 1);
  cb_push_back(kScaleB, 1);
  pack_reconfig_data_format(out.max);
  pack_tile(0, out.max);
  pack_tile(3, out.sum);
  cb_push_back(out.max, 1);
  cb_push_back(out.sum, 1);
  tile_regs_release();

  // Numerators: Dst starts at zero and takes both products.
  mul_bcast_cols_init_short(a.numerator, kScaleA, true);
  cb_wait_front(a.numerator, kNumeratorTiles);
  cb_wait_front(b.numerator, kNumeratorTiles);
  cb_wait_front(kScaleA, 1);
  cb_wait_front(kScaleB, 1);
  cb_reserve_back(out.numerator, kNumeratorTiles);
  for (uint32_t first = 0; first < kNumeratorTiles; first += kHalfTiles) {
    const uint32_t left = kNumeratorTiles - first;
    const uint32_t tiles = left < kHalfTiles ? left : kHalfTiles;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(a.numerator, kScaleA, first + i, 0, i);
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(b.numerator, kScaleB, first + i, 0, i);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, out.numerator);
    tile_regs_release();
  }
  cb_push_back(out.numerator, kNumeratorTiles);
  cb_pop_front(a.numerator, kNumeratorTiles);
  cb_pop_front(b.numerator, kNumeratorTiles);
  cb_pop_front(kScaleA, 1);
  cb_pop_front(kScaleB, 1);
}

/// out = numerator / sum, 0 where the sum is 0. Leaves its operands in their buffers.
template <uint32_t kNumeratorTiles, uint32_t numerator, uint32_t sum, uint32_t out>
static void normalize() {
  reconfig_data_format_srca(sum);
  copy_tile_to_dst_init_short(sum);
  sdpa_normalizer_tile_init();
  cb_wait_front(sum, 1);
  tile_regs_acquire();
  copy_tile(sum, 0, 0);
  sdpa_normalizer_tile(0);
  tile_regs_commit();
  cb_reserve_back(kNormalizer, 1);
  tile_regs_wait();
  pack_reconfig_data_format(kNormalizer);
  pack_tile(0, kNormalizer);
  cb_push_back(kNormalizer, 1);
  pack_reconfig_data_format(out);
  tile_regs_release();

  mul_bcast_cols_init_short(numerator, kNormalizer, true);
  cb_wait_front(numerator, kNumeratorTiles);
  cb_wait_front(kNormalizer, 1);
  cb_reserve_back(out, kNumeratorTiles);
  for (uint32_t first = 0; first < kNumeratorTiles; first += kHalfTiles) {
    const uint32_t left = kNumeratorTiles - first;
    const uint32_t tiles = left < kHalfTiles ? left : kHalfTiles;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(numerator, kNormalizer, first + i, 0, i);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, out);
    tile_regs_release();
  }
  cb_push_back(out, kNumeratorTiles);
  cb_pop_front(kNormalizer, 1);
}

}  // namespace tvp::kernels::sdpa
