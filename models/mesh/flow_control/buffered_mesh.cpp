#include "models/mesh/flow_control/buffered_mesh.h"

#include <algorithm>
#include <bit>

namespace tvp::mesh {

using support::Cycle;

namespace {
/// Prefetch distance in flits: enough to hide the memory latency of a router.
constexpr std::size_t kAhead = 8;
/// This many routers and their flits, about 1 KB each, stay in the host's caches.
constexpr unsigned kCached = 256;
}  // namespace

BufferedMesh::BufferedMesh(const MeshConfig& config, const MeshTopology& topology,
                           support::Calendar& calendar, RouterClock* clock)
    : MeshNetwork(config, topology, calendar),
      routers_(topology.nodes()),
      fetches_(topology.nodes() > kCached),
      external_(clock, &RouterClock::vc_router, topology.nodes()),
      sources_(topology.endpoints()),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()),
      arrivals_(std::max<std::size_t>(config.injection_cycles, std::size_t{3} * 8)),
      credits_(config.credit_cycles),
      hop_cycles_(config.switch_allocation_cycles + config.switch_traversal_cycles +
                  config.link_cycles),
      credit_cycles_(config.credit_cycles),
      injection_cycles_(config.injection_cycles) {
  BufferedMesh::flush();
}

void BufferedMesh::flush() {
  parameters_ = {.vcs = config_.vcs,
                 .buffer_flits = config_.buffer_flits,
                 .route_cycles = config_.route_cycles,
                 .vc_allocation_cycles = config_.vc_allocation_cycles,
                 .arbitration = arbitration_of(config_),
                 .class_weights = parse_weights(config_.class_weights.value()),
                 .vc_groups = config_.vc_groups,
                 .parts = table_.parts()};
  for (unsigned c = 0; c < kTrafficClasses; ++c) {
    class_vcs_[c] = VcRouter::vcs_of_class(parameters_, c);
  }
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    routers_[node].init(parameters_, table_, node, targets_.endpoint_ports_of(node));
  }
  for (Source& source : sources_) {
    source.credits.fill(static_cast<std::uint8_t>(config_.buffer_flits.value()));
  }
  active_routers_.clear();
  active_sources_.clear();
  external_.reset(topology_, table_, targets_);
  arrivals_.clear();
  credits_.clear();
}

double BufferedMesh::zero_load_cycles(double routers, unsigned flits) const {
  const unsigned stages = config_.route_cycles + config_.vc_allocation_cycles + hop_cycles_;
  return stages * routers + injection_cycles_ + flits - 1;
}

Cycle BufferedMesh::next_step(Cycle now) const {
  if (!active_routers_.empty() || !active_sources_.empty()) return now + 1;
  return std::min(arrivals_.next(now), credits_.next(now));
}

void BufferedMesh::step(Cycle now) {
  for (const Credit& credit : credits_.arriving(now)) {
    if (credit.to & Target::kEndpoint) {
      ++sources_[credit.to & ~Target::kEndpoint].credits[credit.vc];
    } else {
      give_credit(credit.to / kPorts, static_cast<Port>(credit.to % kPorts), credit.vc);
    }
  }
  credits_.done(now);
  const std::vector<Arrival>& arriving = arrivals_.arriving(now);
  for (std::size_t i = 0; i < arriving.size(); ++i) {
    const Arrival& arrival = arriving[i];
    if (fetches_ && i + kAhead < arriving.size())
      routers_[arriving[i + kAhead].input / kPorts].prefetch();
    const unsigned node = arrival.input / kPorts;
    const auto port = static_cast<Port>(arrival.input % kPorts);
    if (ExternalVcRouter* router = external_[node]) {
      Flit flit = arrival.flit;
      flit.set_arrived(now);
      router->receive(port, flit);
    } else {
      routers_[node].receive(port, arrival.flit, now);
    }
    active_routers_.insert(node);
  }
  arrivals_.done(now);
  active_sources_.for_each([&](unsigned endpoint) { step_source(endpoint, now); });
  step_routers(now);
}

void BufferedMesh::step_routers(Cycle now) {
  if (!fetches_) {
    active_routers_.for_each([&](unsigned node) { step_router(node, now); });
    return;
  }
  // The loop runs one router behind the prefetch.
  unsigned fetched = MeshTopology::kNone;
  active_routers_.for_each([&](unsigned node) {
    routers_[node].prefetch();
    if (fetched != MeshTopology::kNone) step_router(fetched, now);
    fetched = node;
  });
  if (fetched != MeshTopology::kNone) step_router(fetched, now);
}

void BufferedMesh::give_credit(unsigned node, Port port, unsigned vc) {
  if (ExternalVcRouter* router = external_[node]) {
    router->credit(port, vc);
    active_routers_.insert(node);  // the edge lets it see the input
  } else {
    routers_[node].credit(port, vc);
  }
}

/// The channel with the most free space; the lowest of equal ones.
std::uint8_t BufferedMesh::choose_vc(const Source& source, unsigned usable) {
  auto best = static_cast<unsigned>(std::countr_zero(usable));
  for (unsigned left = usable & (usable - 1); left != 0; left &= left - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(left));
    if (source.credits[vc] > source.credits[best]) best = vc;
  }
  return static_cast<std::uint8_t>(best);
}

void BufferedMesh::step_source(unsigned endpoint, Cycle now) {
  Source& source = sources_[endpoint];
  const PacketState& first = packet(front_of_queue(endpoint));
  const unsigned node = topology_.router_of(endpoint);
  if (first.sent == 0) {
    if (config_.throttle_flits != 0 && routers_[node].flits() > config_.throttle_flits) return;
    source.vc = choose_vc(source, class_vcs_[first.packet.traffic_class]);
  }
  if (source.credits[source.vc] == 0) return;
  --source.credits[source.vc];
  Flit flit = take_flit(endpoint, now);
  flit.vc = source.vc & 7;
  arrivals_.push(now + injection_cycles_,
                 {node * kPorts + index(topology_.port_of(endpoint)), flit});
  if (!has_queued(endpoint)) active_sources_.erase(endpoint);
}

void BufferedMesh::step_router(unsigned node, Cycle now) {
  if (external_[node] != nullptr) {
    clocked_.push_back(node);
    external_.request_edge(node, *this, now);
    return;
  }
  VcRouter& router = routers_[node];
  router.step(now, outputs_);
  if (router.idle()) active_routers_.erase(node);
  send(node, outputs_, now);
}

/// Flits that leave an external router take at least one cycle. Its outputs of a cycle may
/// therefore follow the step of that cycle.
void BufferedMesh::edge_done(Cycle cycle) {
  for (const unsigned node : clocked_) {
    if (external_[node]->idle()) active_routers_.erase(node);
    send(node, external_[node]->outputs(), cycle);
  }
  clocked_.clear();
}

void BufferedMesh::send(unsigned node, const VcRouter::Outputs& outputs, Cycle now) {
  for (unsigned bits = outputs.credits; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    credits_.push(now + credit_cycles_,
                  {target(node, static_cast<Port>(port)).value, outputs.credit_vc[port]});
  }
  for (unsigned bits = outputs.flits; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    const Flit& flit = outputs.flit[port];
    const Target to = target(node, static_cast<Port>(port));
    count_link(node, static_cast<Port>(port), flit);
    if (flit.head) count_routed(flit.packet, (outputs.heads_blocked >> port & 1) != 0);
    if (to.is_endpoint()) {
      eject(to.endpoint(), flit, now + hop_cycles_);
    } else {
      arrivals_.push(now + hop_cycles_, {to.value, flit});
    }
  }
}

}  // namespace tvp::mesh
