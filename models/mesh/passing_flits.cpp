#include "models/mesh/passing_flits.h"

#include <algorithm>

namespace tvp::mesh {

void PassingFlits::clear() {
  packets_.clear();
  flits_ = 0;
}

PassingFlits::Packet* PassingFlits::find(std::uint32_t number) {
  const auto found = std::ranges::find_if(
      packets_, [&](const Packet& packet) { return packet.head.packet == number; });
  return found == packets_.end() ? nullptr : &*found;
}

void PassingFlits::enter(Port in, const Flit& flit) {
  ++flits_;
  if (flit.head) packets_.push_back({.head = flit, .in = in});
  ++find(flit.packet)->entered;
}

void PassingFlits::leave(Port out, Flit& flit) {
  --flits_;
  Packet* const packet = find(flit.packet);
  if (flit.head) flit.arrived = packet->head.arrived;
  packet->out = out;
  packet->out_vc = flit.vc;
  ++packet->left;
  if (!flit.tail) return;
  packets_.erase(packets_.begin() + (packet - packets_.data()));
}

bool PassingFlits::holds(Port in, std::optional<unsigned> vc) const {
  return std::ranges::any_of(packets_, [&](const Packet& packet) {
    return packet.is_inside() && packet.in == in && (!vc || packet.head.vc == *vc);
  });
}

}  // namespace tvp::mesh
