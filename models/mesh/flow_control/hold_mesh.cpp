#include "models/mesh/flow_control/hold_mesh.h"

#include <algorithm>
#include <bit>

namespace tvp::mesh {

using support::Cycle;

HoldMesh::HoldMesh(const MeshConfig& config, const MeshTopology& topology,
                   support::Calendar& calendar, RouterClock* clock)
    : SingleCycleMesh(config, topology, calendar),
      routers_(topology.nodes()),
      external_(clock, &RouterClock::hold_router, topology.nodes()) {
  HoldMesh::flush();
}

void HoldMesh::flush() {
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    routers_[node].init(table_, arbitration_of(config_), node);
  }
  clear_activity();
  external_.reset(topology_, table_, targets_);
}

void HoldMesh::step(Cycle now) {
  active_routers_.for_each([&](unsigned node) {
    if (external_[node] == nullptr) routers_[node].arbitrate();
  });
  // All ready signals are computed before any flit moves.
  moves_.clear();
  active_routers_.for_each([&](unsigned node) { move_from(node, now); });
  active_sources_.for_each([&](unsigned endpoint) { move_from_source(endpoint, now); });
  for (Move& move : moves_) {
    const unsigned node = move.input / kPorts;
    const auto port = static_cast<Port>(move.input % kPorts);
    if (ExternalHoldRouter* router = external_[node]) {
      move.flit.set_arrived(now + 1);
      const std::uint64_t payload = enter(external_.passing(node), port, move.flit);
      router->receive(port, move.flit, payload);
    } else {
      routers_[node].receive(port, move.flit, now + 1);
    }
    active_routers_.insert(node);
  }
  if (external_.empty()) return;
  for (const unsigned node : to_clock_) active_routers_.insert(node);
  to_clock_.clear();
  active_routers_.for_each([&](unsigned node) {
    if (external_[node] != nullptr) external_.clock(node, now);
  });
}

PortMask HoldMesh::ready(unsigned node) const {
  const ExternalHoldRouter* router = external_[node];
  return router != nullptr ? router->ready() : routers_[node].ready();
}

void HoldMesh::move_from(unsigned node, Cycle now) {
  if (ExternalHoldRouter* external = external_[node]) return move_from(node, *external, now);
  HoldRouter& router = routers_[node];
  for (unsigned bits = router.valid(); bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    if (!takes(node, port)) continue;
    const Flit flit = router.take(port);
    leave(node, port, flit, HoldRouter::was_blocked(flit, now), now);
  }
  if (router.idle()) active_routers_.erase(node);
}

void HoldMesh::move_from(unsigned node, ExternalHoldRouter& router, Cycle now) {
  active_routers_.erase(node);
  PassingFlits& passing = external_.passing(node);
  if (passing.flits() > 0) to_clock_.push_back(node);
  for (unsigned bits = router.valid(); bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    if (!takes(node, port)) continue;
    Flit flit = router.output(port);
    leave_external(node, port, passing, flit, router.payload(port));
    leave(node, port, flit, HoldRouter::was_blocked(flit, now), now);
    router.take(port);
  }
}

/// An external router may become ready without a flit inside, but not without an edge.
bool HoldMesh::takes(unsigned node, Port out) {
  const Target to = target(node, out);
  if (to.is_endpoint()) return true;
  if (to.value == Target::kNothing)
    blame(node, std::string("sends to the ") + name_of(out) + ", where nothing is,");
  const unsigned next = to.value / kPorts;
  if ((ready(next) >> (to.value % kPorts) & 1) != 0) return true;
  if (external_[next] != nullptr) to_clock_.push_back(next);
  return false;
}

void HoldMesh::move_from_source(unsigned endpoint, Cycle now) {
  const unsigned node = topology_.router_of(endpoint);
  const Port port = topology_.port_of(endpoint);
  if ((ready(node) & mask_of(port)) != 0) {
    leave_source(endpoint, node, port, now);
  } else if (external_[node] != nullptr) {
    to_clock_.push_back(node);
  }
}

FlitWait::Why HoldMesh::why_not_ready(unsigned node, Port in) const {
  const bool is_full = external_[node] == nullptr || external_.passing(node).holds(in);
  return is_full ? FlitWait::Why::kNotTaken : FlitWait::Why::kRefused;
}

void HoldMesh::add_wait(unsigned node, Port out, const Flit& flit,
                        std::vector<FlitWait>& waits) const {
  const Target to = target(node, out);
  if (to.value == Target::kNothing || to.is_endpoint()) return;
  const unsigned next = to.value / kPorts;
  const auto in = static_cast<Port>(to.value % kPorts);
  waits.push_back({.packet = flit.packet,
                   .router = node,
                   .waits_for = next,
                   .input = in,
                   .why = why_not_ready(next, in)});
}

void HoldMesh::find_waits(std::vector<FlitWait>& waits) const {
  for (unsigned node = 0; node < routers_.size(); ++node) {
    if (const ExternalHoldRouter* external = external_[node]) {
      find_waits_of(node, *external, waits);
      continue;
    }
    for (unsigned bits = routers_[node].valid(); bits != 0; bits &= bits - 1) {
      const auto out = static_cast<Port>(std::countr_zero(bits));
      add_wait(node, out, routers_[node].output(out), waits);
    }
  }
  active_sources_.for_each([&](unsigned endpoint) {
    const unsigned node = topology_.router_of(endpoint);
    const Port in = topology_.port_of(endpoint);
    add_wait_of_source(endpoint, why_not_ready(node, in), waits);
  });
}

/// A flit that no output offers is kept, unless its output belongs to another packet or holds
/// another flit.
void HoldMesh::find_waits_of(unsigned node, const ExternalHoldRouter& router,
                             std::vector<FlitWait>& waits) const {
  const PassingFlits& passing = external_.passing(node);
  if (passing.flits() == 0) return;
  PortMask taken = router.valid();
  std::vector<std::uint32_t> offered;
  for (unsigned bits = taken; bits != 0; bits &= bits - 1) {
    const auto out = static_cast<Port>(std::countr_zero(bits));
    offered.push_back(router.output(out).packet);
    add_wait(node, out, router.output(out), waits);
  }
  for (const PassingFlits::Packet& packet : passing.packets()) {
    if (packet.owns_output()) taken |= mask_of(packet.out);
  }
  for (const PassingFlits::Packet& packet : passing.packets()) {
    if (!packet.is_inside() || std::ranges::count(offered, packet.head.packet) != 0) continue;
    const bool may_leave =
        packet.owns_output()
            ? (router.valid() & mask_of(packet.out)) == 0
            : (table_.outputs(node, packet.in, packet.head.destination) & ~taken) != 0;
    if (!may_leave) continue;
    waits.push_back({.packet = packet.head.packet,
                     .router = node,
                     .waits_for = node,
                     .input = packet.in,
                     .why = FlitWait::Why::kKept});
  }
}

}  // namespace tvp::mesh
