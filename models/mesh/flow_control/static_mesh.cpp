#include "models/mesh/flow_control/static_mesh.h"

namespace tvp::mesh {

using support::Cycle;

namespace {
/// Interval at which the past of the schedule is discarded.
constexpr Cycle kForgetCycles = 1024;
}  // namespace

StaticMesh::StaticMesh(const MeshConfig& config, const MeshTopology& topology,
                       support::Calendar& calendar)
    : MeshNetwork(config, topology, calendar),
      schedule_(topology_, table_),
      active_sources_(topology.endpoints()),
      free_at_(topology.endpoints(), 0) {}

Cycle StaticMesh::next_step(Cycle now) const {
  return active_sources_.empty() ? support::kNever : now + 1;
}

void StaticMesh::step(Cycle now) {
  if (now >= forgot_at_ + kForgetCycles) {
    schedule_.forget(now);
    forgot_at_ = now;
  }
  active_sources_.for_each([&](unsigned endpoint) { send(endpoint, now); });
}

/// The whole path of a packet is known when it starts.
void StaticMesh::send(unsigned endpoint, Cycle now) {
  if (now < free_at_[endpoint]) return;  // a source sends its packets one after the other
  const std::uint32_t index = front_of_queue(endpoint);
  const MeshPacket sent = packet(index).packet;
  const Cycle last = schedule_.add({.source = sent.source,
                                    .destination = sent.destination,
                                    .flits = sent.flits,
                                    .start = now,
                                    .tag = sent.tag});
  free_at_[endpoint] = now + sent.flits;
  const std::vector<std::uint32_t> route = schedule_.route(sent.source, sent.destination);
  for (unsigned i = 0; i < sent.flits; ++i) {
    const Flit flit = take_flit(endpoint, now);
    for (const std::uint32_t link : route) {
      count_link(link / kPorts, static_cast<Port>(link % kPorts), flit);
      if (flit.head) count_routed(flit.packet, false);
    }
    eject(sent.destination, flit, last - (sent.flits - 1) + i);
  }
  if (!has_queued(endpoint)) active_sources_.erase(endpoint);
}

}  // namespace tvp::mesh
