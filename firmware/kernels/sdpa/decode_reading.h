#pragma once

// Reads of tensors in DRAM by both data-movement kernels of the flash decode.

#include "firmware/kernels/sdpa/data_movement.h"
#include "firmware/kernels/sdpa/decode.h"

namespace tvp::kernels::sdpa {

/// Reads a worker's kRows rows of kColumns tiles to a buffer, several rows at a time.
template <uint32_t kColumns, uint32_t kRows, typename Access>
FORCE_INLINE void read_tensor(uint32_t cb, uint32_t address, const Access& access,
                              uint32_t worker) {
  constexpr uint32_t kAll = kRows * kColumns;
  constexpr uint32_t kMost = read_rows(kColumns) * kColumns;
  const auto id = static_cast<int32_t>(cb);
  const uint32_t bytes = get_tile_size(id);
  const auto tensor = TensorAccessor(access, address, bytes);
  uint32_t page = worker * kAll;
  for (uint32_t left = kAll; left != 0;) {
    const uint32_t tiles = left < kMost ? left : kMost;
    cb_reserve_back(id, static_cast<int32_t>(tiles));
    uint32_t to = get_write_ptr(cb);
    for (uint32_t tile = 0; tile < tiles; ++tile, to += bytes)
      noc_async_read_page(page++, tensor, to);
    noc_async_read_barrier();
    cb_push_back(id, static_cast<int32_t>(tiles));
    left -= tiles;
  }
}

}  // namespace tvp::kernels::sdpa
