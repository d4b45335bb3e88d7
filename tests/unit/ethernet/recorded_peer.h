#pragma once

#include <cstdint>
#include <vector>

#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"

namespace tvp::ethernet::test {

/// A serialized message, as between two processes.
using Bytes = std::vector<std::uint8_t>;
Bytes to_bytes(const LinkMessage& message);
LinkMessage to_message(const Bytes& bytes);
/// Compares members without padding.
bool same(const LinkMessage& a, const LinkMessage& b);

/// Passes messages to an end in the same process and records them.
class RecordingChannel : public LinkChannel {
 public:
  explicit RecordingChannel(LinkEnd& to) : to_(to) {}
  void send(const LinkMessage& message) override {
    messages.push_back(to_bytes(message));
    to_.receive(message);
  }
  std::vector<Bytes> messages;

 private:
  LinkEnd& to_;
};

/// Replaces the other end of a link. It sends recorded messages, and compares received messages and
/// their times with the recording.
class RecordedPeer : public LinkChannel {
 public:
  RecordedPeer(LinkEnd& end, std::vector<Bytes> says, std::vector<Bytes> expects)
      : end_(end), says_(std::move(says)), expects_(std::move(expects)) {}

  void send(const LinkMessage& message) override;
  /// Sends all recorded messages before `ps`.
  void say_until(std::uint64_t ps);

  bool done() const { return said_ == says_.size() && told_ == expects_.size(); }
  unsigned surprises() const { return surprises_; }

 private:
  LinkEnd& end_;
  std::vector<Bytes> says_;
  std::vector<Bytes> expects_;
  std::size_t said_ = 0;
  std::size_t told_ = 0;
  unsigned surprises_ = 0;
};

}  // namespace tvp::ethernet::test
