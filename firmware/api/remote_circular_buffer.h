#pragma once
// Global circular buffers from kernels (kernel_api 1.6). A sender writes pages into the L1 of its
// receivers, which acknowledge consumed pages. Data-movement cores send and receive. Compute cores
// access a receiver's pages through local buffers that overlie the remote one.

#include "debug/assert.h"
#include "internal/remote_cb_pages.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/dataflow_api.h"
#include "experimental/noc.h"
#endif

namespace experimental {

/// Sets the page size to `page_size` bytes, a multiple of 16 and at most the size of the buffer.
/// The pointer moves to the next multiple of it from the start. With `update_remote_over_noc` the
/// sender notifies the receivers of the skipped bytes. Receivers must resize to the same size at
/// the same place.
template <bool update_remote_over_noc = false>
FORCE_INLINE void resize_remote_sender_cb_interface(
    uint32_t cb_id, uint32_t page_size, uint8_t noc, uint8_t /*nm*/ = tvp::remote_cb::kNocMode,
    bool posted = true, uint8_t cmd_buf = tvp::remote_cb::kCommandBuffer) {
  ASSERT(page_size != 0 && page_size % REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE == 0);
  RemoteSenderCBInterface& cb = get_remote_sender_cb_interface(cb_id);
  tvp::remote_cb::resize<update_remote_over_noc>(cb, cb.fifo_wr_ptr, page_size, noc, posted,
                                                 cmd_buf);
}
/// Sets the page size at a receiver, which waits until the sender has skipped the same bytes.
template <bool update_remote_over_noc = false>
FORCE_INLINE void resize_remote_receiver_cb_interface(
    uint32_t cb_id, uint32_t page_size, uint8_t noc, uint8_t /*nm*/ = tvp::remote_cb::kNocMode,
    bool posted = true, uint8_t cmd_buf = tvp::remote_cb::kCommandBuffer) {
  ASSERT(page_size != 0 && page_size % REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE == 0);
  RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(cb_id);
  tvp::remote_cb::resize<update_remote_over_noc>(cb, cb.fifo_rd_ptr, page_size, noc, posted,
                                                 cmd_buf);
}

/// Places local circular buffers over the whole pages of a remote one, from its current position
/// on. A remote page is a whole number of local pages.
template <uint32_t num_local_cbs>
FORCE_INLINE void align_local_cbs_to_remote_cb(uint32_t remote_cb_index,
                                               const uint32_t (&local_cb_indices)[num_local_cbs]) {
  const RemoteReceiverCBInterface& remote = get_remote_receiver_cb_interface(remote_cb_index);
  const uint32_t limit = remote.fifo_limit_page_aligned >> cb_addr_shift;
  const uint32_t size = limit - (remote.fifo_start_addr >> cb_addr_shift);
  const uint32_t pointer = remote.fifo_rd_ptr >> cb_addr_shift;
  for (const uint32_t index : local_cb_indices) {
    LocalCBInterface& local = get_local_cb_interface(index);
    ASSERT(size % local.fifo_page_size == 0);
    local.fifo_size = size;
    local.fifo_limit = limit;
    local.fifo_num_pages = size / local.fifo_page_size;
    local.fifo_rd_ptr = pointer;
    local.fifo_wr_ptr = pointer;
  }
}

/// Stores the pointer of either end for the next program's firmware. One core of a tile calls it,
/// the one that moved the pointer.
FORCE_INLINE void update_remote_cb_config_in_l1(uint32_t remote_cb_index) {
  static_assert(offsetof(RemoteReceiverCBInterface, fifo_rd_ptr) ==
                offsetof(RemoteSenderCBInterface, fifo_wr_ptr));
  const RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(remote_cb_index);
  reinterpret_cast<volatile uint32_t*>(cb.config_ptr)[tvp::contract::kRemoteCbFifoPointer] =
      cb.fifo_rd_ptr;
}

#if !defined(COMPILE_FOR_TRISC)

// --- the sender

/// Blocks until every receiver has room for `num_pages`.
FORCE_INLINE void remote_cb_reserve_back(uint32_t cb_id, uint32_t num_pages) {
  WAYPOINT("RCRB");
  const RemoteSenderCBInterface& cb = get_remote_sender_cb_interface(cb_id);
  const uint32_t bytes = tvp::remote_cb::extent(cb, cb.fifo_wr_ptr, num_pages);
  const uint32_t most =
      (tvp::remote_cb::fifo_size(cb.config_ptr) - bytes) / tvp::contract::kRemoteCbUnit;
  for (uint32_t i = 0; i < cb.num_receivers; ++i) {
    const auto counters = tvp::remote_cb::counters_of(cb, i);
    while (*counters.sent - *counters.acked > most) {
    }
  }
  WAYPOINT("RCRD");
}

/// Writes `num_pages` pages, which are `num_rows` rows in L1 from `local_cb_addr` on. A row holds
/// the parts of all receivers, each `coalesced_num_pages_per_row` packets of `coalesced_page_size`
/// bytes. A receiver gets its parts of all rows contiguously. The credits follow on the path of the
/// data and do not overtake it. With `skip_ptr_update` packets and credits are posted: their
/// counter shows when the source is free, not when the data has arrived.
template <bool skip_ptr_update = true>
FORCE_INLINE void remote_cb_push_back_and_write_pages(uint32_t cb_id, uint32_t local_cb_addr,
                                                      uint32_t num_pages, uint32_t num_rows,
                                                      uint32_t coalesced_num_pages_per_row,
                                                      uint32_t coalesced_page_size,
                                                      uint8_t noc = noc_index) {
  constexpr bool kPosted = skip_ptr_update;
  RemoteSenderCBInterface& cb = get_remote_sender_cb_interface(cb_id);
  const uint32_t bytes = tvp::remote_cb::extent(cb, cb.fifo_wr_ptr, num_pages);
  const uint32_t part = coalesced_num_pages_per_row * coalesced_page_size;
  const uint32_t row = part * cb.num_receivers;
  uint32_t to = cb.fifo_wr_ptr;
  for (uint32_t i = 0; i < cb.num_receivers; ++i) {
    const uint32_t xy = tvp::remote_cb::receiver_xy(cb, i, noc);
    noc_async_write_one_packet_set_state<kPosted>(get_noc_addr_helper(xy, 0), coalesced_page_size,
                                                  noc);
    to = cb.fifo_wr_ptr;
    uint32_t from_row = local_cb_addr + i * part;
    for (uint32_t h = 0; h < num_rows; ++h, from_row += row) {
      uint32_t from = from_row;
      for (uint32_t w = 0; w < coalesced_num_pages_per_row; ++w) {
        noc_async_write_one_packet_with_state<kPosted>(from, to, noc);
        from += coalesced_page_size;
        to += coalesced_page_size;
      }
    }
    tvp::remote_cb::add_credits(tvp::remote_cb::counters_of(cb, i).sent, bytes, xy, noc, kPosted,
                                write_at_cmd_buf);
  }
  // Pages are contiguous: pages that cross the end were already written behind the buffer.
  TVP_CHECK(to <= cb.fifo_limit_page_aligned);
  cb.fifo_wr_ptr = to == cb.fifo_limit_page_aligned ? cb.fifo_start_addr : to;
}

/// Blocks until the receivers have acknowledged all sent pages.
FORCE_INLINE void remote_cb_sender_barrier(uint32_t cb_id) {
  WAYPOINT("RCBW");
  const RemoteSenderCBInterface& cb = get_remote_sender_cb_interface(cb_id);
  for (uint32_t i = 0; i < cb.num_receivers; ++i) {
    const auto counters = tvp::remote_cb::counters_of(cb, i);
    while (*counters.sent != *counters.acked) {
    }
  }
  WAYPOINT("RCBD");
}

// --- a receiver

/// Blocks until `num_pages` pages are there, in all.
FORCE_INLINE void remote_cb_wait_front(uint32_t cb_id, uint32_t num_pages) {
  WAYPOINT("RCWF");
  const RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(cb_id);
  const uint32_t units =
      tvp::remote_cb::extent(cb, cb.fifo_rd_ptr, num_pages) / tvp::contract::kRemoteCbUnit;
  const auto counters = tvp::remote_cb::counters_of(cb);
  while (*counters.sent - *counters.acked < units) {
  }
  WAYPOINT("RCWD");
}

/// Frees `num_pages` pages for the sender.
FORCE_INLINE void remote_cb_pop_front(uint32_t cb_id, uint32_t num_pages, uint8_t noc = noc_index) {
  RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(cb_id);
  const uint32_t bytes = tvp::remote_cb::extent(cb, cb.fifo_rd_ptr, num_pages);
  const uint32_t end = cb.fifo_rd_ptr + num_pages * cb.fifo_page_size;
  cb.fifo_rd_ptr = end < cb.fifo_limit_page_aligned
                       ? end
                       : end - cb.fifo_limit_page_aligned + cb.fifo_start_addr;
  tvp::remote_cb::add_credits(tvp::remote_cb::counters_of(cb).acked, bytes,
                              get_noc_xy(cb.sender_noc_x, cb.sender_noc_y, noc), noc, false,
                              write_at_cmd_buf);
}

/// One end of a global circular buffer as an object. As in tt-metal, each end names the page size
/// that it sets by the other end: a sender calls set_receiver_page_size, a receiver
/// set_sender_page_size.
class RemoteCircularBuffer {
 public:
  /// Selects if the other end is notified immediately of the bytes that a new page size skips.
  enum class RemotePointerUpdate { SKIP, UPDATE_OVER_NOC };

  explicit RemoteCircularBuffer(uint32_t remote_cb_index) : index_(remote_cb_index) {}

  void reserve_back(uint32_t num_pages) const { remote_cb_reserve_back(index_, num_pages); }
  /// Calls remote_cb_push_back_and_write_pages with a local source. The writes are posted unless
  /// the pointer's update is skipped.
  template <typename Src,
            RemotePointerUpdate update_remote_pointer = RemotePointerUpdate::UPDATE_OVER_NOC>
  void push_back(const Noc& noc, const Src& src, uint32_t num_pages, uint32_t num_rows,
                 uint32_t coalesced_num_pages_per_row, uint32_t coalesced_page_size,
                 const typename noc_traits_t<Src>::src_args_type& src_args = {}) const {
    remote_cb_push_back_and_write_pages<update_remote_pointer ==
                                        RemotePointerUpdate::UPDATE_OVER_NOC>(
        index_, noc_traits_t<Src>::local_source(src, src_args), num_pages, num_rows,
        coalesced_num_pages_per_row, coalesced_page_size, noc.get_noc_id());
  }
  /// For the sender.
  template <RemotePointerUpdate update_remote_pointer = RemotePointerUpdate::UPDATE_OVER_NOC>
  void set_receiver_page_size(const Noc& noc, uint32_t page_size,
                              uint8_t nm = tvp::remote_cb::kNocMode,
                              Noc::ResponseMode response_mode = Noc::ResponseMode::POSTED,
                              uint8_t cmd_buf = tvp::remote_cb::kCommandBuffer) const {
    resize_remote_sender_cb_interface<update_remote_pointer ==
                                      RemotePointerUpdate::UPDATE_OVER_NOC>(
        index_, page_size, noc.get_noc_id(), nm, response_mode == Noc::ResponseMode::POSTED,
        cmd_buf);
  }

  void wait_front(uint32_t num_pages) const { remote_cb_wait_front(index_, num_pages); }
  void pop_front(const Noc& noc, uint32_t num_pages) const {
    remote_cb_pop_front(index_, num_pages, noc.get_noc_id());
  }
  /// For a receiver.
  template <RemotePointerUpdate update_remote_pointer = RemotePointerUpdate::UPDATE_OVER_NOC>
  void set_sender_page_size(const Noc& noc, uint32_t page_size,
                            uint8_t nm = tvp::remote_cb::kNocMode, bool posted = true,
                            uint8_t cmd_buf = tvp::remote_cb::kCommandBuffer) const {
    resize_remote_receiver_cb_interface<update_remote_pointer ==
                                        RemotePointerUpdate::UPDATE_OVER_NOC>(
        index_, page_size, noc.get_noc_id(), nm, posted, cmd_buf);
  }

  /// Waits at the sender until all pages are acknowledged.
  void barrier() const { remote_cb_sender_barrier(index_); }
  /// Stores the pointer in L1 for the next program.
  void commit() const { update_remote_cb_config_in_l1(index_); }

 private:
  uint32_t index_;
};

#endif

}  // namespace experimental
