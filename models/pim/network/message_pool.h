#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/pim/network/network.h"

namespace tvp::pim {

inline constexpr std::uint32_t kNoMessage = 0xFFFFFFFF;

/// A message, from the store to its go register until its last byte is in the WRAM of its
/// destination. Its packets refer to `data`.
struct Message {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t channel = 0;
  std::uint32_t offset = 0;
  std::uint32_t number = 0;    ///< number of messages and orders that its source had issued, and 1
  std::uint32_t sequence = 0;  ///< position among messages that must arrive in the order of sending
  std::uint32_t packets = 0;
  std::uint32_t packets_left = 0;    ///< packets that have not reached the destination's stop
  std::uint32_t packets_landed = 0;  ///< packets stored in WRAM
  bool is_lost = false;              ///< the network has given up one of its packets
  SwitchOrder order;

  bool is_reduction() const { return order.kind == SwitchOrder::Kind::kReduce; }
  std::uint32_t next_copy = kNoMessage;  ///< the multicast's copy for another destination
  std::vector<std::uint8_t> data;
};

/// All messages in flight in a system. The slot of a message does not affect results.
class MessagePool {
 public:
  std::uint32_t allocate() {
    ++in_use_;
    if (free_.empty()) {
      messages_.emplace_back();
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void release(std::uint32_t index) {
    --in_use_;
    free_.push_back(index);
  }
  Message& operator[](std::uint32_t index) { return messages_[index]; }
  std::uint32_t in_use() const { return in_use_; }

 private:
  std::deque<Message> messages_;  // stable addresses
  std::vector<std::uint32_t> free_;
  std::uint32_t in_use_ = 0;
};

}  // namespace tvp::pim
