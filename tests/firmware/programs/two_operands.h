#pragma once

#include <cstdint>

#include "api/compute/compute_kernel_api.h"

namespace NAMESPACE {

/// Applies `compute` to tiles of buffers 0 and 1, in Dst 0 and 1; results to buffer 18.
template <typename Compute>
static void for_each_pair(uint32_t tiles, Compute compute) {
  constexpr uint32_t kA = 0, kB = 1, kOut = 18;
  init_sfpu(kA, kOut);
  cb_wait_front(kA, tiles);
  cb_wait_front(kB, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    tile_regs_acquire();
    copy_tile(kA, tile, 0);
    copy_tile(kB, tile, 1);
    compute();
    tile_regs_commit();
    cb_reserve_back(kOut, 1);
    tile_regs_wait();
    pack_tile(0, kOut);
    cb_push_back(kOut, 1);
    tile_regs_release();
  }
  cb_pop_front(kA, tiles);
  cb_pop_front(kB, tiles);
}

}  // namespace NAMESPACE
