#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/pim/network/network.h"

namespace tvp::pim {

inline constexpr std::uint32_t kNoMessage = 0xFFFFFFFF;

/// A message from the store of its go register until its last byte is in the WRAM of its
/// destination. Its packets refer to `data`.
struct Message {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t channel = 0;
  std::uint32_t offset = 0;
  std::uint32_t sequence = 0;  ///< among those that are to arrive in the order of their sending
  std::uint32_t packets = 0;
  std::uint32_t packets_left = 0;    ///< not yet at the stop of the destination
  std::uint32_t packets_landed = 0;  ///< in WRAM
  bool is_lost = false;              ///< the network has given up a packet of it
  SwitchOrder order;

  bool is_reduction() const { return order.kind == SwitchOrder::Kind::kReduce; }
  std::uint32_t next_copy = kNoMessage;  ///< of a multicast, to another destination
  std::vector<std::uint8_t> data;
};

/// All messages of a system that are under way. Which slot a message has is seen by nobody.
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
  std::deque<Message> messages_;  // stay where they are
  std::vector<std::uint32_t> free_;
  std::uint32_t in_use_ = 0;
};

}  // namespace tvp::pim
