#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"

namespace tvp::ethernet {

/// A channel to an end in the same process.
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

  /// Keeps all messages from now on, since the chips at the ends run at the same time.
  void hold() { holds_ = true; }
  /// Delivers the kept messages in the order in which they were sent, and ends hold().
  void release() {
    holds_ = false;
    for (std::size_t i = 0; i < held_; ++i) to_.receive(messages_[i]);
    held_ = 0;
  }

 private:
  LinkEnd& to_;
  bool holds_ = false;
  std::vector<LinkMessage> messages_;  ///< the first held_ are kept
  std::size_t held_ = 0;
};

}  // namespace tvp::ethernet
