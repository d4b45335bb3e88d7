#include "models/mesh/packet_pool.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using State = PacketState::State;

std::uint32_t PacketPool::add(const MeshPacket& packet, Cycle created) {
  std::uint32_t number = 0;
  if (free_.empty()) {
    number = static_cast<std::uint32_t>(packets_.size());
    packets_.emplace_back();
    routers_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
    packets_[number] = PacketState{};
  }
  PacketState& added = packets_[number];
  added.packet = packet;
  added.packet.created = created;
  routers_[number] = 0;
  added.packet.retries = 0;
  added.state = State::kQueued;
  ++in_flight_;
  ++added_;
  return number;
}

void PacketPool::release(std::uint32_t number) {
  packets_[number].state = State::kFree;
  free_.push_back(number);
  --in_flight_;
  ++released_;
}

void PacketPool::rewind(std::uint32_t number) {
  PacketState& state = packets_[number];
  state.sent = 0;
  state.arrived = 0;
  state.damaged = false;
  routers_[number] = 0;
  ++state.packet.retries;
}

std::vector<std::uint32_t> PacketPool::departed() const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < packets_.size(); ++i) {
    const PacketState& state = packets_[i];
    const bool in_part = state.state == State::kQueued && state.sent > 0;
    if (state.state == State::kMoving || in_part) numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Cycle created_a = packets_[a].packet.created;
    const Cycle created_b = packets_[b].packet.created;
    return created_a != created_b ? created_a > created_b : a > b;
  });
  return numbers;
}

void PacketPool::check_conservation(const std::string& who) const {
  const auto used = static_cast<std::uint64_t>(
      std::count_if(packets_.begin(), packets_.end(),
                    [](const PacketState& p) { return p.state != State::kFree; }));
  if (used == in_flight_ && added_ == released_ + used) return;
  throw Fault(FaultKind::kInternal, who,
              std::to_string(added_) + " packets were injected, " + std::to_string(released_) +
                  " delivered or reported lost, and " + std::to_string(used) + " are under way");
}

}  // namespace tvp::mesh
