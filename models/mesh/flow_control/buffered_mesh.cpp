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
      external_credits_(external_.empty() ? 0 : topology.nodes()),
      sources_(topology.endpoints()),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()),
      arrivals_(std::max<std::size_t>(config.injection_cycles, std::size_t{3} * 8)),
      credits_(std::max(config.credit_cycles.value(), config.injection_credit_cycles.value())),
      hop_cycles_(config.switch_allocation_cycles + config.switch_traversal_cycles +
                  config.link_cycles),
      credit_cycles_(config.credit_cycles),
      injection_cycles_(config.injection_cycles),
      injection_credit_cycles_(config.injection_credit_cycles) {
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
                 .parts = table_.parts(),
                 .rotates_vcs = config_.vc_selection == "rotating"};
  for (unsigned c = 0; c < kTrafficClasses; ++c) {
    class_vcs_[c] = VcRouter::vcs_of_class(parameters_, c);
  }
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    routers_[node].init(parameters_, table_, node, targets_.endpoint_ports_of(node));
  }
  for (Source& source : sources_) {
    source.credits.fill(static_cast<std::uint8_t>(config_.buffer_flits.value()));
  }
  for (Credits& credits : external_credits_) {
    credits = {};
    for (auto& channels : credits.of_outputs) {
      channels.fill(static_cast<std::uint8_t>(config_.buffer_flits.value()));
    }
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
      receive(node, *router, port, arrival.flit, now);
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
    ++external_credits_[node].of_outputs[index(port)][vc];
    router->credit(port, vc);
    active_routers_.insert(node);  // the edge lets it see the input
  } else {
    routers_[node].credit(port, vc);
  }
}

void BufferedMesh::receive(unsigned node, ExternalVcRouter& router, Port port, Flit flit,
                           Cycle now) {
  flit.set_arrived(now);
  const std::uint64_t payload = enter(external_.passing(node), port, flit);
  Credits& credits = external_credits_[node];
  ++credits.owed[index(port)][flit.vc];
  ++credits.all_owed;
  router.receive(port, flit, payload);
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
    external_.clock(node, now);
    return send_of(node, now);
  }
  VcRouter& router = routers_[node];
  router.step(now, outputs_);
  if (router.idle()) active_routers_.erase(node);
  send(node, outputs_, now);
}

void BufferedMesh::send_of(unsigned node, Cycle now) {
  const ExternalVcRouter& router = *external_[node];
  outputs_ = router.outputs();
  outputs_.heads_blocked = 0;
  PassingFlits& passing = external_.passing(node);
  Credits& credits = external_credits_[node];
  for (unsigned bits = outputs_.credits; bits != 0; bits &= bits - 1) {
    const auto in = static_cast<Port>(std::countr_zero(bits));
    const unsigned vc = outputs_.credit_vc[index(in)];
    if (vc >= config_.vcs || credits.owed[index(in)][vc] == 0) {
      blame(node, "returns a credit of channel " + std::to_string(vc) + " at its " + name_of(in) +
                      " input, where it owes none,");
    }
    --credits.owed[index(in)][vc];
    --credits.all_owed;
  }
  for (unsigned bits = outputs_.flits; bits != 0; bits &= bits - 1) {
    const auto out = static_cast<Port>(std::countr_zero(bits));
    Flit& flit = outputs_.flit[index(out)];
    if (!target(node, out).is_endpoint()) take_credit(node, out, flit.vc);
    leave_external(node, out, passing, flit, router.payload(out));
    // An unblocked head leaves one cycle (that of VA) after its arrival.
    if (flit.head && flit.waited_until(now) > 1) outputs_.heads_blocked |= mask_of(out);
  }
  if (credits.all_owed == 0) active_routers_.erase(node);
  send(node, outputs_, now);
}

void BufferedMesh::take_credit(unsigned node, Port out, unsigned vc) {
  if (target(node, out).value == Target::kNothing) {
    blame(node, std::string("sends to the ") + name_of(out) + ", where nothing is,");
  }
  std::uint8_t& credits = external_credits_[node].of_outputs[index(out)][vc];
  if (vc >= config_.vcs || credits == 0) {
    blame(node, "sends a flit on channel " + std::to_string(vc) + " of its " + name_of(out) +
                    " output without a credit");
  }
  --credits;
}

FlitWait::Why BufferedMesh::why_no_credit(unsigned node, Port in, unsigned vc) const {
  const bool is_full = external_[node] == nullptr || external_.passing(node).holds(in, vc);
  return is_full ? FlitWait::Why::kNotTaken : FlitWait::Why::kRefused;
}

void BufferedMesh::add_wait(std::uint32_t packet, unsigned node, Port out, unsigned vc,
                            std::vector<FlitWait>& waits) const {
  const Target to = target(node, out);
  const unsigned next = to.value / kPorts;
  const auto in = static_cast<Port>(to.value % kPorts);
  waits.push_back({.packet = packet,
                   .router = node,
                   .waits_for = next,
                   .input = in,
                   .why = why_no_credit(next, in, vc)});
}

void BufferedMesh::find_waits(std::vector<FlitWait>& waits) const {
  for (unsigned node = 0; node < routers_.size(); ++node) {
    if (external_[node] != nullptr) {
      find_waits_of(node, waits);
      continue;
    }
    routers_[node].for_each_wait([&](const Flit& flit, Port out, unsigned vc) {
      add_wait(flit.packet, node, out, vc, waits);
    });
  }
  active_sources_.for_each([&](unsigned endpoint) {
    const Source& source = sources_[endpoint];
    if (source.credits[source.vc] > 0) return;
    const unsigned node = topology_.router_of(endpoint);
    add_wait_of_source(endpoint, why_no_credit(node, topology_.port_of(endpoint), source.vc),
                       waits);
  });
}

/// The front packet of an input waits for a credit of its channel, or for a free channel. It is
/// kept if neither is missing.
void BufferedMesh::find_waits_of(unsigned node, std::vector<FlitWait>& waits) const {
  const PassingFlits& passing = external_.passing(node);
  const Credits& credits = external_credits_[node];
  std::array<unsigned, kPorts> owned{};  // channels of each output that belong to packets
  for (const PassingFlits::Packet& packet : passing.packets()) {
    if (packet.owns_output()) owned[index(packet.out)] |= 1U << packet.out_vc;
  }
  const auto has_credit = [&](Port out, unsigned vc) {
    return target(node, out).is_endpoint() || credits.of_outputs[index(out)][vc] > 0;
  };
  std::array<unsigned, kPorts> seen{};  // channels of each input whose front packet is known
  for (const PassingFlits::Packet& packet : passing.packets()) {
    const unsigned channel = 1U << packet.head.vc;
    if (!packet.is_inside() || (seen[index(packet.in)] & channel) != 0) continue;
    seen[index(packet.in)] |= channel;
    bool may_leave = false;
    if (packet.owns_output()) {
      may_leave = has_credit(packet.out, packet.out_vc);
      if (!may_leave) add_wait(packet.head.packet, node, packet.out, packet.out_vc, waits);
    } else {
      const PortMask allowed = table_.outputs(node, packet.in, packet.head.destination);
      for (unsigned bits = allowed; bits != 0; bits &= bits - 1) {
        const auto out = static_cast<Port>(std::countr_zero(bits));
        for (unsigned vc = 0; vc < config_.vcs; ++vc) {
          if ((owned[index(out)] >> vc & 1) != 0) continue;
          if (has_credit(out, vc)) {
            may_leave = true;
          } else {
            add_wait(packet.head.packet, node, out, vc, waits);
          }
        }
      }
    }
    if (!may_leave) continue;
    waits.push_back({.packet = packet.head.packet,
                     .router = node,
                     .waits_for = node,
                     .input = packet.in,
                     .why = FlitWait::Why::kKept});
  }
}

void BufferedMesh::send(unsigned node, const VcRouter::Outputs& outputs, Cycle now) {
  for (unsigned bits = outputs.credits; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    const Target to = target(node, static_cast<Port>(port));
    credits_.push(now + (to.is_endpoint() ? injection_credit_cycles_ : credit_cycles_),
                  {to.value, outputs.credit_vc[port]});
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
