#pragma once
// Moves one block to or from a tile a number of times, then waits at a barrier, with a Noc object
// as in the public noc_estimator kernels. Each transaction names the tile's coordinates and one
// virtual channel. Sizes are constants, so that each has its own code.

#include "api/dataflow/dataflow_api.h"
#include "experimental/noc.h"

namespace tvp::kernels::microbenchmarks {

constexpr uint32_t kChannel = 0;

/// With `kStateful`, registers that the transactions share are written once.
template <bool kIsWrite, bool kStateful, uint32_t kBytes, uint32_t kTransactions>
FORCE_INLINE void move_block(const experimental::Noc& noc, uint32_t local, uint32_t x, uint32_t y,
                             uint32_t remote) {
  const experimental::UnicastEndpoint tile;
  if constexpr (kStateful && kIsWrite) {
    noc.set_async_write_state(tile, kBytes, {.noc_x = x, .noc_y = y, .addr = remote});
  } else if constexpr (kStateful) {
    noc.set_async_read_state(tile, kBytes, {.noc_x = x, .noc_y = y, .addr = remote});
  }
  for (uint32_t i = 0; i < kTransactions; ++i) {
    if constexpr (kStateful && kIsWrite) {
      noc.async_write_with_state(tile, tile, kBytes, {.addr = local},
                                 {.noc_x = x, .noc_y = y, .addr = remote});
    } else if constexpr (kStateful) {
      noc.async_read_with_state(tile, tile, kBytes, {.noc_x = x, .noc_y = y, .addr = remote},
                                {.addr = local});
    } else if constexpr (kIsWrite) {
      noc.async_write(tile, tile, kBytes, {.addr = local}, {.noc_x = x, .noc_y = y, .addr = remote},
                      kChannel);
    } else {
      noc.async_read(tile, tile, kBytes, {.noc_x = x, .noc_y = y, .addr = remote}, {.addr = local},
                     kChannel);
    }
  }
}

/// Form of tt-metal's one_to_one and one_from_one kernels: by functions, with one address.
template <bool kIsWrite, uint32_t kBytes, uint32_t kTransactions>
FORCE_INLINE void move_block_by_functions(uint32_t local, uint32_t x, uint32_t y, uint32_t remote) {
  const uint64_t there = get_noc_addr(x, y, remote);
  for (uint32_t i = 0; i < kTransactions; ++i) {
    if constexpr (kIsWrite) {
      noc_async_write(local, there, kBytes);
    } else {
      noc_async_read(there, local, kBytes);
    }
  }
}

template <bool kIsWrite>
FORCE_INLINE void wait_for_blocks(const experimental::Noc& noc) {
  if constexpr (kIsWrite) {
    noc.async_write_barrier();
  } else {
    noc.async_read_barrier();
  }
}

}  // namespace tvp::kernels::microbenchmarks
