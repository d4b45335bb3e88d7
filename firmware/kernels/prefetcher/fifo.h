#pragma once

// Places of tensors in the global circular buffer, for senders, receivers, and the UNPACK thread,
// which takes blocks in a different order.

#include "internal/remote_cb_pages.h"

namespace tvp::kernels::prefetcher {

inline uint32_t fifo_end(uint32_t start, uint32_t config) {
  return start + remote_cb::fifo_size(config);
}

/// Starts a tensor with blocks of `bytes`. Returns the skipped bytes. A compact tensor begins where
/// the previous one ended, unless there is no room for a block before the end.
template <bool kIsCompact, typename Interface>
inline uint32_t begin_tensor(Interface& cb, uint32_t& pointer, uint32_t bytes) {
  const uint32_t start = cb.fifo_start_addr;
  const uint32_t end = fifo_end(start, cb.config_ptr);
  cb.fifo_page_size = bytes;
  if constexpr (kIsCompact) {
    const uint32_t whole = (end - pointer) / bytes * bytes;
    cb.fifo_limit_page_aligned = pointer + whole;
    if (whole != 0) return 0;
    const uint32_t skipped = end - pointer;
    pointer = start;
    cb.fifo_limit_page_aligned = start + (end - start) / bytes * bytes;
    return skipped;
  } else {
    const auto first = remote_cb::first_page(start, end - start, pointer, bytes);
    pointer = first.pointer;
    cb.fifo_limit_page_aligned = first.limit;
    return first.skipped;
  }
}

/// Advances by whole blocks. Returns the bytes, with the rest behind the last block before the end.
template <bool kIsCompact, typename Interface>
inline uint32_t advance(Interface& cb, uint32_t& pointer, uint32_t bytes) {
  const uint32_t next = pointer + bytes;
  const uint32_t limit = cb.fifo_limit_page_aligned;
  if (next < limit) {
    pointer = next;
    return bytes;
  }
  const uint32_t start = cb.fifo_start_addr;
  const uint32_t end = fifo_end(start, cb.config_ptr);
  pointer = start + (next - limit);
  if constexpr (kIsCompact)
    cb.fifo_limit_page_aligned = start + (end - start) / cb.fifo_page_size * cb.fifo_page_size;
  return bytes + end - limit;
}

}  // namespace tvp::kernels::prefetcher
