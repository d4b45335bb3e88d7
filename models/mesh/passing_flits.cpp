#include "models/mesh/passing_flits.h"

#include <algorithm>

namespace tvp::mesh {

void PassingFlits::clear() {
  packets_.clear();
  flits_ = 0;
}

const PassingFlits::Packet* PassingFlits::find(std::uint32_t number) const {
  const auto found = std::ranges::find_if(
      packets_, [&](const Packet& packet) { return packet.head.packet == number; });
  return found == packets_.end() ? nullptr : &*found;
}

unsigned PassingFlits::enter(Port in, const Flit& flit) {
  ++flits_;
  if (flit.head) packets_.push_back({.head = flit, .in = in});
  Packet& packet = get(flit.packet);
  packet.is_complete = flit.tail;
  return packet.entered++;
}

std::string PassingFlits::why_wrong(Port out, const Flit& flit, const RoutingTable& table,
                                    unsigned node) const {
  const Packet* const packet = find(flit.packet);
  if (packet == nullptr || !packet->is_inside()) {
    return "sends a flit of packet " + std::to_string(flit.packet) + ", which is not inside";
  }
  const std::string which = "sends flit " + std::to_string(packet->left) + " of packet " +
                            std::to_string(flit.packet) + " ";
  if (flit.destination != packet->head.destination || flit.age != packet->head.age) {
    return which + "with another target or age";
  }
  const bool is_last = packet->is_complete && packet->left + 1 == packet->entered;
  if (flit.head != (packet->left == 0) || flit.tail != is_last) {
    return which + "with wrong marks of head and tail";
  }
  if (packet->owns_output()) {
    if (packet->out == out && packet->out_vc == flit.vc) return "";
    return which + "away from its head, which left through the " + name_of(packet->out) + " output";
  }
  if ((table.outputs(node, packet->in, packet->head.destination) & mask_of(out)) == 0) {
    return which + "on a route that mesh.routing does not allow";
  }
  const auto owner = std::ranges::find_if(packets_, [&](const Packet& other) {
    return other.owns_output() && other.out == out && other.out_vc == flit.vc;
  });
  if (owner == packets_.end()) return "";
  return which + "between the flits of packet " + std::to_string(owner->head.packet);
}

unsigned PassingFlits::leave(Port out, Flit& flit) {
  --flits_;
  Packet& packet = get(flit.packet);
  if (flit.head) flit.arrived = packet.head.arrived;
  packet.out = out;
  packet.out_vc = flit.vc;
  const unsigned number = packet.left++;
  if (flit.tail) packets_.erase(packets_.begin() + (&packet - packets_.data()));
  return number;
}

bool PassingFlits::holds(Port in, std::optional<unsigned> vc) const {
  return std::ranges::any_of(packets_, [&](const Packet& packet) {
    return packet.is_inside() && packet.in == in && (!vc || packet.head.vc == *vc);
  });
}

}  // namespace tvp::mesh
