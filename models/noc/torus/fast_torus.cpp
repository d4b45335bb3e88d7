#include "models/noc/torus/fast_torus.h"

#include <algorithm>
#include <bit>

#include "foundation/fault.h"

namespace tvp::noc {

using support::Cycle;

namespace {

// An event carries a packet, or a packet with this bit: its NIU took it.
constexpr std::uint64_t kConsumed = 1;
std::uint64_t token_of(Packet& packet) { return reinterpret_cast<std::uintptr_t>(&packet); }
Packet& packet_of_token(std::uint64_t token) {
  return *reinterpret_cast<Packet*>(token & ~kConsumed);
}

std::uint16_t flow_of(const NocExtension& header) {
  return static_cast<std::uint16_t>(header.source.index() << 4 | header.first_vc());
}

}  // namespace

FastTorus::FastTorus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
                     unsigned noc, support::Calendar& calendar)
    : Torus(name, config, grid, noc, calendar),
      timing_of_links_(grid.table_size() * kPorts),
      gates_(grid.table_size() * vc::kCount),
      refuses_(grid.table_size(), false) {}

void FastTorus::inject(unsigned node, Packet& packet, Cycle when) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = static_cast<std::uint16_t>(node),
                  .port = static_cast<std::uint8_t>(noc_),
                  .vc = static_cast<std::uint8_t>(packet.header().first_vc()),
                  .sequence = injected_[node]++},
                 *this, token_of(packet));
}

void FastTorus::consumed(unsigned node, Packet& packet, Cycle when) {
  packet.acquire();
  calendar_.post(when + 1,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                  .block = static_cast<std::uint16_t>(node),
                  .port = static_cast<std::uint8_t>(noc_),
                  .vc = packet.header().last_vc,
                  .sequence = consumed_[node]++},
                 *this, token_of(packet) | kConsumed);
}

void FastTorus::fire(Cycle now, std::uint64_t token) {
  Packet& packet = packet_of_token(token);
  if ((token & kConsumed) == 0) return admit(packet, now);
  Gate& g = gate(packet.header());
  --g.packets;
  g.flits -= packet.header().flits;
  packet.release();
  // The freed slot is known upstream one hop later.
  const Cycle start = now + config_.hop_cycles + config_.router_to_niu_cycles;
  while (!g.waiting.empty() && gate_open(g, g.waiting.front()->header())) {
    Packet& next = *g.waiting.front();
    g.waiting.erase(g.waiting.begin());
    send(next, start);
  }
}

/// A packet to a NIU that can refuse waits at its source until the target has room.
void FastTorus::admit(Packet& packet, Cycle now) {
  const NocExtension& header = packet.header();
  Cycle start = now;
  if (!header.broadcast && !is_response(header.kind) && refuses_[end_of(header)]) {
    Gate& g = gate(header);
    if (!g.waiting.empty() || !gate_open(g, header)) {
      g.waiting.push_back(&packet);
      return;
    }
  }
  send(packet, start);
}

FastTorus::Gate& FastTorus::gate(const NocExtension& header) {
  return gates_[end_of(header) * vc::kCount + header.first_vc()];
}

/// True if the NIU accepts the packet. Otherwise the packet waits in its channel's share of the
/// routers' buffers along the route.
bool FastTorus::gate_open(const Gate& g, const NocExtension& header) const {
  const unsigned end = end_of(header);
  const unsigned hops = grid_.hops(header.source, Node::of_index(end));
  const unsigned share = config_.vc_reserved_flits + config_.vc_pool_flits;
  const unsigned room = request_buffer(end) + hops * share;
  return g.packets < 2 || g.flits + header.flits <= room;
}

unsigned FastTorus::latency_after(Port port, const NocExtension& header) const {
  switch (port) {
    case Port::kInjection:
      return config_.niu_to_router_cycles;
    case Port::kNiu:
      return config_.router_to_niu_cycles;
    default:
      return header.broadcast ? config_.broadcast_hop_cycles : config_.hop_cycles;
  }
}

void FastTorus::send(Packet& packet, Cycle start) {
  NocExtension& header = packet.header();
  find_legs(header, legs_);
  if (header.path_reserve && header.first_of_chain) start = path_reserved(header, start);
  times_.resize(legs_.size());
  const bool carries = carries_data(header);
  if (carries) start = std::max(start, fetched_[header.source.index()]);
  reserve_heads(header, start);
  reserve_tails(header);
  if (carries) fetched_[header.source.index()] = times_[0].tail + 1;
  if (header.broadcast && (header.path_reserve || !header.first_of_chain)) {
    const unsigned node = header.source.index();
    broadcast_left(node, reserved_hops_[node], times_[0].tail + 1);
  }

  std::uint32_t copies = 0;
  for (const RouteLeg& leg : legs_) copies += leg.port() == Port::kNiu;
  if (!header.broadcast && !populated(end_of(header))) no_niu(header);
  if (copies > 0) ledger_.add(packet, copies);
  const Cycle leaves = times_[0].tail;
  for (std::size_t i = 1; i < legs_.size(); ++i) {
    const RouteLeg& leg = legs_[i];
    if (leg.port() != Port::kNiu) continue;
    header.last_vc = times_[i].vc;
    const bool takes_all =
        deliver_head(leg.node(), packet, times_[i].head + latency_after(Port::kNiu, header));
    if (!takes_all) {
      refuses_[leg.node()] = true;
      Gate& g = gate(header);
      ++g.packets;
      g.flits += header.flits;
    }
    deliver_tail(leg.node(), packet, times_[i].tail + latency_after(Port::kNiu, header));
  }
  release_vc(header.source.index(), packet, leaves + config_.niu_to_router_cycles);
}

/// The reservation starts when the NIU's channel is free and travels down the tree. Its response
/// returns before the header leaves.
Cycle FastTorus::path_reserved(const NocExtension& header, Cycle start) {
  for (const Interval& taken : timing_of_links_[legs_[0].link].taken[header.first_vc()])
    start = std::max(start, taken.end);
  unsigned hops = 0;
  depths_.assign(legs_.size(), 0);
  for (std::size_t i = 1; i < legs_.size(); ++i) {
    depths_[i] = depths_[legs_[i].feeder] + 1;
    if (legs_[i].port() != Port::kNiu) hops = std::max(hops, depths_[i]);
  }
  const unsigned node = header.source.index();
  reserved_hops_[node] = hops;
  return start + config_.niu_to_router_cycles + reservation_cycles(node, hops, start);
}

/// The cycle at which the header crosses each link: after its arrival, when a channel has a gap for
/// the packet.
void FastTorus::reserve_heads(const NocExtension& header, Cycle start) {
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    const RouteLeg& leg = legs_[i];
    const Link& link = timing_of_links_[leg.link];
    Timing& time = times_[i];
    Cycle arrives = start;
    unsigned vc = header.first_vc();
    bool may_flip = false;
    if (i > 0) {
      const Timing& feeder = times_[leg.feeder];
      arrives = feeder.head + latency_after(legs_[leg.feeder].port(), header);
      vc = vc::number(header.vc_class, feeder.vc >> 1 & 1, leg.dateline);
      may_flip = !header.static_vc;
    }
    time.head = first_gap(link, vc, arrives, header);
    if (may_flip && time.head > arrives) {
      const unsigned other = vc ^ vc::number(0, 1, 0);
      const Cycle head = first_gap(link, other, arrives, header);
      if (head < time.head) {
        time.head = head;
        vc = other;
      }
    }
    time.vc = static_cast<std::uint8_t>(vc);
    links_[leg.link].wait_cycles += time.head - arrives;
  }
}

/// Earliest start of the packet on a channel. Packets reserved earlier may pass the link later,
/// since they come from farther away.
Cycle FastTorus::first_gap(const Link& link, unsigned vc, Cycle arrives,
                           const NocExtension& header) const {
  const std::uint16_t flow = flow_of(header);
  Cycle start = arrives;
  for (const Interval& taken : link.taken[vc]) {
    if (taken.flow == flow) start = std::max(start, taken.end);
  }
  for (const Interval& taken : link.taken[vc]) {
    if (start + header.flits <= taken.start) break;
    if (header.priority > 1 && taken.end > start) [[unlikely]]
      check_priority(taken, arrives, header);
    start = std::max(start, taken.end);
  }
  return start;
}

/// ISA NoC/MemoryMap.md, NOC_CMD_ARB_PRIORITY: a waiting packet with priority i goes before one
/// with priority j if 0 < j < i.
void FastTorus::check_priority(const Interval& taken, Cycle arrives,
                               const NocExtension& header) const {
  if (taken.priority == 0 || taken.priority >= header.priority || taken.start <= arrives) return;
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, name(),
                          "a packet that NOC_CMD_ARB_PRIORITY lets go before another one "
                          "(noc.torus=detailed models it): " +
                              describe(header));
}

/// Cycles of [start, end) in which other channels share the link with this one.
Cycle FastTorus::shared_cycles(const Link& link, unsigned vc, Cycle start, Cycle end) {
  Cycle shared = 0;
  for (unsigned left = link.in_use & ~(1U << vc); left != 0; left &= left - 1) {
    const auto other = static_cast<unsigned>(std::countr_zero(left));
    if (link.free_from[other] <= start) continue;
    for (const Interval& taken : link.taken[other]) {
      if (taken.start >= end) break;
      if (taken.end > start) shared += std::min(taken.end, end) - std::max(taken.start, start);
    }
  }
  return shared;
}

/// Delay of a packet's flits because a channel's share of the buffer behind a link is shorter than
/// the round trip of flits and credits.
Cycle FastTorus::waits_for_credits(const NocExtension& header, Port port) const {
  if (port == Port::kNiu) return 0;
  const unsigned share = config_.vc_reserved_flits + config_.vc_pool_flits;
  const unsigned loop = latency_after(port, header) + config_.credit_cycles;
  return loop <= share ? 0 : Cycle{(header.flits - 1U) / share} * (loop - share);
}

/// The cycle at which the last flit crosses each link. It is not before its arrival. It is later if
/// other channels share the link, or if the route ahead is blocked and one buffer does not hold the
/// rest.
void FastTorus::reserve_tails(const NocExtension& header) {
  const Cycle flits = header.flits;
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    Timing& time = times_[i];
    // A packet that arrives slowly leaves gaps for others, so earlier losses do not add up.
    time.tail =
        time.head + flits - 1 + waits_for_credits(header, legs_[i].port()) +
        shared_cycles(timing_of_links_[legs_[i].link], time.vc, time.head, time.head + flits);
    if (i > 0) {
      const RouteLeg& feeder = legs_[legs_[i].feeder];
      time.tail =
          std::max(time.tail, times_[legs_[i].feeder].tail + latency_after(feeder.port(), header));
    }
  }
  const Cycle buffer = config_.vc_reserved_flits + config_.vc_pool_flits;
  for (std::size_t i = legs_.size() - 1; i > 0 && flits > buffer; --i) {
    Timing& feeder = times_[legs_[i].feeder];
    if (times_[i].tail > buffer) feeder.tail = std::max(feeder.tail, times_[i].tail - buffer);
  }
  take_links(header);
}

void FastTorus::take_links(const NocExtension& header) {
  const std::uint16_t flow = flow_of(header);
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    Link& link = timing_of_links_[legs_[i].link];
    const Timing& time = times_[i];
    auto& taken = link.taken[time.vc];
    // Nothing starts before the current event, so intervals that have ended can be dropped.
    const Cycle now = calendar_.now();
    std::erase_if(taken, [now](const Interval& interval) { return interval.end <= now; });
    const auto position = std::upper_bound(
        taken.begin(), taken.end(), time.head,
        [](Cycle head, const Interval& interval) { return head < interval.start; });
    taken.insert(position, {time.head, time.tail + 1, flow, header.priority});
    link.free_from[time.vc] = std::max(link.free_from[time.vc], time.tail + 1);
    link.in_use = static_cast<std::uint16_t>(link.in_use | 1U << time.vc);
    LinkStats& stats = links_[legs_[i].link];
    stats.flits += header.flits;
    ++stats.packets;
    show_busy(legs_[i].link, time.head, time.tail + 1);
  }
}

void FastTorus::describe_in_flight(std::vector<std::string>& lines) const {
  Torus::describe_in_flight(lines);
  for (const Gate& g : gates_) {
    for (const Packet* packet : g.waiting) {
      lines.push_back("waits for room at its target: " + describe(packet->header()));
    }
  }
}

}  // namespace tvp::noc
