#include "models/mesh/flow_control/injection_queue.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tvp::mesh {

using support::Cycle;

void InjectionQueue::init(unsigned credits, Arbitration arbitration,
                          const std::array<std::uint8_t, kTrafficClasses>& weights) {
  credits_ = credits;
  is_weighted_ = arbitration == Arbitration::kWeighted;
  by_class_ = is_weighted_ || arbitration == Arbitration::kStrict;
  turn_.init(weights);
  if (credits == 0) lift_limit();
}

void InjectionQueue::lift_limit() {
  has_limit_ = false;
  credits_ = std::numeric_limits<unsigned>::max();
}

std::uint32_t InjectionQueue::front() const {
  if (being_sent_ != kNoPacket) return being_sent_;
  const unsigned number =
      is_weighted_ ? turn_.pick(waiting_) : static_cast<unsigned>(std::bit_width(waiting_)) - 1;
  return queues_[number].first;
}

void InjectionQueue::push_back(PacketPool& pool, std::uint32_t number) {
  const unsigned c = class_of(pool[number].packet);
  Queue& queue = queues_[c];
  (queue.first == kNoPacket ? queue.first : pool[queue.last].next) = number;
  queue.last = number;
  waiting_ |= 1U << c;
}

void InjectionQueue::push_front(PacketPool& pool, std::uint32_t number) {
  PacketState& state = pool[number];
  state.state = PacketState::State::kQueued;
  const unsigned c = class_of(state.packet);
  Queue& queue = queues_[c];
  state.next = queue.first;
  queue.first = number;
  if (state.next == kNoPacket) queue.last = number;
  waiting_ |= 1U << c;
}

Flit InjectionQueue::take_flit(PacketPool& pool, Cycle now) {
  const std::uint32_t number = front();
  PacketState& state = pool[number];
  MeshPacket& packet = state.packet;
  const bool head = state.sent == 0;
  if (head) {
    packet.entered = now;
    const unsigned c = class_of(packet);
    Queue& queue = queues_[c];
    queue.first = state.next;
    state.next = kNoPacket;
    if (queue.first == kNoPacket) waiting_ &= ~(1U << c);
    if (is_weighted_) turn_.gone(c);
    being_sent_ = number;
  }
  ++state.sent;
  const bool tail = state.sent == packet.flits;
  if (tail) {
    state.state = PacketState::State::kMoving;
    being_sent_ = kNoPacket;
  }
  constexpr unsigned kLongest = 255;
  return {.packet = number,
          .destination = packet.destination,
          .traffic_class = static_cast<std::uint8_t>(packet.traffic_class & 3),
          .head = head,
          .tail = tail,
          .length = static_cast<std::uint8_t>(std::min<unsigned>(packet.flits, kLongest)),
          .age = static_cast<std::uint32_t>(packet.created)};
}

}  // namespace tvp::mesh
