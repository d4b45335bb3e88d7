#include "models/mesh/traffic/traffic_generator.h"

#include <cmath>

#include "foundation/fault.h"

namespace tvp::mesh {

using support::Cycle;

namespace {
/// The tag that identifies a packet: the source's number and the packet's.
std::uint64_t tag_of(unsigned source, std::uint32_t number) {
  return std::uint64_t{source} << 32 | number;
}
}  // namespace

TrafficGenerator::TrafficGenerator(const MeshTrafficConfig& config, MeshNetwork& mesh,
                                   support::Calendar& calendar)
    : config_(config),
      mesh_(mesh),
      calendar_(calendar),
      pattern_(config, mesh.topology()),
      made_(mesh.topology().nodes(), 0),
      bytes_(mesh.topology().nodes(), 0) {
  mesh.lift_injection_limit();
  foundation::Random seeds(config.seed);
  for (unsigned node = 0; node < mesh.topology().nodes(); ++node) {
    random_.emplace_back(seeds.next());
    bytes_[node] = static_cast<std::uint8_t>(node);
    mesh.connect(node, *this);
  }
}

void TrafficGenerator::start(double load, Cycle from, Cycle to, Cycle stop) {
  // At most one packet in a cycle.
  const double probability = std::min(load / config_.packet_flits, 1.0);
  log_of_quiet_ = std::log1p(-probability);
  from_ = from;
  to_ = to;
  stop_ = stop;
  const Cycle now = calendar_.now();
  for (unsigned node = 0; node < random_.size(); ++node) post_next(node, now);
}

/// The gap between two successes of Bernoulli trials is geometric, so one random number replaces
/// one for each cycle.
void TrafficGenerator::post_next(unsigned node, Cycle now) {
  const double quiet =
      std::isinf(log_of_quiet_) ? 0 : std::floor(std::log(random_[node].unit()) / log_of_quiet_);
  if (quiet >= static_cast<double>(stop_ > now ? stop_ - now : 0)) return;
  const Cycle when = now + 1 + static_cast<Cycle>(quiet);
  if (when >= stop_) return;
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kInject),
                  .block = static_cast<std::uint16_t>(node),
                  .port = 1,
                  .sequence = made_[node]},
                 *this, node);
}

void TrafficGenerator::fire(Cycle now, std::uint64_t token) {
  if (now >= stop_ || mesh_.is_stuck()) return;
  const auto node = static_cast<unsigned>(token);
  MeshPacket packet;
  packet.source = static_cast<std::uint16_t>(node);
  packet.destination = static_cast<std::uint16_t>(pattern_.destination(node, random_[node]));
  packet.flits = static_cast<std::uint16_t>(config_.packet_flits.value());
  packet.traffic_class =
      config_.urgent_share > 0 && random_[node].unit() <= config_.urgent_share ? 1 : 0;
  packet.tag = tag_of(node, made_[node]++);
  packet.payload = {&bytes_[node], 1};
  if (now < to_) ++measured_open_;
  if (is_measured_cycle(now)) offered_flits_ += packet.flits;
  mesh_.inject(packet, now);
  post_next(node, now);
}

void TrafficGenerator::deliver(const MeshPacket& packet, Cycle when) {
  if (packet.tag >> 32 != packet.source || packet.payload.data() != &bytes_[packet.source] ||
      packet.payload[0] != static_cast<std::uint8_t>(packet.source)) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "mesh",
                            "packet " + std::to_string(packet.tag & 0xFFFFFFFF) + " of " +
                                mesh_.topology().name_of_endpoint(packet.source) + " was damaged");
  }
  if (is_measured_cycle(when)) accepted_flits_ += packet.flits;
  if (packet.created >= to_) return;
  --measured_open_;
  if (packet.entered >= from_) latency_[packet.traffic_class].add(when - packet.created);
}

void TrafficGenerator::lost(const MeshPacket& packet, const std::string&, Cycle when) {
  static_cast<void>(when);
  ++lost_packets_;
  if (packet.created >= to_) return;
  --measured_open_;
  if (is_measured_cycle(packet.created)) offered_flits_ -= packet.flits;
}

}  // namespace tvp::mesh
