#pragma once
// One end of a remote buffer (tt-metal PrefetcherPipe, CrossNodeDFB): a sender with a ring in the
// L1 of each receiver, or one receiver.

#include <stdint.h>

#include "dataflow/circular_buffer.h"
#include "dataflow/noc.h"
#include "dataflow/remote_dfb_slot.h"

namespace tvp::remote_dfb {

/// The local circular buffer over a receiver's ring, as the receiver's kernel fills it.
class RelayView {
 public:
  explicit RelayView(uint32_t buffer) : buffer_(buffer) {}

  void reserve_back(uint16_t entries) const { buffer_.reserve_back(entries); }
  void push_back(uint16_t entries) const { buffer_.push_back(entries); }
  /// Blocks until all pushed pages are popped.
  void wait_consumed(uint16_t) const {
    WAYPOINT("CNCW");
    while (tvp::cb::occupied(buffer_.get_id()) != 0) {
    }
    WAYPOINT("CNCD");
  }

 private:
  CircularBuffer buffer_;
};

class End {
 public:
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  uint32_t get_entry_size() const { return sender_.fifo_page_size; }

  // Entries of one call are contiguous in the ring. Writes do not advance a receiver. Each push
  // advances one receiver.

  uint32_t num_receivers() const { return sender_.num_receivers; }
  /// A kernel has one thread here.
  bool owns_receiver(uint32_t) const { return true; }

  /// Blocks until every receiver has room for `entries`.
  void reserve_back(uint32_t entries) const {
    WAYPOINT("GSRW");
    for (uint32_t i = 0; i < sender_.num_receivers; ++i) wait_for_room(i, entries);
    WAYPOINT("GSRD");
  }
  void reserve_back_for_receiver(uint32_t receiver, uint32_t entries) const {
    WAYPOINT("GSRW");
    wait_for_room(receiver, entries);
    WAYPOINT("GSRD");
  }

  /// Writes the same entries to all receivers.
  template <typename Src>
  void write_broadcast(const Noc& noc, const Src& src, uint32_t entries,
                       const typename noc_traits_t<Src>::src_args_type& src_args = {}) const {
    for (uint32_t i = 0; i < sender_.num_receivers; ++i)
      write_to_receiver(noc, i, src, entries, src_args);
  }
  template <typename Src>
  void write_to_receiver(const Noc& noc, uint32_t receiver, const Src& src, uint32_t entries,
                         const typename noc_traits_t<Src>::src_args_type& src_args = {}) const {
    write_bytes(noc, receiver, noc_traits_t<Src>::local_source(src, src_args),
                entries * sender_.fifo_page_size);
  }
  /// Writes rows that hold the parts of all receivers, each `pages_per_row` writes of `page_size`
  /// bytes. A receiver gets its parts of all rows contiguously.
  template <typename Src>
  void write_strided(const Noc& noc, const Src& src, uint32_t rows, uint32_t pages_per_row,
                     uint32_t page_size,
                     const typename noc_traits_t<Src>::src_args_type& src_args = {}) const {
    const uint32_t from = noc_traits_t<Src>::local_source(src, src_args);
    const uint32_t part = pages_per_row * page_size;
    for (uint32_t i = 0; i < sender_.num_receivers; ++i) {
      ASSERT(fits(i, rows * part));
      const UnicastEndpoint to;
      uint32_t address = sender_.fifo_start_addr + cursor(i);
      const auto* xy = reinterpret_cast<const volatile uint32_t*>(sender_.receiver_noc_xy_ptr);
      noc.set_async_write_state<NocOptions::POSTED>(
          to, page_size, {.noc_x = xy[2 * i], .noc_y = xy[2 * i + 1], .addr = address});
      uint32_t row = from + i * part;
      for (uint32_t h = 0; h < rows; ++h, row += part * sender_.num_receivers)
        for (uint32_t at = 0; at < part; at += page_size, address += page_size)
          noc.async_write_with_state<NocOptions::POSTED>(CoreLocalMem<uint32_t>(row + at), to,
                                                         page_size, {}, {.addr = address});
    }
  }
  // Form of summer 2026.
  void write_broadcast(uint32_t src, uint32_t entries, const Noc& noc = Noc{}) const {
    write_broadcast(noc, CoreLocalMem<uint32_t>(src), entries);
  }
  void write_to_receiver(uint32_t receiver, uint32_t src, uint32_t entries,
                         const Noc& noc = Noc{}) const {
    write_to_receiver(noc, receiver, CoreLocalMem<uint32_t>(src), entries);
  }
  void write_strided(uint32_t src, uint32_t rows, uint32_t pages_per_row, uint32_t page_size,
                     const Noc& noc = Noc{}) const {
    write_strided(noc, CoreLocalMem<uint32_t>(src), rows, pages_per_row, page_size);
  }

  /// Waits until the writes have left. Credits that follow on the same path do not overtake them.
  void flush_writes(const Noc& noc = Noc{}) const {
    noc.async_writes_flushed<NocOptions::POSTED>();
  }
  /// Notifies the receivers of new entries.
  void push_back(uint32_t entries, const Noc& noc = Noc{}) const {
    for (uint32_t i = 0; i < sender_.num_receivers; ++i) push_back_to_receiver(i, entries, noc);
  }
  void push_back_to_receiver(uint32_t receiver, uint32_t entries, const Noc& noc = Noc{}) const {
    // Entries that cross the end were already written behind the ring.
    TVP_CHECK(fits(receiver, entries * sender_.fifo_page_size));
    credit(receiver, extent_of(receiver, entries), noc.get_noc_id());
  }
  /// Blocks until the receivers have popped all entries.
  void barrier() const {
    WAYPOINT("CNBW");
    for (uint32_t i = 0; i < sender_.num_receivers; ++i) {
      const auto counters = remote_cb::counters_of(sender_, i);
      while (*counters.sent != *counters.acked) {
      }
    }
    WAYPOINT("CNBD");
  }
  /// NoC address of the next entry of a receiver.
  uint64_t next_entry(uint32_t receiver, uint8_t noc) const {
    return get_noc_addr_helper(remote_cb::receiver_xy(sender_, receiver, noc),
                               sender_.fifo_start_addr + cursor(receiver));
  }

  // --- a receiver -----------------------------------------------------------------------------

  /// Blocks until `entries` in total have arrived. They may wrap around to the ring's start.
  void wait_front(uint32_t entries) const {
    WAYPOINT("CNWF");
    const uint32_t units =
        remote_cb::extent(receiver_, receiver_.fifo_rd_ptr, entries) / contract::kRemoteCbUnit;
    const auto counters = remote_cb::counters_of(receiver_);
    while (*counters.sent - *counters.acked < units) {
    }
    WAYPOINT("CNWD");
  }
  /// Frees entries for the sender. With a circular buffer over the ring, it first waits until they
  /// are popped there.
  void pop_front(uint32_t entries, const Noc& noc = Noc{}) {
    if (relay_ != contract::kNoRelay) wait_for_relay(entries);
    const uint32_t bytes = remote_cb::extent(receiver_, receiver_.fifo_rd_ptr, entries);
    const uint32_t end = receiver_.fifo_rd_ptr + entries * receiver_.fifo_page_size;
    TVP_CHECK(end <= receiver_.fifo_limit_page_aligned);
    receiver_.fifo_rd_ptr =
        end < receiver_.fifo_limit_page_aligned ? end : receiver_.fifo_start_addr;
    const uint8_t noc_id = noc.get_noc_id();
    remote_cb::add_credits(remote_cb::counters_of(receiver_).acked, bytes,
                           get_noc_xy(receiver_.sender_noc_x, receiver_.sender_noc_y, noc_id),
                           noc_id, true, write_at_cmd_buf);
  }
  bool has_unconsumed_entries() const {
    const auto counters = remote_cb::counters_of(receiver_);
    return *counters.sent != *counters.acked;
  }
  [[nodiscard]] auto scoped_read_lock(uint32_t = 1) const {
    return PointerLock(receiver_.fifo_rd_ptr);
  }

  /// Opens the circular buffer that the host has placed over the ring. Called once.
  RelayView bind_relay() {
    TVP_CHECK(relay_ != contract::kNoRelay && !relay_bound_);
    const uint32_t page_size = get_local_cb_interface(relay_).fifo_page_size;
    relay_page_size_ = page_size == receiver_.fifo_page_size ? 0 : page_size;
    align_relay();
    relay_acked_ = static_cast<uint16_t>(*get_cb_tiles_acked_ptr(relay_));
    relay_bound_ = true;
    return RelayView(relay_);
  }

 protected:
  End(uint16_t table_offset, uint32_t number, uint8_t noc = noc_index) {
    const volatile contract::RemoteDfbSlot& of = slot(table_offset, number);
    const auto* config = reinterpret_cast<const volatile uint32_t*>(of.config_address);
    const uint32_t start = config[contract::kRemoteDfbFifoStart];
    const uint32_t entry_size = config[contract::kRemoteDfbEntrySize];
    sender_.config_ptr = of.config_address;
    sender_.fifo_start_addr = start;
    sender_.fifo_page_size = entry_size;
    if (entry_size != 0)
      sender_.fifo_limit_page_aligned =
          start + config[contract::kRemoteDfbFifoSize] / entry_size * entry_size;
    const uint32_t coordinates = config[contract::kRemoteDfbCoordinates];
    const uint32_t counters = config[contract::kRemoteDfbCounters];
    relay_ = of.relay;
    sends_ = config[contract::kRemoteDfbIsSender] != 0;
    if (sends_) {
      sender_.receiver_noc_xy_ptr = coordinates;
      sender_.aligned_pages_sent_ptr = counters;
      sender_.num_receivers = config[contract::kRemoteDfbReceivers];
    } else {
      const auto* xy = reinterpret_cast<const volatile uint32_t*>(coordinates);
      receiver_.fifo_rd_ptr = config[contract::kRemoteDfbFifoPointer];
      receiver_.sender_noc_x = xy[0];
      receiver_.sender_noc_y = xy[1];
      receiver_.aligned_pages_acked_ptr = counters + contract::kRemoteCbCounterStride;
    }
    if (of.entry_size != entry_size) resize(of.entry_size, noc);
  }
  ~End() = default;

  bool sends() const { return sends_; }
  uint32_t write_pointer(uint32_t receiver) const {
    return sender_.fifo_start_addr + cursor(receiver);
  }
  uint32_t read_pointer() const { return receiver_.fifo_rd_ptr; }

  /// Sets the size of later entries. Each end skips the rest before the next multiple of it. A
  /// receiver waits until the sender has skipped it.
  void resize(uint32_t entry_size, uint8_t noc) {
    const uint32_t size = remote_cb::fifo_size(sender_.config_ptr);
    TVP_CHECK(entry_size != 0 && entry_size % contract::kRemoteCbUnit == 0 && entry_size <= size);
    if (sends_) {
      for (uint32_t i = 0; i < sender_.num_receivers; ++i) {
        const uint32_t skipped = first_entry(write_pointer(i), entry_size).skipped;
        if (skipped != 0) credit(i, skipped, noc);
      }
      sender_.fifo_page_size = entry_size;
      sender_.fifo_limit_page_aligned = sender_.fifo_start_addr + size / entry_size * entry_size;
    } else {
      remote_cb::resize<true>(receiver_, receiver_.fifo_rd_ptr, entry_size, noc, true,
                              write_at_cmd_buf);
      if (relay_bound_) align_relay();
    }
    config(contract::kRemoteDfbEntrySize) = entry_size;
  }
  /// Stores the position for the next program. A sender's positions are already in L1.
  void leave_pointer() const {
    if (!sends_) config(contract::kRemoteDfbFifoPointer) = receiver_.fifo_rd_ptr;
  }

 private:
  volatile uint32_t& config(uint32_t word) const {
    return reinterpret_cast<volatile uint32_t*>(sender_.config_ptr)[word];
  }
  uint32_t cursor(uint32_t receiver) const {
    return remote_cb::counters_of(sender_, receiver).sent[contract::kRemoteDfbCursorWord];
  }
  remote_cb::FirstPage first_entry(uint32_t pointer, uint32_t entry_size) const {
    return remote_cb::first_page(sender_.fifo_start_addr, remote_cb::fifo_size(sender_.config_ptr),
                                 pointer, entry_size);
  }
  bool fits(uint32_t receiver, uint32_t bytes) const {
    return write_pointer(receiver) + bytes <= sender_.fifo_limit_page_aligned;
  }
  /// Size of entries, with the rest behind the last whole entry if they reach it.
  uint32_t extent_of(uint32_t receiver, uint32_t entries) const {
    return remote_cb::extent(sender_, write_pointer(receiver), entries);
  }
  void wait_for_room(uint32_t receiver, uint32_t entries) const {
    const uint32_t most =
        (remote_cb::fifo_size(sender_.config_ptr) - extent_of(receiver, entries)) /
        contract::kRemoteCbUnit;
    const auto counters = remote_cb::counters_of(sender_, receiver);
    while (*counters.sent - *counters.acked > most) {
    }
  }
  void write_bytes(const Noc& noc, uint32_t receiver, uint32_t from, uint32_t bytes) const {
    ASSERT(fits(receiver, bytes));
    const uint8_t noc_id = noc.get_noc_id();
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, true>(from, next_entry(receiver, noc_id), bytes,
                                                        noc_id);
  }
  void credit(uint32_t receiver, uint32_t bytes, uint8_t noc) const {
    volatile uint32_t* sent = remote_cb::counters_of(sender_, receiver).sent;
    const uint32_t next = sent[contract::kRemoteDfbCursorWord] + bytes;
    sent[contract::kRemoteDfbCursorWord] =
        next == remote_cb::fifo_size(sender_.config_ptr) ? 0 : next;
    remote_cb::add_credits(sent, bytes, remote_cb::receiver_xy(sender_, receiver, noc), noc, true,
                           write_at_cmd_buf);
  }
  uint32_t relay_page_size() const {
    return relay_page_size_ == 0 ? receiver_.fifo_page_size : relay_page_size_;
  }
  void align_relay() const {
    TVP_CHECK(receiver_.fifo_page_size % relay_page_size() == 0);
    lay_over(get_local_cb_interface(relay_), receiver_.fifo_start_addr,
             receiver_.fifo_limit_page_aligned, relay_page_size(), receiver_.fifo_rd_ptr);
  }
  void wait_for_relay(uint32_t entries) {
    TVP_CHECK(relay_bound_);
    WAYPOINT("PDCW");
    const uint32_t pages = entries * (receiver_.fifo_page_size / relay_page_size());
    const volatile uint32_t* acked = get_cb_tiles_acked_ptr(relay_);
    while (static_cast<uint16_t>(*acked - relay_acked_) < pages) {
    }
    WAYPOINT("PDCD");
    relay_acked_ = static_cast<uint16_t>(relay_acked_ + pages);
  }

  union {
    RemoteSenderCBInterface sender_{};
    RemoteReceiverCBInterface receiver_;
  };
  uint32_t relay_ = contract::kNoRelay;
  uint32_t relay_page_size_ =
      0;  ///< page size of the circular buffer; 0: each entry is a page, of any size
  uint16_t relay_acked_ = 0;
  bool relay_bound_ = false;
  bool sends_ = false;
};

}  // namespace tvp::remote_dfb
