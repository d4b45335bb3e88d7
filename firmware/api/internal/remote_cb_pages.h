#pragma once
// Places of the pages of a global circular buffer, and changes of their size. All cores of a tile
// keep these pointers. Only a data-movement core also notifies the other end.

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/global_circular_buffer.h"
#include "internal/circular_buffer_interface.h"
#include "internal/risc_attribs.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/noc_addresses.h"
#endif

constexpr uint32_t REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE = tvp::contract::kRemoteCbUnit;

namespace tvp::remote_cb {

FORCE_INLINE uint32_t fifo_size(uint32_t config_ptr) {
  return reinterpret_cast<const volatile uint32_t*>(config_ptr)[contract::kRemoteCbFifoSize];
}

/// First page of a new size after `pointer`, and the number of skipped bytes. Pages begin at
/// multiples of their size from the start, so that the last whole one ends where the first one
/// follows.
struct FirstPage {
  uint32_t pointer;
  uint32_t limit;
  uint32_t skipped;
};
FORCE_INLINE FirstPage first_page(uint32_t start, uint32_t size, uint32_t pointer, uint32_t page) {
  const uint32_t limit = start + size / page * page;
  const uint32_t next = start + (pointer - start + page - 1) / page * page;
  if (next >= limit) return {start, limit, start + size - pointer};
  return {next, limit, next - pointer};
}

/// Bytes of `pages` from `pointer` on, with the rest behind the last whole page if they reach its
/// end.
template <typename Interface>
FORCE_INLINE uint32_t extent(const Interface& cb, uint32_t pointer, uint32_t pages) {
  const uint32_t bytes = pages * cb.fifo_page_size;
  if (pointer + bytes < cb.fifo_limit_page_aligned) return bytes;
  return bytes + cb.fifo_start_addr + fifo_size(cb.config_ptr) - cb.fifo_limit_page_aligned;
}

#if !defined(COMPILE_FOR_TRISC)
constexpr uint8_t kNocMode = noc_mode;
constexpr uint8_t kCommandBuffer = write_at_cmd_buf;

/// A pair of counters in L1. The other end adds to one of them over the NoC.
struct Counters {
  volatile uint32_t* sent;
  volatile uint32_t* acked;
};
FORCE_INLINE Counters counters_at(uint32_t sent) {
  return {reinterpret_cast<volatile uint32_t*>(sent),
          reinterpret_cast<volatile uint32_t*>(sent + contract::kRemoteCbCounterStride)};
}
FORCE_INLINE Counters counters_of(const RemoteSenderCBInterface& cb, uint32_t receiver) {
  return counters_at(cb.aligned_pages_sent_ptr + receiver * 2 * contract::kRemoteCbCounterStride);
}
FORCE_INLINE Counters counters_of(const RemoteReceiverCBInterface& cb) {
  return counters_at(cb.aligned_pages_acked_ptr - contract::kRemoteCbCounterStride);
}

/// A receiver's coordinates as the upper part of a NoC address.
FORCE_INLINE uint32_t receiver_xy(const RemoteSenderCBInterface& cb, uint32_t receiver,
                                  uint8_t noc) {
  const auto* xy =
      reinterpret_cast<const volatile uint32_t*>(cb.receiver_noc_xy_ptr) + 2 * receiver;
  return get_noc_xy(xy[0], xy[1], noc);
}

/// Counts here and at the other end, where the counter has the same address.
FORCE_INLINE void add_credits(volatile uint32_t* counter, uint32_t bytes, uint32_t xy, uint8_t noc,
                              bool posted, uint32_t cmd_buf) {
  const uint32_t units = bytes / contract::kRemoteCbUnit;
  *counter = *counter + units;
  noc_fast_atomic_increment(noc, cmd_buf,
                            get_noc_addr_helper(xy, reinterpret_cast<uint32_t>(counter)),
                            NOC_UNICAST_WRITE_VC, units, 31, false, posted);
}

inline void skip(const RemoteSenderCBInterface& cb, uint32_t bytes, uint8_t noc, bool posted,
                 uint32_t cmd_buf) {
  for (uint32_t i = 0; i < cb.num_receivers; ++i)
    add_credits(counters_of(cb, i).sent, bytes, receiver_xy(cb, i, noc), noc, posted, cmd_buf);
}
/// Skips bytes at a receiver after the sender has skipped them: acknowledged must never overtake
/// sent.
inline void skip(const RemoteReceiverCBInterface& cb, uint32_t bytes, uint8_t noc, bool posted,
                 uint32_t cmd_buf) {
  const Counters counters = counters_of(cb);
  const uint32_t units = bytes / contract::kRemoteCbUnit;
  while (*counters.sent - *counters.acked < units) {
  }
  add_credits(counters.acked, bytes, get_noc_xy(cb.sender_noc_x, cb.sender_noc_y, noc), noc, posted,
              cmd_buf);
}
#else
constexpr uint8_t kNocMode = 0;
constexpr uint8_t kCommandBuffer = 0;
#endif

template <bool kNotifiesOtherEnd, typename Interface>
FORCE_INLINE void resize(Interface& cb, uint32_t& pointer, uint32_t page, uint8_t noc, bool posted,
                         uint8_t cmd_buf) {
  const FirstPage first = first_page(cb.fifo_start_addr, fifo_size(cb.config_ptr), pointer, page);
#if !defined(COMPILE_FOR_TRISC)
  if constexpr (kNotifiesOtherEnd)
    if (first.skipped != 0) skip(cb, first.skipped, noc, posted, cmd_buf);
#endif
  pointer = first.pointer;
  cb.fifo_limit_page_aligned = first.limit;
  cb.fifo_page_size = page;
}

}  // namespace tvp::remote_cb
