#include "models/mesh/mesh_network.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "foundation/fault.h"
#include "models/mesh/external_router.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {
// Tokens of events: what to do, and with which slot.
enum class Token : std::uint64_t { kStep, kInject, kSendAgain, kFault };
// Of a fault: its number above these.
constexpr unsigned kFaultBegins = 0;
constexpr unsigned kFaultEnds = 1;
constexpr unsigned kFaultFound = 2;
constexpr unsigned kTokenBits = 2;
constexpr std::uint64_t token_of(Token what, std::uint32_t slot) {
  return std::uint64_t{slot} << kTokenBits | static_cast<std::uint64_t>(what);
}
}  // namespace

MeshNetwork::MeshNetwork(const MeshConfig& config, const Topology& topology,
                         support::Calendar& calendar)
    : config_(config),
      topology_(topology),
      table_(topology_, *make_routing(config.routing.value())),
      calendar_(calendar),
      endpoints_(topology_.endpoints()),
      targets_(std::size_t{topology_.nodes()} * kPorts),
      has_injection_limit_(config.injection_queue_packets != 0),
      arbitration_(arbitration_of(config)),
      damages_(targets_.size(), 0),
      connectivity_(topology_) {
  const auto weights = parse_weights(config.class_weights.value());
  for (EndpointState& endpoint : endpoints_) {
    endpoint.places = config.injection_queue_packets;
    endpoint.turn.init(weights);
  }
  if (!has_injection_limit_) lift_injection_limit();
  find_targets();
  statistics_.link_flits.assign(targets_.size(), 0);
}

void MeshNetwork::break_later(std::vector<MeshFault> faults, const MeshPlace& place) {
  place_ = place;
  faults_ = std::move(faults);
  std::erase_if(faults_, [&](const MeshFault& fault) { return fault.mesh != place.number; });
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const MeshFault& fault = faults_[i];
    const Cycle begins = calendar_.now() + fault.at;
    post_fault(i, begins, kFaultBegins);
    if (fault.is_permanent()) {
      post_fault(i, begins + config_.fault_detect_cycles, kFaultFound);
    } else {
      post_fault(i, begins + fault.lasts, kFaultEnds);
    }
  }
}

void MeshNetwork::find_targets() {
  targets_.assign(targets_.size(), Target{});
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    for (unsigned p = 0; p < kPorts; ++p) {
      const auto port = static_cast<Port>(p);
      const unsigned neighbor = topology_.neighbor(node, port);
      const unsigned endpoint = topology_.endpoint_at(node, port);
      Target& target = targets_[std::size_t{node} * kPorts + p];
      if (neighbor != Topology::kNone) target.value = neighbor * kPorts + index(opposite(port));
      if (endpoint != Topology::kNone) target.value = Target::kEndpoint | endpoint;
    }
  }
}

PortMask MeshNetwork::links_of(unsigned node) const {
  PortMask mask = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const Target target = targets_[std::size_t{node} * kPorts + port];
    const bool link = target.value != Target::kNothing && !target.is_endpoint();
    mask |= static_cast<PortMask>(link << port);
  }
  return mask;
}

PortMask MeshNetwork::endpoint_ports_of(unsigned node) const {
  PortMask mask = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const bool endpoint = targets_[std::size_t{node} * kPorts + port].is_endpoint();
    mask |= static_cast<PortMask>(endpoint << port);
  }
  return mask;
}

void MeshNetwork::reset_external(RouterClock& clock) const {
  const RoutingTable* const table = topology_.has_faults() ? &table_ : nullptr;
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    if (clock.has(node)) clock.reset({node, endpoint_ports_of(node)}, table);
  }
}

void MeshNetwork::lift_injection_limit() {
  has_injection_limit_ = false;
  for (EndpointState& endpoint : endpoints_) {
    endpoint.places = std::numeric_limits<unsigned>::max();
  }
}

void MeshNetwork::clear_statistics() {
  const std::size_t links = statistics_.link_flits.size();
  statistics_ = Statistics{};
  statistics_.link_flits.assign(links, 0);
}

std::uint32_t MeshNetwork::new_slot() {
  if (free_slots_.empty()) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  slots_[index] = Slot{};
  return index;
}

void MeshNetwork::check(const Packet& packet) const {
  const auto reject = [&](const std::string& text) {
    throw Fault(FaultKind::kFirmware, "mesh", text);
  };
  const unsigned known = topology_.endpoints();
  if (packet.source >= known || packet.destination >= known) {
    reject("packet from endpoint " + std::to_string(packet.source) + " to endpoint " +
           std::to_string(packet.destination) + "; there are 0 to " + std::to_string(known - 1));
  }
  if (packet.flits == 0) reject("packet without a flit");
  if (packet.traffic_class >= kTrafficClasses) {
    reject("packet of traffic class " + std::to_string(packet.traffic_class) + "; there are 0 to " +
           std::to_string(kTrafficClasses - 1));
  }
  if (endpoints_[packet.destination].who == nullptr) {
    throw Fault(FaultKind::kInternal, "mesh",
                "packet to " + topology_.name_of_endpoint(packet.destination) +
                    ", which nothing is connected to");
  }
}

void MeshNetwork::inject(const Packet& packet, Cycle when) {
  check(packet);
  EndpointState& source = endpoints_[packet.source];
  if (source.places == 0) {
    throw Fault(FaultKind::kInternal, "mesh",
                "packet from " + topology_.name_of_endpoint(packet.source) +
                    " without a place in its injection queue");
  }
  if (has_injection_limit_) --source.places;
  const std::uint32_t index = new_slot();
  Slot& slot = slots_[index];
  slot.packet = packet;
  slot.packet.created = when;
  slot.packet.routers = 0;
  slot.packet.retries = 0;
  slot.state = Slot::State::kQueued;
  ++packets_in_flight_;
  ++packets_seen_;
  ++statistics_.packets_injected;
  statistics_.flits_injected += packet.flits;
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = static_cast<std::uint16_t>(packet.source),
                  .source = packet.source,
                  .sequence = source.injections++},
                 *this, token_of(Token::kInject, index));
}

void MeshNetwork::enqueue(std::uint32_t slot_index, Cycle now) {
  if (!reaches(slots_[slot_index].packet)) return lose(slot_index, why_unreachable(), now);
  const unsigned source = slots_[slot_index].packet.source;
  EndpointState& endpoint = endpoints_[source];
  const unsigned number = queue_of(slots_[slot_index].packet);
  auto& queue = endpoint.queues[number];
  (queue.first == kNoSlot ? queue.first : slots_[queue.last].next) = slot_index;
  queue.last = slot_index;
  endpoint.waiting |= 1U << number;
  source_ready(source);
  step_at(now);
}

void MeshNetwork::send_again(std::uint32_t slot_index, Cycle when) {
  Slot& slot = slots_[slot_index];
  slot.state = Slot::State::kComingBack;
  slot.sent = 0;
  slot.arrived = 0;
  slot.damaged = false;
  slot.packet.routers = 0;
  ++slot.packet.retries;
  ++statistics_.retries;
  EndpointState& source = endpoints_[slot.packet.source];
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = slot.packet.source,
                  .port = 2,
                  .source = slot.packet.source,
                  .sequence = source.injections++},
                 *this, token_of(Token::kSendAgain, slot_index));
}

/// Before those that have not been sent yet.
void MeshNetwork::enqueue_first(std::uint32_t slot_index, Cycle now) {
  Slot& slot = slots_[slot_index];
  if (!reaches(slot.packet)) return lose(slot_index, why_unreachable(), now);
  EndpointState& source = endpoints_[slot.packet.source];
  slot.state = Slot::State::kQueued;
  const unsigned number = queue_of(slot.packet);
  auto& queue = source.queues[number];
  slot.next = queue.first;
  queue.first = slot_index;
  if (slot.next == kNoSlot) queue.last = slot_index;
  source.waiting |= 1U << number;
  source_ready(slot.packet.source);
  step_at(now);
}

std::uint32_t MeshNetwork::front_of_queue(unsigned endpoint) const {
  const EndpointState& source = endpoints_[endpoint];
  if (source.being_sent != kNoSlot) return source.being_sent;
  const unsigned number = arbitration_ == Arbitration::kWeighted
                              ? source.turn.pick(source.waiting)
                              : static_cast<unsigned>(std::bit_width(source.waiting)) - 1;
  return source.queues[number].first;
}

void MeshNetwork::step_at(Cycle when) {
  when = std::max(when, stepped_until_);
  if (when >= next_step_) return;
  next_step_ = when;
  calendar_.post(when, {.phase = static_cast<std::uint8_t>(support::Phase::kOther)}, *this,
                 token_of(Token::kStep, 0));
}

void MeshNetwork::fire(Cycle now, std::uint64_t token) {
  const auto slot_index = static_cast<std::uint32_t>(token >> kTokenBits);
  switch (static_cast<Token>(token & ((1U << kTokenBits) - 1))) {
    case Token::kInject:
      return enqueue(slot_index, now);
    case Token::kSendAgain:
      return enqueue_first(slot_index, now);
    case Token::kFault:
      return fault_event(slot_index, now);
    case Token::kStep:
      break;
  }
  if (now != next_step_) return;  // an earlier step took its place
  next_step_ = support::kNever;
  stepped_until_ = now + 1;
  ++statistics_.cycles;
  step(now);
  const Cycle next = next_step(now);
  if (next != support::kNever) step_at(next);
}

void MeshNetwork::post_fault(std::size_t fault, Cycle when, unsigned what) {
  const auto number = static_cast<std::uint32_t>(fault * 4 + what);
  // Before anything else of the cycle.
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kLink), .sequence = number},
                 *this, token_of(Token::kFault, number));
}

void MeshNetwork::fault_event(std::uint32_t number, Cycle now) {
  const MeshFault& fault = faults_[number / 4];
  switch (number % 4) {
    case kFaultBegins:
      return fault_begins(fault, now);
    case kFaultEnds:
      return change_damage(fault, -1);
    default:
      return take_out(fault, now);
  }
}

Flit MeshNetwork::take_flit(unsigned endpoint, Cycle now) {
  EndpointState& source = endpoints_[endpoint];
  const std::uint32_t index = front_of_queue(endpoint);
  Slot& slot = slots_[index];
  Packet& packet = slot.packet;
  const bool head = slot.sent == 0;
  if (head) {
    packet.entered = now;
    const unsigned number = queue_of(packet);
    auto& queue = source.queues[number];
    queue.first = slot.next;
    slot.next = kNoSlot;
    if (queue.first == kNoSlot) source.waiting &= ~(1U << number);
    if (arbitration_ == Arbitration::kWeighted) source.turn.gone(number);
    source.being_sent = index;
  }
  ++slot.sent;
  const bool tail = slot.sent == packet.flits;
  ++flits_inside_;
  const Flit flit{.packet = index,
                  .destination = packet.destination,
                  .head = head,
                  .tail = tail,
                  .traffic_class = static_cast<std::uint8_t>(packet.traffic_class & 0x3F),
                  .age = static_cast<std::uint32_t>(packet.created)};
  if (!tail) return flit;
  slot.state = Slot::State::kMoving;
  source.being_sent = kNoSlot;
  // A packet that is sent again gave its place back the first time.
  if (!slot.holds_place) return flit;
  slot.holds_place = false;
  if (has_injection_limit_) ++source.places;
  if (source.who != nullptr) source.who->injection_place(now + 1);
  return flit;
}

void MeshNetwork::eject(unsigned endpoint, const Flit& flit, Cycle when) {
  --flits_inside_;
  Slot& slot = slots_[flit.packet];
  if (++slot.arrived < slot.packet.flits) return;
  if (slot.damaged) return check_failed(flit.packet, when);
  // A copy: whoever gets it may inject, which moves the slots.
  const Packet packet = slot.packet;
  release(flit.packet);
  ++statistics_.packets_delivered;
  statistics_.flits_delivered += packet.flits;
  statistics_.total_hops += packet.routers;
  statistics_.latency[packet.traffic_class].add(when - packet.created);
  statistics_.network_latency[packet.traffic_class].add(when - packet.entered);
  endpoints_[endpoint].who->deliver(packet, when);
}

void MeshNetwork::release(std::uint32_t slot_index) {
  slots_[slot_index].state = Slot::State::kFree;
  free_slots_.push_back(slot_index);
  --packets_in_flight_;
  ++packets_done_;
}

void MeshNetwork::check_books() const {
  const auto used = static_cast<std::uint64_t>(std::count_if(
      slots_.begin(), slots_.end(), [](const Slot& s) { return s.state != Slot::State::kFree; }));
  if (used == packets_in_flight_ && packets_seen_ == packets_done_ + used) return;
  throw Fault(FaultKind::kInternal, place_.prefix() + "mesh",
              std::to_string(packets_seen_) + " packets were injected, " +
                  std::to_string(packets_done_) + " delivered or reported lost, and " +
                  std::to_string(used) + " are under way");
}

void MeshNetwork::check_at_end() const {
  check_books();
  if (packets_in_flight_ == 0 && flits_inside_ == 0) return;
  throw Fault(FaultKind::kInternal, "mesh",
              std::to_string(packets_in_flight_) +
                  " packets were injected and are neither delivered nor reported lost, " +
                  std::to_string(flits_inside_) + " flits are still in the network");
}

}  // namespace tvp::mesh
