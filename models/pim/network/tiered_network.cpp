#include "models/pim/network/tiered_network.h"

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "models/mesh/make_mesh.h"

namespace tvp::pim {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using Step = TierEvents::Step;

TieredNetwork::TieredNetwork(const PimConfig& config, const mesh::MeshConfig& mesh_config,
                             const PimHierarchy& hierarchy, ChannelArray& channels,
                             support::Calendar& calendar,
                             std::span<mesh::RouterClock* const> clocks)
    : geometry_{.banks = channels.banks_of_chip(),
                .chips_of_rank = channels.chips_of_rank(),
                .ranks_of_channel = channels.ranks_of_channel()},
      map_(config, mesh_config),
      channels_(channels),
      endpoints_(hierarchy.units(), nullptr),
      packets_(config.flit_bytes),
      events_(calendar, *this, geometry_.chip_of(hierarchy.units()),
              dram::Period::of_mhz(config.clock_mhz), channels.preset().timing.tck),
      credits_(config, geometry_, hierarchy.units(), *this),
      tiers_{config, geometry_, channels, packets_, events_, credits_, stats_, endpoints_},
      switch_(tiers_, geometry_.chip_of(hierarchy.units())),
      bus_(tiers_, geometry_.rank_of_unit(hierarchy.units())) {
  if (mesh_config.width * mesh_config.height != geometry_.banks) {
    throw Fault(FaultKind::kDescription, "",
                "mesh.width x mesh.height: expected one router for each of the " +
                    std::to_string(geometry_.banks) +
                    " units of a chip (pim.network = tiers), not " + mesh_config.width.text() +
                    " x " + mesh_config.height.text());
  }
  const mesh::MeshTopology topology = chip_topology(mesh_config);
  const unsigned meshes = geometry_.chip_of(hierarchy.units());
  for (unsigned number = 0; number < meshes; ++number) {
    chips_.push_back(std::make_unique<Chip>());
    Chip& chip = *chips_.back();
    chip.mesh =
        mesh::make_mesh(mesh_config, topology, calendar, clocks.empty() ? nullptr : clocks[number],
                        {.number = number, .meshes = meshes});
    chip.units.resize(geometry_.banks);
    for (UnitPort& port : chip.units) port.network = this;
    chip.gateway.network = this;
    chip.gateway.chip = number;
    chip.gateway_endpoint = topology.nodes();
    chip.mesh->connect(chip.gateway_endpoint, chip.gateway);
  }
}

mesh::MeshTopology TieredNetwork::chip_topology(const mesh::MeshConfig& config) {
  mesh::MeshTopology topology(config.width, config.height);
  topology.add_gateway(0, 0, mesh::Port::kWest);
  return topology;
}

void TieredNetwork::connect(unsigned unit, NetworkEndpoint& endpoint) {
  Chip& chip = *chips_[geometry_.chip_of(unit)];
  UnitPort& port = chip.units[geometry_.bank_of(unit)];
  endpoints_[unit] = port.endpoint = &endpoint;
  chip.mesh->connect(router_of(unit), port);
}

bool TieredNetwork::leaves_chip(const Packet& packet) const {
  return packet.order.kind != SwitchOrder::Kind::kPass ||
         geometry_.chip_of(packet.destination) != geometry_.chip_of(packet.source);
}

bool TieredNetwork::may_inject(const Packet& packet) {
  const mesh::MeshNetwork& own = mesh(geometry_.chip_of(packet.source));
  if (own.injection_credits(router_of(packet.source)) == 0) return false;
  return !leaves_chip(packet) || credits_.reserve(packet);
}

void TieredNetwork::inject(const Packet& packet, Cycle when) {
  const unsigned from = geometry_.chip_of(packet.source);
  const bool leaves = leaves_chip(packet);
  if (leaves) credits_.take(packet);
  put(packets_.keep(packet), from, router_of(packet.source),
      leaves ? chips_[from]->gateway_endpoint : router_of(packet.destination), when);
}

void TieredNetwork::put(std::uint32_t slot, unsigned chip, unsigned source, unsigned destination,
                        Cycle when) {
  mesh::MeshPacket packet;
  packet.source = static_cast<std::uint16_t>(source);
  packet.destination = static_cast<std::uint16_t>(destination);
  packet.flits = packets_.flits_of(slot);
  packet.flit_bytes = static_cast<std::uint16_t>(packets_.flit_bytes());
  packet.tag = slot;
  packet.payload = packets_[slot].payload;
  chips_[chip]->mesh->inject(packet, when);
}

void TieredNetwork::UnitPort::deliver(const mesh::MeshPacket& packet, Cycle when) {
  network->note_altered(packet, false);
  endpoint->deliver(network->packets_.take(static_cast<std::uint32_t>(packet.tag)), when);
}

void TieredNetwork::UnitPort::lost(const mesh::MeshPacket& packet, const std::string& why,
                                   Cycle when) {
  const Packet p = network->packets_.take(static_cast<std::uint32_t>(packet.tag));
  if (p.order.kind == SwitchOrder::Kind::kReduce) {
    network->credits_.return_to_combine(p.source, when);
  } else if (network->leaves_chip(p)) {
    network->credits_.return_out(network->geometry_.chip_of(p.source), when);
  }
  endpoint->lost(p, why);
}

void TieredNetwork::Gateway::deliver(const mesh::MeshPacket& packet, Cycle when) {
  network->note_altered(packet, true);
  network->packets_.leave_chip();
  network->events_.post(when, {Step::kLeave, chip, static_cast<std::uint32_t>(packet.tag)});
}

void TieredNetwork::Gateway::injection_credit(Cycle when) {
  if (!entering.empty()) network->events_.post(when, {Step::kCredit, chip, 0});
}

void TieredNetwork::Gateway::lost(const mesh::MeshPacket& packet, const std::string& why, Cycle) {
  const Packet p = network->packets_.take(static_cast<std::uint32_t>(packet.tag));
  network->endpoints_[p.source]->lost(p, why);
}

void TieredNetwork::fire(Cycle now, std::uint64_t token) {
  const auto [step, chip, slot] = TierEvents::event_of(token);
  const unsigned rank = geometry_.rank_of(chip);
  switch (step) {
    case Step::kLeave:
      return switch_.leave(chip, slot, now);
    case Step::kDepart:
      return switch_.departed(chip, now);
    case Step::kCombine:
      return switch_.combined(rank, now);
    case Step::kBuffered:
      return bus_.buffered(rank, slot, now);
    case Step::kSend:
      return bus_.sent(rank, now);
    case Step::kOffer:
      return bus_.offered(chip, slot, now);
    case Step::kEnter:
      return arrived(chip, slot, now);
    case Step::kCredit:
      return enter(chip, now);
  }
}

void TieredNetwork::granted(const TierCredits::Request& request, Cycle now) {
  switch (request.who) {
    case TierCredits::Request::Who::kGateway:
      return switch_.depart(request.number, now);
    case TierCredits::Request::Who::kCombiner:
      return switch_.combine(request.number, now);
    case TierCredits::Request::Who::kBuffer:
      return bus_.send(request.number, now);
    case TierCredits::Request::Who::kHost:
      return bus_.offer(request.number, now);
  }
}

void TieredNetwork::arrived(unsigned chip, std::uint32_t slot, Cycle now) {
  packets_.enter_chip();
  std::deque<std::uint32_t>& entering = chips_[chip]->gateway.entering;
  entering.push_back(slot);
  stats_.most_queued = std::max(stats_.most_queued, entering.size());
  enter(chip, now);
}

/// Packets from outside enter the mesh of a chip while it has credits.
void TieredNetwork::enter(unsigned number, Cycle now) {
  Chip& chip = *chips_[number];
  std::deque<std::uint32_t>& entering = chip.gateway.entering;
  unsigned entered = 0;
  for (; !entering.empty() && chip.mesh->injection_credits(chip.gateway_endpoint) > 0; ++entered) {
    const std::uint32_t slot = entering.front();
    entering.pop_front();
    put(slot, number, chip.gateway_endpoint, router_of(packets_[slot].destination), now);
  }
  if (entered > 0) credits_.return_in(number, entered, now);
}

std::string TieredNetwork::refusal(unsigned unit, const SwitchOrder& order) const {
  return switch_.refusal(unit, order);
}

/// Links of the meshes, chip by chip. The link into a chip's gateway follows the links of that
/// chip.
void TieredNetwork::scheduled_route(unsigned source, unsigned destination,
                                    std::vector<std::uint32_t>& links) const {
  links.clear();
  if (!mesh(0).is_scheduled()) return;
  const std::uint32_t gateway_in = geometry_.banks * mesh::kPorts;
  std::vector<std::uint32_t> part;
  const auto add = [&](unsigned chip, unsigned from, unsigned to) {
    mesh(chip).route(from, to, part);
    for (const std::uint32_t link : part) links.push_back(chip * (gateway_in + 1) + link);
  };
  const unsigned from = geometry_.chip_of(source);
  const unsigned to = geometry_.chip_of(destination);
  if (from == to) return add(from, router_of(source), router_of(destination));
  add(from, router_of(source), chips_[from]->gateway_endpoint);
  links.push_back(to * (gateway_in + 1) + gateway_in);
  add(to, chips_[to]->gateway_endpoint, router_of(destination));
}

std::string TieredNetwork::why_stuck() const {
  for (const auto& chip : chips_) {
    if (chip->mesh->is_stuck()) return chip->mesh->why_stuck();
  }
  return "";
}

/// A multicast that leaves its chip alters all copies, which are made behind the gateway.
void TieredNetwork::note_altered(const mesh::MeshPacket& packet, bool leaves) {
  if (!packet.is_altered) return;
  Packet p = packets_[static_cast<std::uint32_t>(packet.tag)];
  if (!leaves) p.order = {};
  endpoints_[p.source]->altered(p, packet.payload);
}

void TieredNetwork::check_conservation() const {
  std::uint64_t inside = 0;
  for (const auto& chip : chips_) {
    chip->mesh->check_conservation();
    inside += chip->mesh->in_flight() + chip->gateway.entering.size();
  }
  if (packets_.kept() == inside + packets_.outside()) return;
  throw Fault(FaultKind::kInternal, "pim",
              std::to_string(packets_.kept()) + " packets are under way, of them " +
                  std::to_string(inside) + " in chips and " + std::to_string(packets_.outside()) +
                  " between them");
}

void TieredNetwork::check_at_end() const {
  for (const auto& chip : chips_) chip->mesh->check_at_end();
  if (packets_.kept() == 0) return;
  throw Fault(FaultKind::kInternal, "pim",
              std::to_string(packets_.kept()) + " packets left their chip and reached no other");
}

}  // namespace tvp::pim
