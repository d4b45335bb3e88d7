#include "tests/unit/ethernet/recorded_peer.h"

#include <cstring>
#include <stdexcept>

namespace tvp::ethernet::test {

Bytes to_bytes(const LinkMessage& message) {
  Bytes bytes(message.size());
  std::memcpy(bytes.data(), &message, bytes.size());
  return bytes;
}

LinkMessage to_message(const Bytes& bytes) {
  LinkMessage message;
  std::memcpy(&message, bytes.data(), bytes.size());
  if (message.size() != bytes.size()) throw std::logic_error("a message of another length");
  return message;
}

bool same(const LinkMessage& a, const LinkMessage& b) {
  const EthernetPacket& p = a.packet;
  const EthernetPacket& q = b.packet;
  return a.departure_ps == b.departure_ps && a.arrival_ps == b.arrival_ps &&
         a.sequence == b.sequence && p.kind == q.kind && p.queue == q.queue &&
         p.sequence == q.sequence && p.acknowledgement == q.acknowledgement &&
         p.corrupt == q.corrupt && p.address == q.address && p.bytes == q.bytes &&
         std::memcmp(p.data.data(), q.data.data(), p.bytes) == 0;
}

void RecordedPeer::send(const LinkMessage& message) {
  if (told_ == expects_.size() || !same(message, to_message(expects_[told_]))) {
    ++surprises_;
  } else {
    ++told_;
  }
}

void RecordedPeer::say_until(std::uint64_t ps) {
  for (; said_ < says_.size(); ++said_) {
    const LinkMessage message = to_message(says_[said_]);
    if (message.departure_ps >= ps) return;
    end_.receive(message);
  }
}

}  // namespace tvp::ethernet::test
