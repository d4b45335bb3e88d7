#include "models/noc/torus/detailed_torus.h"

#include <algorithm>

namespace tvp::noc {

using support::Cycle;

namespace {

// Meaning of an event's token: the address of an injected packet, or one of these kinds in the low
// two bits with numbers above.
enum TokenKind : std::uint64_t {
  kInjectToken = 0,
  kArriveToken = 1,
  kAdvanceToken = 2,
  kOtherToken = 3
};
constexpr std::uint64_t kKindMask = 3;
constexpr unsigned kNodeShift = 3;   // 9 bits
constexpr unsigned kPortShift = 12;  // 2 bits
// kArriveToken: the channel, the flits of a train, the leg and the slot.
constexpr unsigned kVcShift = 14;
constexpr unsigned kTrainShift = 18;  // 5 bits
static_assert(NocRouter::kMaxTrain < 32 && kNodes <= 512);
constexpr unsigned kLegShift = 23;  // 10 bits
constexpr unsigned kSlotShift = 33;
// kOtherToken: bit 2 distinguishes a new attempt to reserve a path from a NIU's response.
constexpr std::uint64_t kReserveBit = 4;
// Response of a NIU: the channel, the flits, and whether it took a write with data.
constexpr unsigned kTakenVcShift = 12;
constexpr unsigned kTakenShift = 17;  // 10 bits
constexpr unsigned kDataShift = 27;
constexpr unsigned kMaxBackoffDoublings = 6;

}  // namespace

DetailedTorus::DetailedTorus(const sc_core::sc_module_name& name, const NocConfig& config,
                             const Grid& grid, unsigned noc, support::Calendar& calendar)
    : Torus(name, config, grid, noc, calendar),
      routers_(grid.table_size()),
      refuses_(grid.table_size(), false) {
  for (unsigned node = 0; node < routers_.size(); ++node) routers_[node].init(*this, node, links_);
}

support::LevelSignal* DetailedTorus::occupancy_signal(unsigned x, unsigned y, Port port,
                                                      unsigned vc) {
  if (occupancy_.empty()) occupancy_.resize(links_.size() * vc::kCount);
  return &occupancy_[link_index(node_at(x, y), port) * vc::kCount + vc];
}

/// Deadlocked packets come first, since nothing can move them any more.
void DetailedTorus::describe_in_flight(std::vector<std::string>& lines) const {
  WaitGraph graph;
  for (const NocRouter& router : routers_) router.note_waits(graph);
  const std::vector<Wait> cycle = graph.cycle();
  if (!cycle.empty())
    lines.push_back("noc " + std::to_string(noc_) + ": deadlock of " +
                    std::to_string(cycle.size()) +
                    " packets; broadcasts without NOC_CMD_PATH_RESERVE and priorities leave its "
                    "avoidance to software");
  for (const Wait& wait : cycle) {
    constexpr std::array<const char*, kPorts> kNames{"X link", "Y link", "link to the NIU",
                                                     "link from the NIU"};
    lines.push_back("noc " + std::to_string(noc_) + ": " + describe(packet(wait.waiter).header()) +
                    " waits at router (" + std::to_string(Node::of_index(wait.node).x) + "," +
                    std::to_string(Node::of_index(wait.node).y) + ")" +
                    (wait.for_buffer ? " for room behind channel " : " for channel ") +
                    std::to_string(wait.vc) + " of the " +
                    kNames[static_cast<unsigned>(wait.port)] + ", which " +
                    describe(packet(wait.blocker).header()) + " holds");
  }
  Torus::describe_in_flight(lines);
}

void DetailedTorus::inject(unsigned node, Packet& p, Cycle when) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = static_cast<std::uint16_t>(node),
                  .vc = static_cast<std::uint8_t>(p.header().first_vc()),
                  .source = static_cast<std::uint16_t>(noc_),
                  .sequence = injected_[node]++},
                 *this, reinterpret_cast<std::uintptr_t>(&p));
}

void DetailedTorus::consumed(unsigned node, Packet& p, Cycle when) {
  const NocExtension& header = p.header();
  const std::uint64_t token = std::uint64_t{carries_data(header)} << kDataShift |
                              std::uint64_t{header.flits} << kTakenShift |
                              std::uint64_t{header.last_vc} << kTakenVcShift |
                              std::uint64_t{node} << kNodeShift | kOtherToken;
  calendar_.post(when + 1,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                  .block = static_cast<std::uint16_t>(node),
                  .port = kPorts,
                  .vc = header.last_vc,
                  .source = static_cast<std::uint16_t>(noc_),
                  .sequence = injected_[node]++},
                 *this, token);
}

void DetailedTorus::post_arrival(Cycle when, unsigned node, Input input, unsigned vc,
                                 std::uint32_t slot, unsigned leg, unsigned flits) {
  const std::uint64_t token = std::uint64_t{slot} << kSlotShift | std::uint64_t{leg} << kLegShift |
                              std::uint64_t{flits} << kTrainShift | std::uint64_t{vc} << kVcShift |
                              static_cast<std::uint64_t>(input) << kPortShift |
                              std::uint64_t{node} << kNodeShift | kArriveToken;
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                  .block = static_cast<std::uint16_t>(node),
                  .port = static_cast<std::uint8_t>(input),
                  .vc = static_cast<std::uint8_t>(vc),
                  .source = static_cast<std::uint16_t>(noc_),
                  .sequence = events_[node]++},
                 *this, token);
}

void DetailedTorus::post_advance(Cycle when, unsigned node, Port port) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kOther),
                  .block = static_cast<std::uint16_t>(node),
                  .port = static_cast<std::uint8_t>(port),
                  .source = static_cast<std::uint16_t>(noc_),
                  .sequence = events_[node]++},
                 *this,
                 static_cast<std::uint64_t>(port) << kPortShift |
                     std::uint64_t{node} << kNodeShift | kAdvanceToken);
}

void DetailedTorus::fire(Cycle now, std::uint64_t token) {
  const auto node = static_cast<unsigned>(token >> kNodeShift & 0x1FF);
  switch (token & kKindMask) {
    case kInjectToken:
      return start(*reinterpret_cast<Packet*>(token), now);
    case kArriveToken:
      return routers_[node].arrive(now, static_cast<Input>(token >> kPortShift & 3),
                                   static_cast<unsigned>(token >> kVcShift & 15),
                                   static_cast<std::uint32_t>(token >> kSlotShift),
                                   static_cast<unsigned>(token >> kLegShift & 0x3FF),
                                   static_cast<unsigned>(token >> kTrainShift & 31));
    case kAdvanceToken:
      return routers_[node].advance(now, static_cast<Port>(token >> kPortShift & 3));
    default:
      break;
  }
  if (token & kReserveBit)
    return reserve_path(static_cast<std::uint32_t>(token >> kSlotShift), now);
  routers_[node].niu_took(now, static_cast<unsigned>(token >> kTakenVcShift & 15),
                          static_cast<unsigned>(token >> kTakenShift & 0x3FF),
                          token >> kDataShift & 1);
}

void DetailedTorus::plan(Flight& flight, const NocExtension& header) {
  find_route(grid_, header, noc_, flight.legs);
  flight.next.assign(flight.legs.size(), {kNoLeg, kNoLeg, kNoLeg});
  for (std::size_t i = 1; i < flight.legs.size(); ++i) {
    for (std::uint16_t& next : flight.next[flight.legs[i].feeder]) {
      if (next != kNoLeg) continue;
      next = static_cast<std::uint16_t>(i);
      break;
    }
  }
  flight.reservations = 0;
}

void DetailedTorus::start(Packet& p, Cycle now) {
  NocExtension& header = p.header();
  const auto slot = ledger_.add(p, 0);
  if (flights_.size() <= slot) flights_.resize(slot + 1);
  Flight& f = flights_[slot];
  plan(f, header);
  std::uint32_t copies = 0;
  for (const RouteLeg& leg : f.legs) copies += leg.port() == Port::kNiu;
  if (!header.broadcast && !populated(header.target.index())) no_niu(header);
  ledger_.set_copies(slot, copies);
  if (copies == 0) return release_vc(header.source.index(), p, now + config_.niu_to_router_cycles);
  if (!header.path_reserve && header.first_of_chain) return enter(slot, now);
  const unsigned node = header.source.index();
  broadcasts_[node].waiting.push_back(slot);
  admit_broadcasts(node, now, now);
}

/// Requests that reserve their paths leave a NIU in order, together with linked requests. The next
/// one requests its path from `free` on, when the last flit of the previous ones has left.
void DetailedTorus::admit_broadcasts(unsigned node, Cycle now, Cycle free) {
  Broadcasts& b = broadcasts_[node];
  while (!b.waiting.empty() && !b.reserving) {
    const std::uint32_t slot = b.waiting.front();
    const NocExtension& header = packet(slot).header();
    if (!header.path_reserve || !header.first_of_chain) {
      b.waiting.erase(b.waiting.begin());
      ++b.entered;
      enter(slot, now);
      continue;
    }
    if (b.entered > 0) return;
    b.reserving = true;
    post_reservation(slot, free + config_.niu_to_router_cycles +
                               reservation_cycles(node, hops_of(flights_[slot]), free));
  }
}

/// Hops of the longest branch.
unsigned DetailedTorus::hops_of(const Flight& f) {
  unsigned hops = 0;
  std::vector<unsigned> depth(f.legs.size(), 0);
  for (std::size_t i = 1; i < f.legs.size(); ++i) {
    depth[i] = depth[f.legs[i].feeder] + 1;
    if (f.legs[i].port() != Port::kNiu) hops = std::max(hops, depth[i]);
  }
  return hops;
}

void DetailedTorus::post_reservation(std::uint32_t slot, Cycle when) {
  const unsigned node = packet(slot).header().source.index();
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = static_cast<std::uint16_t>(node),
                  .port = 1,
                  .source = static_cast<std::uint16_t>(noc_),
                  .sequence = injected_[node]++},
                 *this, std::uint64_t{slot} << kSlotShift | kReserveBit | kOtherToken);
}

/// Takes the channels of the whole tree, or none and tries again. The delay doubles after each
/// failure. A spread over the sources replaces the random delay of the hardware.
void DetailedTorus::reserve_path(std::uint32_t slot, Cycle now) {
  Flight& f = flights_[slot];
  const NocExtension& header = packet(slot).header();
  auto vc_of = [&](const RouteLeg& leg) {
    return vc::number(header.vc_class, header.buddy, leg.dateline);
  };
  bool all_free = true;
  for (const RouteLeg& leg : f.legs) {
    all_free = all_free && routers_[leg.node()].vc_free(leg.port(), vc_of(leg));
  }
  if (all_free) {
    for (const RouteLeg& leg : f.legs) routers_[leg.node()].hold_vc(leg.port(), vc_of(leg), slot);
    const unsigned node = header.source.index();
    Broadcasts& b = broadcasts_[node];
    b.reserving = false;
    b.hops = hops_of(f);
    b.waiting.erase(b.waiting.begin());
    ++b.entered;
    enter(slot, now);
    return admit_broadcasts(node, now, now);
  }
  const unsigned doublings = std::min(f.reservations++, kMaxBackoffDoublings);
  const Cycle backoff = (Cycle{config_.hop_cycles} + grid_.number(header.source) % 16) << doublings;
  post_reservation(slot, now + backoff);
}

void DetailedTorus::enter(std::uint32_t slot, Cycle now) {
  const NocExtension& header = packet(slot).header();
  routers_[header.source.index()].arrive(now, Input::kQueue, header.first_vc(), slot, 0,
                                         header.flits);
}

void DetailedTorus::left_niu(unsigned node, Packet& p, Cycle now, unsigned flits) {
  const NocExtension& header = p.header();
  const bool counted = header.path_reserve || !header.first_of_chain;
  release_vc(node, p, now + flits - 1 + config_.niu_to_router_cycles);
  if (!counted) return;
  if (header.broadcast) broadcast_left(node, broadcasts_[node].hops, now + flits);
  --broadcasts_[node].entered;
  admit_broadcasts(node, now, now + flits);
}

unsigned DetailedTorus::neighbor(unsigned node, Port port) const {
  if (port == Port::kX) return grid_.right_of(Node::of_index(node)).index();
  if (port == Port::kY) return grid_.below(Node::of_index(node)).index();
  return node;
}

unsigned DetailedTorus::upstream(unsigned node, Input input) const {
  if (input == Input::kX) return grid_.left_of(Node::of_index(node)).index();
  if (input == Input::kY) return grid_.above(Node::of_index(node)).index();
  return node;
}

bool DetailedTorus::head_to_niu(unsigned node, Packet& p, Cycle when) {
  const bool takes_all = deliver_head(node, p, when);
  // Responses are never refused, even by a NIU that can refuse requests.
  if (!takes_all) refuses_[node] = true;
  return takes_all;
}

}  // namespace tvp::noc
