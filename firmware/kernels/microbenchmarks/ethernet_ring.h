#pragma once

// Rings of slots for messages over an ethernet link, as tt-metal's benchmarks keep them: behind the
// payload of each lie 16 bytes of sync words, which the receiver sends back. What is done for a
// message, and in which order, is part of what it takes.

#include "ethernet/dataflow_api.h"

namespace tvp::kernels::microbenchmarks {

constexpr uint32_t kSyncBytes = 16;

/// A slot's message and the sync words behind its payload.
struct Slot {
  uint32_t address;
  volatile uint32_t* sync;
};

FORCE_INLINE void send_message(uint32_t address, uint32_t bytes) {
  tvp::eth::wait_txq(0);
  eth_send_bytes_over_channel_payload_only_unsafe_one_packet(address, address, bytes);
}

template <uint32_t kSlots>
FORCE_INLINE uint32_t behind(uint32_t slot) {
  return (slot + 1) % kSlots;
}

/// The end that sends: all slots but one may be under way.
template <uint32_t kSlots>
class Sender {
 public:
  Sender(Slot (&ring)[kSlots], uint32_t bytes, uint32_t messages)
      : ring_(ring), bytes_(bytes + kSyncBytes), to_send_(messages) {}

  static void prepare(Slot (&ring)[kSlots]) {
    for (Slot& slot : ring) *slot.sync = 1;
  }
  /// Returns messages that are answered, 0 or 1.
  FORCE_INLINE uint32_t step() {
    const uint32_t next = behind<kSlots>(write_);
    if (next != read_ && to_send_ != 0) {
      *ring_[write_].sync = 1;
      send_message(ring_[write_].address, bytes_);
      write_ = next;
      --to_send_;
    }
    volatile uint32_t* sync = ring_[read_].sync;
    if (*sync != 0) return 0;
    *sync = 1;
    read_ = behind<kSlots>(read_);
    return 1;
  }

 private:
  Slot (&ring_)[kSlots];
  uint32_t bytes_;
  uint32_t to_send_;
  uint32_t write_ = 0;
  uint32_t read_ = 0;
};

/// The end that receives, and answers by the sync words or by the whole message.
template <uint32_t kSlots, bool kWhole>
class Receiver {
 public:
  Receiver(Slot (&ring)[kSlots], uint32_t bytes) : ring_(ring), bytes_(bytes + kSyncBytes) {}

  /// Returns messages that it has answered, 0 or 1.
  FORCE_INLINE uint32_t step() {
    const uint32_t next = behind<kSlots>(write_);
    if (next != read_ && *ring_[write_].sync != 0) write_ = next;
    if (read_ == write_) return 0;
    volatile uint32_t* sync = ring_[read_].sync;
    *sync = 0;
    if constexpr (kWhole) {
      send_message(ring_[read_].address, bytes_);
    } else {
      send_message(reinterpret_cast<uintptr_t>(sync), kSyncBytes);
    }
    read_ = behind<kSlots>(read_);
    return 1;
  }

 private:
  Slot (&ring_)[kSlots];
  uint32_t bytes_;
  uint32_t write_ = 0;
  uint32_t read_ = 0;
};

}  // namespace tvp::kernels::microbenchmarks
