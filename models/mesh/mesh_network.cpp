#include "models/mesh/mesh_network.h"

#include <algorithm>
#include <bit>

#include "foundation/fault.h"
#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {
// Tokens of events: the action, and the packet that it concerns.
enum class Token : std::uint64_t { kStep, kInject, kSendAgain, kFault };
// Kind of a fault event, in the low bits below the fault's number.
constexpr unsigned kFaultBegins = 0;
constexpr unsigned kFaultEnds = 1;
constexpr unsigned kFaultFound = 2;
constexpr unsigned kFaultEvents = 4;
constexpr unsigned kTokenBits = 2;
constexpr std::uint64_t token_of(Token what, std::uint32_t number) {
  return std::uint64_t{number} << kTokenBits | static_cast<std::uint64_t>(what);
}
// Ports in the calendar's order: in a cycle, new packets come before retries.
constexpr std::uint8_t kNewPacket = 0;
constexpr std::uint8_t kPacketAgain = 2;
}  // namespace

MeshNetwork::MeshNetwork(const MeshConfig& config, const MeshTopology& topology,
                         support::Calendar& calendar)
    : config_(config),
      topology_(topology),
      table_(topology_, *make_routing(config.routing.value())),
      targets_(topology_),
      calendar_(calendar),
      endpoints_(topology_.endpoints(), nullptr),
      queues_(topology_.endpoints()),
      faults_(topology_),
      ways_(config.routing_seed) {
  const auto weights = parse_weights(config.class_weights.value());
  for (InjectionQueue& queue : queues_) {
    queue.init(config.injection_queue_packets, arbitration_of(config), weights);
  }
  statistics_.link_flits.assign(targets_.size(), 0);
}

void MeshNetwork::lift_injection_limit() {
  for (InjectionQueue& queue : queues_) queue.lift_limit();
}

void MeshNetwork::clear_statistics() {
  const std::size_t links = statistics_.link_flits.size();
  statistics_ = Statistics{};
  statistics_.link_flits.assign(links, 0);
}

void MeshNetwork::check(const MeshPacket& packet) const {
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
  if (endpoints_[packet.destination] == nullptr) {
    throw Fault(FaultKind::kInternal, "mesh",
                "packet to " + topology_.name_of_endpoint(packet.destination) +
                    ", which nothing is connected to");
  }
  if (queues_[packet.source].credits() == 0) {
    throw Fault(FaultKind::kInternal, "mesh",
                "packet from " + topology_.name_of_endpoint(packet.source) +
                    " without a credit for its injection queue");
  }
}

void MeshNetwork::inject(const MeshPacket& packet, Cycle when) {
  check(packet);
  queues_[packet.source].take_credit();
  const std::uint32_t number = packets_.add(packet, when);
  ++statistics_.packets_injected;
  statistics_.flits_injected += packet.flits;
  post_injection(packet.source, kNewPacket, when, token_of(Token::kInject, number));
}

void MeshNetwork::send_again(std::uint32_t number, Cycle when) {
  packets_.rewind(number);
  payloads_.forget(number);
  packets_[number].state = PacketState::State::kComingBack;
  ++statistics_.retries;
  post_injection(packets_[number].packet.source, kPacketAgain, when,
                 token_of(Token::kSendAgain, number));
}

void MeshNetwork::post_injection(std::uint16_t source, std::uint8_t port, Cycle when,
                                 std::uint64_t token) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = source,
                  .port = port,
                  .source = source,
                  .sequence = queues_[source].next_sequence()},
                 *this, token);
}

void MeshNetwork::enqueue(std::uint32_t number, Cycle now) {
  const MeshPacket& packet = packets_[number].packet;
  if (!faults_.reaches(packet)) return lose(number, faults_.why_unreachable(), now);
  queues_[packet.source].push_back(packets_, number);
  source_ready(packet.source);
  work_at(now);
}

/// Inserts the packet before those that have not been sent yet.
void MeshNetwork::enqueue_first(std::uint32_t number, Cycle now) {
  const MeshPacket& packet = packets_[number].packet;
  if (!faults_.reaches(packet)) return lose(number, faults_.why_unreachable(), now);
  queues_[packet.source].push_front(packets_, number);
  source_ready(packet.source);
  work_at(now);
}

/// A mesh at rest has work again. A stuck one gets a step, which shows if the work can begin.
void MeshNetwork::work_at(Cycle now) {
  if (patience_ == 0) patience_ = patience();
  if (next_step_ == support::kNever && !stuck_) moved_at_ = std::max(moved_at_, now);
  step_at(now);
}

void MeshNetwork::step_at(Cycle when) {
  when = std::max(when, stepped_until_);
  if (when >= next_step_) return;
  next_step_ = when;
  calendar_.post(when, {.phase = static_cast<std::uint8_t>(support::Phase::kOther)}, *this,
                 token_of(Token::kStep, 0));
}

void MeshNetwork::fire(Cycle now, std::uint64_t token) {
  const auto number = static_cast<std::uint32_t>(token >> kTokenBits);
  switch (static_cast<Token>(token & ((1U << kTokenBits) - 1))) {
    case Token::kInject:
      return enqueue(number, now);
    case Token::kSendAgain:
      return enqueue_first(number, now);
    case Token::kFault:
      return fault_event(number, now);
    case Token::kStep:
      break;
  }
  if (now != next_step_) return;  // an earlier step has replaced this one
  next_step_ = support::kNever;
  stepped_until_ = now + 1;
  ++statistics_.cycles;
  step(now);
  const Cycle next = next_step(now);
  if (next == support::kNever) return;
  stuck_ = next > moved_at_ + patience_ && !is_scheduled();
  if (!stuck_) step_at(next);
}

/// Routers of a user may have more pipeline stages than ours, and may be asleep for a while.
Cycle MeshNetwork::patience() const {
  constexpr double kTimesLongestRoute = 16;
  constexpr double kLeast = 1000;
  const double longest = zero_load_cycles(topology_.width() + topology_.height(), 1);
  return static_cast<Cycle>(std::max(kLeast, kTimesLongestRoute * longest));
}

void MeshNetwork::add_wait_of_source(unsigned endpoint, FlitWait::Why why,
                                     std::vector<FlitWait>& waits) const {
  const unsigned node = topology_.router_of(endpoint);
  waits.push_back({.packet = front_of_queue(endpoint),
                   .router = node,
                   .waits_for = node,
                   .input = topology_.port_of(endpoint),
                   .why = why,
                   .is_queued = true});
}

std::string MeshNetwork::route_text(const MeshPacket& packet) const {
  return "from " + topology_.name_of_endpoint(packet.source) + " to " +
         topology_.name_of_endpoint(packet.destination);
}

void MeshNetwork::blame(unsigned node, const std::string& text) const {
  throw Fault(FaultKind::kFirmware, name_of_router(node),
              text + " at " + time_of_(stepped_until_ - 1));
}

void MeshNetwork::leave_external(unsigned node, Port out, PassingFlits& passing, Flit& flit,
                                 std::uint64_t payload) {
  const std::string wrong = passing.why_wrong(out, flit, table_, node);
  const std::string at_output = std::string(" at its ") + name_of(out) + " output";
  if (!wrong.empty()) blame(node, wrong + at_output);
  const unsigned number = passing.leave(out, flit);
  const MeshPacket& packet = packets_[flit.packet].packet;
  const std::uint64_t entered = payloads_.of(flit.packet, packet, number);
  if (payload == entered) return;
  payloads_.alter(flit.packet, number, payload);
  const int bit = std::countr_zero(payload ^ entered);
  const Fault fault(FaultKind::kFirmware, name_of_router(node),
                    "alters bit " + std::to_string(bit) + " of the payload" + at_output +
                        ": flit " + std::to_string(number) + " of packet " +
                        std::to_string(flit.packet) + " " + route_text(packet) + ", at " +
                        time_of_(stepped_until_ - 1));
  if (warnings_ == nullptr) throw fault;
  warnings_->warn(fault);
}

std::string MeshNetwork::why_stuck() const {
  if (!is_stuck()) return "";
  std::vector<FlitWait> waits;
  find_waits(waits);
  const auto is_broken = [](const FlitWait& wait) { return wait.why != FlitWait::Why::kNotTaken; };
  const auto created = [&](const FlitWait& wait) { return packets_[wait.packet].packet.created; };
  // A router that breaks its protocol comes first, then the oldest packet.
  const auto found = std::ranges::min_element(waits, [&](const FlitWait& a, const FlitWait& b) {
    return is_broken(a) != is_broken(b) ? is_broken(a) : created(a) < created(b);
  });
  const std::string since = ", no flit has moved since " + time_of_(moved_at_);
  if (found == waits.end()) {
    return faults_.prefix() + "mesh: " + std::to_string(in_flight()) + " packets wait" + since;
  }
  const FlitWait wait = *found;
  const MeshPacket& packet = packets_[wait.packet].packet;
  const std::string who = "packet " + std::to_string(wait.packet) + " " + route_text(packet) +
                          ", created at " + time_of_(packet.created) + ", waits ";
  const std::string where = wait.is_queued ? "in its injection queue"
                                           : "in router " + topology_.name_of_router(wait.router);
  const std::string router = name_of_router(wait.waits_for);
  const std::string input = std::string(" its ") + name_of(wait.input) + " input";
  switch (wait.why) {
    case FlitWait::Why::kKept:
      return router + " does not send a flit that came through" + input + ": " + who + "there" +
             since;
    case FlitWait::Why::kRefused:
      return router + " is never ready at" + input + ": " + who + where + since;
    case FlitWait::Why::kNotTaken:
      break;
  }
  return router + " is full at" + input + " and packets wait for each other: " + who + where +
         since;
}

Flit MeshNetwork::take_flit(unsigned endpoint, Cycle now) {
  InjectionQueue& queue = queues_[endpoint];
  Flit flit = queue.take_flit(packets_, now);
  moved_at_ = stepped_until_;
  ++flits_inside_;
  if (flit.head && table_.parts() > 1) choose_way(flit);
  if (!flit.tail) return flit;
  // A retried packet returned its credit the first time.
  PacketState& state = packets_[flit.packet];
  if (!state.holds_credit) return flit;
  state.holds_credit = false;
  queue.return_credit();
  if (endpoints_[endpoint] != nullptr) endpoints_[endpoint]->injection_credit(now + 1);
  return flit;
}

void MeshNetwork::choose_way(Flit& head) {
  if (table_.goes_via()) {
    head.via = static_cast<std::uint16_t>(ways_.below(topology_.nodes()));
  } else {
    head.part = ways_.below(table_.parts()) & 1;
  }
}

void MeshNetwork::eject(unsigned endpoint, const Flit& flit, Cycle when) {
  --flits_inside_;
  PacketState& state = packets_[flit.packet];
  if (++state.arrived < state.packet.flits) return;
  if (state.damaged) return check_failed(flit.packet, when);
  // A copy, since the receiver may inject packets, which reallocates the pool.
  MeshPacket packet = state.packet;
  packet.routers = packets_.routers(flit.packet);
  std::vector<std::uint8_t> altered;
  if (payloads_.is_altered(flit.packet)) [[unlikely]] {
    altered = payloads_.bytes(flit.packet, packet);
    packet.payload = altered;
    packet.is_altered = true;
    payloads_.forget(flit.packet);
  }
  packets_.release(flit.packet);
  ++statistics_.packets_delivered;
  statistics_.flits_delivered += packet.flits;
  statistics_.total_hops += packet.routers;
  statistics_.latency[packet.traffic_class].add(when - packet.created);
  statistics_.network_latency[packet.traffic_class].add(when - packet.entered);
  endpoints_[endpoint]->deliver(packet, when);
}

void MeshNetwork::lose(std::uint32_t number, const std::string& why, Cycle now) {
  const MeshPacket packet = packets_[number].packet;
  const bool held_credit = packets_[number].holds_credit;
  packets_.release(number);
  payloads_.forget(number);
  ++statistics_.packets_lost;
  if (held_credit) queues_[packet.source].return_credit();
  Endpoint* const source = endpoints_[packet.source];
  if (source == nullptr) return;
  source->lost(packet, why, now + 1);
  if (held_credit) source->injection_credit(now + 1);
}

void MeshNetwork::check_conservation() const {
  packets_.check_conservation(faults_.prefix() + "mesh");
}

void MeshNetwork::check_at_end() const {
  check_conservation();
  if (in_flight() == 0 && flits_inside_ == 0) return;
  throw Fault(FaultKind::kInternal, "mesh",
              std::to_string(in_flight()) +
                  " packets were injected and are neither delivered nor reported lost, " +
                  std::to_string(flits_inside_) + " flits are still in the network");
}

void MeshNetwork::break_later(std::vector<MeshFault> faults, const MeshPlace& place) {
  faults_.plan(std::move(faults), place);
  for (std::size_t i = 0; i < faults_.faults().size(); ++i) {
    const MeshFault& fault = faults_.faults()[i];
    const Cycle begins = calendar_.now() + fault.at;
    post_fault(i, begins, kFaultBegins);
    if (fault.is_permanent()) {
      post_fault(i, begins + config_.fault_detect_cycles, kFaultFound);
    } else {
      post_fault(i, begins + fault.lasts, kFaultEnds);
    }
  }
}

void MeshNetwork::post_fault(std::size_t fault, Cycle when, unsigned what) {
  const auto number = static_cast<std::uint32_t>(fault * kFaultEvents + what);
  // A fault comes before all other events of its cycle.
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kLink), .sequence = number},
                 *this, token_of(Token::kFault, number));
}

void MeshNetwork::fault_event(std::uint32_t number, Cycle now) {
  const MeshFault& fault = faults_.faults()[number / kFaultEvents];
  switch (number % kFaultEvents) {
    case kFaultBegins:
      return faults_.begin(fault, now);
    case kFaultEnds:
      return faults_.end(fault);
    default:
      return take_out(fault, now);
  }
}

/// The destination's check (a CRC) fails. Its answer takes as long as a packet of one flit over an
/// empty mesh and cannot be damaged.
void MeshNetwork::check_failed(std::uint32_t number, Cycle when) {
  const PacketState& state = packets_[number];
  ++statistics_.packets_damaged;
  if (state.packet.retries >= config_.max_retries) {
    return lose(number, faults_.why_damaged(state, when, config_.max_retries), when);
  }
  const double answer = zero_load_cycles(packets_.routers(number), 1);
  send_again(number, when + static_cast<Cycle>(answer));
}

/// Takes broken parts out of service and empties the network, so that packets routed by the old
/// tables cannot wait for packets routed by the new ones.
void MeshNetwork::take_out(const MeshFault& fault, Cycle now) {
  faults_.take_out(fault, now);
  Rerouting rerouting = reroute(topology_, *make_routing(config_.routing.value()),
                                config_.routing.value(), packets_wait(), has_escape());
  table_ = std::move(rerouting.table);
  targets_.find(topology_);
  faults_.log_rerouting(fault, rerouting.method, now);
  flush();
  flits_inside_ = 0;
  send_all_again(now);
}

void MeshNetwork::send_all_again(Cycle now) {
  const std::vector<std::uint32_t> departed = packets_.departed();
  for (const std::uint32_t number : departed) {
    packets_.rewind(number);
    payloads_.forget(number);
  }
  statistics_.retries += departed.size();
  for (InjectionQueue& queue : queues_) queue.interrupt();
  // The oldest packet is inserted last and so becomes the first.
  for (const std::uint32_t number : departed) enqueue_first(number, now);
  const auto is_cut_off = [&](const MeshPacket& packet) { return !faults_.reaches(packet); };
  for (unsigned endpoint = 0; endpoint < queues_.size(); ++endpoint) {
    for (const std::uint32_t number : queues_[endpoint].remove_if(packets_, is_cut_off)) {
      lose(number, faults_.why_unreachable(), now);
    }
    if (has_queued(endpoint)) source_ready(endpoint);
  }
  moved_at_ = std::max(moved_at_, now);
  stuck_ = false;
  step_at(now);
}

}  // namespace tvp::mesh
