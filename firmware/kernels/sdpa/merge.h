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

  /// One buffer holds all: [maxima | sums | numerator].
  constexpr bool joint() const { return numerator == max; }
  constexpr uint32_t sum_tile() const { return joint() ? 1 : 0; }
  constexpr uint32_t numerator_tile() const { return joint() ? kStatisticsTiles : 0; }
};
constexpr Partial joint_partial(uint32_t cb) { return {cb, cb, cb}; }

template <Partial p>
static void wait_statistics() {
  if constexpr (p.joint()) {
    cb_wait_front(p.max, kStatisticsTiles);
  } else {
    cb_wait_front(p.max, 1);
    cb_wait_front(p.sum, 1);
  }
}
template <Partial p>
static void push_statistics() {
  if constexpr (p.joint()) {
    cb_push_back(p.max, kStatisticsTiles);
  } else {
    cb_push_back(p.max, 1);
    cb_push_back(p.sum, 1);
  }
}

/// out = a merged with b. The order of a and b is part of the result's bits.
template <uint32_t kNumeratorTiles, Partial a, Partial b, Partial out>
static void merge() {
  // Statistics: maxima and sums into Dst, factors and results out of it.
  reconfig_data_format_srca(a.max);
  copy_tile_to_dst_init_short(a.max);
  wait_statistics<a>();
  wait_statistics<b>();
  tile_regs_acquire();
  copy_tile(a.max, 0, 0);
  copy_tile(b.max, 0, 1);
  copy_tile(a.sum, a.sum_tile(), 2);
  copy_tile(b.sum, b.sum_tile(), 3);
  sdpa_merge_statistics_tiles(0);
  tile_regs_commit();
  // A joint buffer is popped with its numerator.
  if constexpr (!a.joint()) {
    cb_pop_front(a.max, 1);
    cb_pop_front(b.max, 1);
    cb_pop_front(a.sum, 1);
    cb_pop_front(b.sum, 1);
  }

  cb_reserve_back(kScaleA, 1);
  cb_reserve_back(kScaleB, 1);
  if constexpr (out.joint()) {
    cb_reserve_back(out.max, kStatisticsTiles);
  } else {
    cb_reserve_back(out.max, 1);
    cb_reserve_back(out.sum, 1);
  }
  tile_regs_wait();
  pack_reconfig_data_format(kScaleA);
  pack_tile(1, kScaleA);
  pack_tile(2, kScaleB);
  cb_push_back(kScaleA, 1);
  cb_push_back(kScaleB, 1);
  pack_reconfig_data_format(out.max);
  pack_tile(0, out.max);
  pack_tile(3, out.sum);
  push_statistics<out>();
  tile_regs_release();

  // Numerators: Dst starts at zero and takes both products.
  static_assert(a.joint() == b.joint());
  constexpr uint32_t kFirst = a.numerator_tile();
  mul_bcast_cols_init_short(a.numerator, kScaleA, true);
  cb_wait_front(a.numerator, kFirst + kNumeratorTiles);
  cb_wait_front(b.numerator, kFirst + kNumeratorTiles);
  cb_wait_front(kScaleA, 1);
  cb_wait_front(kScaleB, 1);
  cb_reserve_back(out.numerator, kNumeratorTiles);
  for (uint32_t first = 0; first < kNumeratorTiles; first += kHalfTiles) {
    const uint32_t left = kNumeratorTiles - first;
    const uint32_t tiles = left < kHalfTiles ? left : kHalfTiles;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(a.numerator, kScaleA, kFirst + first + i, 0, i);
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(b.numerator, kScaleB, kFirst + first + i, 0, i);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, out.numerator);
    tile_regs_release();
  }
  cb_push_back(out.numerator, kNumeratorTiles);
  cb_pop_front(a.numerator, kFirst + kNumeratorTiles);
  cb_pop_front(b.numerator, kFirst + kNumeratorTiles);
  cb_pop_front(kScaleA, 1);
  cb_pop_front(kScaleB, 1);
}

/// out = numerator / sum, 0 where the sum is 0. Leaves its operands in their buffers.
template <uint32_t kNumeratorTiles, Partial of, uint32_t out>
static void normalize() {
  reconfig_data_format_srca(of.sum);
  copy_tile_to_dst_init_short(of.sum);
  sdpa_normalizer_tile_init();
  cb_wait_front(of.sum, of.sum_tile() + 1);
  tile_regs_acquire();
  copy_tile(of.sum, of.sum_tile(), 0);
  sdpa_normalizer_tile(0);
  tile_regs_commit();
  cb_reserve_back(kNormalizer, 1);
  tile_regs_wait();
  pack_reconfig_data_format(kNormalizer);
  pack_tile(0, kNormalizer);
  cb_push_back(kNormalizer, 1);
  pack_reconfig_data_format(out);
  tile_regs_release();

  constexpr uint32_t kFirst = of.numerator_tile();
  mul_bcast_cols_init_short(of.numerator, kNormalizer, true);
  cb_wait_front(of.numerator, kFirst + kNumeratorTiles);
  cb_wait_front(kNormalizer, 1);
  cb_reserve_back(out, kNumeratorTiles);
  for (uint32_t first = 0; first < kNumeratorTiles; first += kHalfTiles) {
    const uint32_t left = kNumeratorTiles - first;
    const uint32_t tiles = left < kHalfTiles ? left : kHalfTiles;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i)
      mul_tiles_bcast_cols(of.numerator, kNormalizer, kFirst + first + i, 0, i);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, out);
    tile_regs_release();
  }
  cb_push_back(out, kNumeratorTiles);
  cb_pop_front(kNormalizer, 1);
}

}  // namespace tvp::kernels::sdpa
