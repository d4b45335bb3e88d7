#pragma once

// The function of each datum in Dst.

#include "api/compute/eltwise_unary.h"
#include "firmware/kernels/prefetcher/arguments.h"

namespace tvp::kernels::prefetcher {

template <uint32_t kApplied>
ALWI void apply_function([[maybe_unused]] uint32_t tiles) {
  if constexpr (kApplied == kRelu) {
    relu_tile_init();
    for (uint32_t tile = 0; tile < tiles; ++tile) relu_tile(tile);
  } else if constexpr (kApplied == kSilu) {
    silu_tile_init();
    for (uint32_t tile = 0; tile < tiles; ++tile) silu_tile(tile);
  } else if constexpr (kApplied == kGelu) {
    gelu_tile_init<false>();
    for (uint32_t tile = 0; tile < tiles; ++tile) gelu_tile<false>(tile);
  }
}

}  // namespace tvp::kernels::prefetcher
