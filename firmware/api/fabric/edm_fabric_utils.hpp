#pragma once
// Functions with which kernels of 2025 send pages from their L1 to an ethernet core of their chip.

#include <stdint.h>

#include "dataflow/circular_buffers.h"
#include "dataflow/noc_transactions.h"
#include "fabric/noc_addr.h"

namespace tt::tt_fabric {

/// The NoC on which workers reach routers and muxes.
FORCE_INLINE uint8_t get_fabric_worker_noc() { return noc_index; }

/// Waits until the pages have left, until they have arrived, or not at all.
enum EDM_IO_BLOCKING_MODE { FLUSH_BLOCKING, BLOCKING, NON_BLOCKING };

template <EDM_IO_BLOCKING_MODE mode = BLOCKING>
FORCE_INLINE void send_chunk_from_address(const uint32_t& from, const uint32_t& pages,
                                          const uint32_t& page_size, uint64_t to) {
  noc_async_write(from, to, page_size * pages);
  if constexpr (mode == FLUSH_BLOCKING) noc_async_writes_flushed();
  if constexpr (mode == BLOCKING) noc_async_write_barrier();
}
/// Sends from the front of a circular buffer, which is popped when its pages may be overwritten.
template <EDM_IO_BLOCKING_MODE mode = BLOCKING>
FORCE_INLINE void send_chunk(const uint32_t& cb, const uint32_t& pages, const uint32_t& page_size,
                             uint64_t to) {
  cb_wait_front(cb, pages);
  send_chunk_from_address<mode>(get_read_ptr(cb), pages, page_size, to);
  if constexpr (mode != NON_BLOCKING) cb_pop_front(cb, pages);
}

}  // namespace tt::tt_fabric
