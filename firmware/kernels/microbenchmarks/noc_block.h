#pragma once
// One block to or from a tile, a number of times, and the barrier behind it. Sizes are constants,
// so that each gets code of its own.

#include "api/dataflow/dataflow_api.h"

namespace tvp::kernels::microbenchmarks {

/// With `kStateful` what the transactions have in common is written once.
template <bool kIsWrite, bool kStateful, uint32_t kBytes, uint32_t kTransactions>
FORCE_INLINE void move_block(uint32_t local, uint64_t remote, uint32_t remote_address) {
  if constexpr (kStateful && kIsWrite) {
    noc_async_write_one_packet_set_state(remote, kBytes);
  } else if constexpr (kStateful) {
    noc_async_read_one_packet_set_state(remote, kBytes);
  }
  for (uint32_t i = 0; i < kTransactions; ++i) {
    if constexpr (kStateful && kIsWrite) {
      noc_async_write_one_packet_with_state(local, remote_address);
    } else if constexpr (kStateful) {
      noc_async_read_one_packet_with_state(remote_address, local);
    } else if constexpr (kIsWrite) {
      noc_async_write(local, remote, kBytes);
    } else {
      noc_async_read(remote, local, kBytes);
    }
  }
}

template <bool kIsWrite>
FORCE_INLINE void wait_for_blocks() {
  if constexpr (kIsWrite) {
    noc_async_write_barrier();
  } else {
    noc_async_read_barrier();
  }
}

}  // namespace tvp::kernels::microbenchmarks
