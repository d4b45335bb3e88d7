#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"

namespace tvp::ethernet {

/// To an end in the same process.
class LocalLinkChannel : public LinkChannel {
 public:
  explicit LocalLinkChannel(LinkEnd& to) : to_(to) {}

  void send(const LinkMessage& message) override {
    if (!holds_) {
      to_.receive(message);
      return;
    }
    if (held_ == messages_.size()) messages_.emplace_back();
    std::memcpy(&messages_[held_++], &message, message.size());
  }

  /// Keeps what is sent from now on: the chips at the ends run at the same time.
  void hold() { holds_ = true; }
  /// Brings what was kept, in the order in which it was sent, and keeps nothing any more.
  void release() {
    holds_ = false;
    for (std::size_t i = 0; i < held_; ++i) to_.receive(messages_[i]);
    held_ = 0;
  }

 private:
  LinkEnd& to_;
  bool holds_ = false;
  std::vector<LinkMessage> messages_;  ///< of which the first held_ are kept
  std::size_t held_ = 0;
};

}  // namespace tvp::ethernet
