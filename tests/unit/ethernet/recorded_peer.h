#pragma once

#include <cstdint>
#include <vector>

#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"

namespace tvp::ethernet::test {

/// A message as it would travel between two processes.
using Bytes = std::vector<std::uint8_t>;
Bytes to_bytes(const LinkMessage& message);
LinkMessage to_message(const Bytes& bytes);
/// Without what a struct has between its members.
bool same(const LinkMessage& a, const LinkMessage& b);

/// To an end in the same process, and keeps what passes.
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

/// Stands for the other end of a link: says what it once said, and compares what it is told with
/// what it was told then, times included.
class RecordedPeer : public LinkChannel {
 public:
  RecordedPeer(LinkEnd& end, std::vector<Bytes> says, std::vector<Bytes> expects)
      : end_(end), says_(std::move(says)), expects_(std::move(expects)) {}

  void send(const LinkMessage& message) override;
  /// Hands over everything that it had sent before `ps`.
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
