#pragma once
// A stream of slices from one unit to the next of a ring, through a window of slots. The sender
// counts credits, which come back as messages of no bytes, so no slot is written before it was
// read.

#include <cstdint>

#include "firmware/collectives/memory.h"

namespace tvp::firmware::collectives {

template <typename Transport>
class Link {
 public:
  using Ticket = typename Transport::Ticket;

  /// Without credits the units must meet often enough that no slot is overwritten.
  Link(Transport& transport, Memory& memory, std::uint32_t level, bool credits)
      : transport_(transport), slots_(memory.slots[level]), level_(level), credits_(credits) {
    transport_.set_window(ring_data_channel(level), slots_, sizeof memory.slots[level]);
    transport_.set_window(ring_credit_channel(level), slots_, 0);
  }

  void connect(std::uint32_t previous_unit, std::uint32_t next_unit, const Phases& phases) {
    previous_ = previous_unit;
    next_ = next_unit;
    phases_ = phases;
  }

  /// Sends a slice, unless it has no bytes. All units of the ring go through phases together, and
  /// no message is under way between two phases. `incoming` is true if the unit before sends a
  /// slice.
  void pass(Ticket& sent, const void* data, std::uint32_t bytes, bool incoming) {
    if (phases_.count == 0) {
      if (bytes != 0) sent = send(data, bytes);
      return;
    }
    for (std::uint32_t p = 0; p < phases_.count; ++p) {
      if (p > 0) transport_.barrier();
      const Phase& phase = phases_.first[p];
      if (phase.to != kNobody && bytes != 0) sent = send(data, bytes);
      if (phase.from != kNobody && incoming)
        transport_.wait_arrivals(ring_data_channel(level_), received_ + 1);
    }
  }

  /// Waits for the next slice. Its slot is unchanged until release().
  std::uint8_t* receive() {
    const std::uint32_t slot = received_++ % kSlots;
    transport_.wait_arrivals(ring_data_channel(level_), received_);
    return slots_[slot];
  }
  void release() {
    if (credits_) transport_.signal(previous_, ring_credit_channel(level_));
  }

 private:
  Ticket send(const void* data, std::uint32_t bytes) {
    if (credits_ && sent_ >= kSlots)
      transport_.wait_arrivals(ring_credit_channel(level_), sent_ - kSlots + 1);
    const std::uint32_t slot = sent_++ % kSlots;
    return transport_.send_async(next_, ring_data_channel(level_), slot * kSliceBytes, data, bytes);
  }

  Transport& transport_;
  std::uint8_t (&slots_)[kSlots][kSliceBytes];
  std::uint32_t level_;
  bool credits_;
  std::uint32_t previous_ = 0;
  std::uint32_t next_ = 0;
  Phases phases_;
  std::uint32_t sent_ = 0;
  std::uint32_t received_ = 0;
};

}  // namespace tvp::firmware::collectives
