#include "models/pim/tiered_network.h"

#include <algorithm>
#include <string>
#include <utility>

#include "foundation/fault.h"
#include "models/mesh/make_mesh.h"
#include "models/pim/rank_mesh.h"

namespace tvp::pim {

using dram::MemCycle;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {

// A transfer on the DDR bus takes the PIM command and a word that says from where to where.
constexpr unsigned kBusWords = 2;

}  // namespace

TieredNetwork::TieredNetwork(const PimConfig& config, const mesh::MeshConfig& mesh_config,
                             const Hierarchy& hierarchy, MemoryChannels& channels,
                             support::Calendar& calendar,
                             std::span<mesh::RouterClock* const> clocks)
    : config_(config),
      calendar_(calendar),
      to_dram_(dram::Period::of_mhz(config.clock_mhz), channels.preset().timing.tck),
      to_logic_(channels.preset().timing.tck, dram::Period::of_mhz(config.clock_mhz)),
      banks_(channels.banks_of_chip()),
      chips_of_rank_(channels.chips_of_rank()),
      ranks_of_channel_(channels.ranks_of_channel()),
      as_commands_(config.rank_messages == "command"),
      channels_(channels),
      host_(config, channels.preset().timing.tck, channels.count()),
      buffers_(hierarchy.units() / channels.units_of_rank()),
      combiners_(buffers_.size()),
      senders_(hierarchy.units()) {
  if (mesh_config.width * mesh_config.height != banks_) {
    throw Fault(FaultKind::kDescription, "",
                "mesh.width x mesh.height: expected one router for each of the " +
                    std::to_string(banks_) + " units of a chip (pim.network = tiers), not " +
                    mesh_config.width.text() + " x " + mesh_config.height.text());
  }
  const mesh::Topology topology = chip_topology(mesh_config);
  const unsigned meshes = hierarchy.units() / banks_;
  for (unsigned number = 0; number < meshes; ++number) {
    chips_.push_back(std::make_unique<Chip>());
    Chip& chip = *chips_.back();
    chip.mesh =
        mesh::make_mesh(mesh_config, topology, calendar, clocks.empty() ? nullptr : clocks[number],
                        {.number = number, .meshes = meshes});
    chip.units.resize(banks_);
    for (UnitPort& port : chip.units) port.network = this;
    chip.gateway.network = this;
    chip.gateway.chip = number;
    chip.gateway.places_out = config.gateway_packets;
    chip.gateway.places_in = config.gateway_packets;
    chip.gateway_endpoint = topology.nodes();
    chip.mesh->connect(chip.gateway_endpoint, chip.gateway);
  }
  for (Buffer& buffer : buffers_) buffer.places = config.buffer_packets;
}

mesh::Topology TieredNetwork::chip_topology(const mesh::MeshConfig& config) {
  mesh::Topology topology(config.width, config.height);
  topology.add_gateway(0, 0, mesh::Port::kWest);
  return topology;
}

void TieredNetwork::connect(unsigned unit, NetworkEndpoint& endpoint) {
  Chip& chip = *chips_[unit / banks_];
  UnitPort& port = chip.units[unit % banks_];
  port.endpoint = &endpoint;
  chip.mesh->connect(unit % banks_, port);
}

std::uint32_t TieredNetwork::keep(const Packet& packet) {
  if (free_.empty()) {
    packets_.push_back(packet);
    ready_.push_back(0);
    return static_cast<std::uint32_t>(packets_.size() - 1);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  packets_[slot] = packet;
  return slot;
}

Packet TieredNetwork::take(std::uint32_t slot) {
  free_.push_back(slot);
  return packets_[slot];
}

/// Puts a packet into a mesh.
void TieredNetwork::put(std::uint32_t slot, unsigned chip, unsigned source, unsigned destination,
                        Cycle when) {
  const Packet& packet = packets_[slot];
  mesh::Packet p;
  p.source = static_cast<std::uint16_t>(source);
  p.destination = static_cast<std::uint16_t>(destination);
  p.flits = RankMesh::flits(static_cast<std::uint32_t>(packet.payload.size()), config_.flit_bytes);
  p.tag = slot;
  p.payload = packet.payload;
  chips_[chip]->mesh->inject(p, when);
}

void TieredNetwork::inject(const Packet& packet, Cycle when) {
  const unsigned from = packet.source / banks_;
  const bool stays = !leaves_chip(packet);
  if (!stays) take_place(packet);
  put(keep(packet), from, packet.source % banks_,
      stays ? packet.destination % banks_ : chips_[from]->gateway_endpoint, when);
}

void TieredNetwork::UnitPort::deliver(const mesh::Packet& packet, Cycle when) {
  endpoint->deliver(network->take(static_cast<std::uint32_t>(packet.tag)), when);
}

void TieredNetwork::UnitPort::lost(const mesh::Packet& packet, const std::string& why, Cycle when) {
  const Packet p = network->take(static_cast<std::uint32_t>(packet.tag));
  if (p.order.kind == SwitchOrder::Kind::kReduce) {
    network->free_place_to_combine(p.source, when);
  } else if (network->leaves_chip(p)) {
    network->free_place_out(p.source / network->banks_, when);
  }
  endpoint->lost(p, why);
}

void TieredNetwork::Gateway::deliver(const mesh::Packet& packet, Cycle when) {
  ++network->between_chips_;
  network->post(when, chip, Step::kLeave, static_cast<std::uint32_t>(packet.tag));
}

void TieredNetwork::Gateway::injection_credit(Cycle when) {
  if (!entering.empty()) network->post(when, chip, Step::kPlace, 0);
}

void TieredNetwork::Gateway::lost(const mesh::Packet& packet, const std::string& why, Cycle) {
  const Packet p = network->take(static_cast<std::uint32_t>(packet.tag));
  const unsigned banks = network->banks_;
  network->chips_[p.source / banks]->units[p.source % banks].endpoint->lost(p, why);
}

void TieredNetwork::post(Cycle when, unsigned chip, Step step, std::uint32_t slot) {
  calendar_.post(
      when,
      {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
       .block = static_cast<std::uint16_t>(chip),
       .port = 4,  // behind the units' own
       .sequence = chips_[chip]->gateway.posted++},
      *this,
      std::uint64_t{slot} << 32 | std::uint64_t{chip} << 8 | static_cast<std::uint64_t>(step));
}

void TieredNetwork::fire(Cycle now, std::uint64_t token) {
  const auto slot = static_cast<std::uint32_t>(token >> 32);
  const auto chip = static_cast<unsigned>(token >> 8 & 0xFFFFFF);
  switch (static_cast<Step>(token & 0xFF)) {
    case Step::kLeave: {
      Gateway& gateway = chips_[chip]->gateway;
      ready_[slot] = to_dram_.up(now);
      if (packets_[slot].order.kind == SwitchOrder::Kind::kReduce)
        return contribute(slot, chip, now);
      gateway.leaving.push_back(slot);
      stats_.most_leaving = std::max(stats_.most_leaving, gateway.leaving.size());
      if (!gateway.departing) depart(chip, now);
      return;
    }
    case Step::kDepart:
      chips_[chip]->gateway.departing = false;
      free_place_out(chip, now);
      return depart(chip, now);
    case Step::kCombine:
      for (const unsigned unit : combiners_[chip / chips_of_rank_].units)
        free_place_to_combine(unit, now);
      combiners_[chip / chips_of_rank_].departing = false;
      return combine(chip / chips_of_rank_, now);
    case Step::kBuffered: {
      Buffer& buffer = buffers_[chip / chips_of_rank_];
      buffer.waiting.push_back(slot);
      stats_.most_in_buffer = std::max(stats_.most_in_buffer, buffer.waiting.size());
      if (!buffer.sending) send(chip / chips_of_rank_, now);
      return;
    }
    case Step::kSend:
      buffers_[chip / chips_of_rank_].sending = false;
      ++buffers_[chip / chips_of_rank_].places;
      if (!waiters_.empty()) give_places(now);
      return send(chip / chips_of_rank_, now);
    case Step::kOffer:
      return ask_places({.who = Waiter::Who::kHost, .number = slot, .chips = {chip}}, now);
    case Step::kEnter: {
      --between_chips_;
      std::deque<std::uint32_t>& entering = chips_[chip]->gateway.entering;
      entering.push_back(slot);
      stats_.most_queued = std::max(stats_.most_queued, entering.size());
      return enter(chip, now);
    }
    case Step::kPlace:
      return enter(chip, now);
  }
}

std::uint64_t TieredNetwork::bytes_of(std::uint32_t slot) const {
  return std::uint64_t{config_.flit_bytes} *
         RankMesh::flits(static_cast<std::uint32_t>(packets_[slot].payload.size()),
                         config_.flit_bytes);
}

/// The first packet at the gateway of its chip asks for the pins, to another chip of the rank or to
/// the buffer of the rank.
void TieredNetwork::depart(unsigned chip, Cycle now) {
  Gateway& gateway = chips_[chip]->gateway;
  if (gateway.leaving.empty()) return;
  gateway.departing = true;
  const Packet& packet = packets_[gateway.leaving.front()];
  const unsigned rank = chip / chips_of_rank_;
  Waiter waiter{.who = Waiter::Who::kGateway, .number = chip};
  if (packet.destination / banks_ / chips_of_rank_ == rank) {
    waiter.chips = receivers(packet);
  } else {
    waiter.buffer = rank;
  }
  ask_places(std::move(waiter), now);
}

void TieredNetwork::depart_now(unsigned chip, Cycle now) {
  using ddr::Direction;
  Gateway& gateway = chips_[chip]->gateway;
  const std::uint32_t slot = gateway.leaving.front();
  gateway.leaving.pop_front();
  const unsigned to = packets_[slot].destination / banks_;
  const unsigned rank = chip / chips_of_rank_;
  const unsigned source = chip % chips_of_rank_;
  const std::uint64_t bytes = bytes_of(slot);
  MemoryChannel::Rank& pins = channels_.rank(rank);
  const MemCycle earliest = std::max({ready_[slot], gateway.pins_free, to_dram_.down(now)});
  MemCycle begin = 0;
  if (to / chips_of_rank_ == rank) {
    begin = cross(slot, chip, earliest, now);
    gateway.pins_free = begin + pins.lanes.cycles_of(bytes);
  } else {
    begin = pins.lanes.ready(source, Direction::kFromChip, earliest);
    gateway.pins_free = pins.lanes.take(source, Direction::kFromChip, bytes, begin).end;
    post(std::max(to_logic_.down(gateway.pins_free), now + 1), chip, Step::kBuffered, slot);
  }
  stats_.waited_to_leave += begin - ready_[slot];
  ready_[slot] = gateway.pins_free;
  post(std::max(to_logic_.down(gateway.pins_free), now + 1), chip, Step::kDepart, 0);
}

MemCycle TieredNetwork::cross(std::uint32_t slot, unsigned chip, MemCycle earliest, Cycle now) {
  const Packet packet = packets_[slot];
  const std::uint64_t bytes = bytes_of(slot);
  switching::InterChipSwitch& crossbar = channels_.rank(chip / chips_of_rank_).crossbar;
  const unsigned source = chip % chips_of_rank_;
  const unsigned first_chip = chip - source;
  ++stats_.packets_between_chips;
  stats_.bytes_between_chips += bytes;
  if (packet.order.kind == SwitchOrder::Kind::kPass) {
    const unsigned to = packet.destination / banks_;
    const auto transfer = crossbar.transfer(source, to - first_chip, bytes, earliest);
    post(std::max(to_logic_.up(transfer.arrived), now + 1), to, Step::kEnter, slot);
    return transfer.begin;
  }
  std::vector<unsigned> chips;
  for (unsigned c = 0; c < chips_of_rank_; ++c) {
    if ((packet.order.to_chips >> c & 1) != 0) chips.push_back(c);
  }
  const auto transfer = crossbar.multicast(source, chips, bytes, earliest);
  ++stats_.multicasts;
  between_chips_ += chips.size() - 1;
  for (const unsigned c : chips) {
    Packet copy = packet;
    copy.destination = peer(packet.source, c);
    copy.tag = endpoint_of(packet.source).tag_of_copy(packet, copy.destination);
    const bool last = c == chips.back();
    const std::uint32_t own = last ? slot : keep(copy);
    packets_[own] = copy;
    post(std::max(to_logic_.up(transfer.arrived), now + 1), first_chip + c, Step::kEnter, own);
  }
  return transfer.begin;
}

/// Waits beside the queue of its gateway: nothing behind it waits for other chips.
void TieredNetwork::contribute(std::uint32_t slot, unsigned chip, Cycle now) {
  const unsigned rank = chip / chips_of_rank_;
  Combiner& combiner = combiners_[rank];
  auto complete = combiner.reductions.add(chip % chips_of_rank_, packets_[slot].source % banks_,
                                          slot, packets_[slot], ready_[slot]);
  stats_.most_to_combine = std::max(stats_.most_to_combine, combiner.reductions.waiting());
  if (!complete) return;
  combiner.complete.push_back(std::move(*complete));
  if (!combiner.departing) combine(rank, now);
}

/// The first reduction that is complete asks for the pins of all its chips.
void TieredNetwork::combine(unsigned rank, Cycle now) {
  Combiner& combiner = combiners_[rank];
  if (combiner.complete.empty()) return;
  combiner.departing = true;
  const std::uint32_t slot = combiner.complete.front().slots.front();
  ask_places({.who = Waiter::Who::kCombiner, .number = rank, .chips = receivers(packets_[slot])},
             now);
}

void TieredNetwork::combine_now(unsigned rank, Cycle now) {
  Combiner& combiner = combiners_[rank];
  const Reductions::Reduction reduction = std::move(combiner.complete.front());
  combiner.complete.pop_front();
  combiner.units.clear();
  for (const std::uint32_t slot : reduction.slots) combiner.units.push_back(packets_[slot].source);
  std::vector<unsigned> to;
  for (const unsigned c : reduction.chips) {
    if ((reduction.order.to_chips >> c & 1) != 0) to.push_back(c);
  }
  MemoryChannel::Rank& pins = channels_.rank(rank);
  const std::uint64_t bytes = bytes_of(reduction.slots.front());
  const MemCycle earliest = std::max({reduction.ready, combiner.pins_free, to_dram_.down(now)});
  const auto transfer =
      pins.crossbar.reduce(reduction.chips, to, bytes, config_.switch_reduce_cycles, earliest);
  ++stats_.reductions;
  stats_.packets_between_chips += reduction.chips.size();
  stats_.bytes_between_chips += bytes * reduction.chips.size();
  for (const std::uint32_t slot : reduction.slots)
    stats_.waited_to_leave += transfer.begin - ready_[slot];
  combiner.pins_free = transfer.begin + pins.lanes.cycles_of(bytes);
  give_results(reduction, rank, transfer.arrived, now);
  post(std::max(to_logic_.down(combiner.pins_free), now + 1), rank * chips_of_rank_, Step::kCombine,
       0);
}

void TieredNetwork::give_results(const Reductions::Reduction& reduction, unsigned rank,
                                 MemCycle arrived, Cycle now) {
  const switching::Reducer reducer = reducer_of(reduction.order);
  const std::span<const std::uint8_t> first = packets_[reduction.slots.front()].payload;
  std::vector<std::uint8_t> result(first.begin(), first.end());
  for (std::size_t i = 1; i < reduction.slots.size(); ++i)
    reducer.combine(result, packets_[reduction.slots[i]].payload);
  for (std::size_t i = 0; i < reduction.slots.size(); ++i) {
    const std::uint32_t slot = reduction.slots[i];
    const unsigned chip = rank * chips_of_rank_ + reduction.chips[i];
    NetworkEndpoint& endpoint = endpoint_of(packets_[slot].source);
    if ((reduction.order.to_chips >> reduction.chips[i] & 1) != 0) {
      endpoint.combined(packets_[slot], result);
      post(std::max(to_logic_.up(arrived), now + 1), chip, Step::kEnter, slot);
    } else {
      --between_chips_;
      endpoint.absorbed(take(slot));
    }
  }
}

std::string TieredNetwork::refusal(unsigned unit, const SwitchOrder& order) const {
  const unsigned own = unit / banks_ % chips_of_rank_;
  const std::uint32_t chips = chips_of_rank_ < 32 ? (1U << chips_of_rank_) - 1 : ~0U;
  const std::string known = "chips 0 to " + std::to_string(chips_of_rank_ - 1) + " of the rank";
  if (mesh(0).is_scheduled()) return "the switch has no part in a static schedule";
  if (order.to_chips == 0 || (order.to_chips & ~chips) != 0)
    return "expected receivers among " + known;
  const bool receives = (order.to_chips >> own & 1) != 0;
  if (order.kind == SwitchOrder::Kind::kMulticast)
    return receives ? "expected receivers other than the own chip" : "";
  if ((order.from_chips >> own & 1) == 0 || (order.from_chips & ~chips) != 0)
    return "expected the own chip and others among " + known;
  if ((order.to_chips & ~order.from_chips) != 0)
    return "expected chips that send something among the receivers";
  if (!config_.dq_halves)
    return "a chip that sends and receives in the same beats needs pim.dq_halves=true";
  return "";
}

unsigned TieredNetwork::peer(unsigned unit, unsigned chip) const {
  const unsigned first_chip = unit / banks_ / chips_of_rank_ * chips_of_rank_;
  return (first_chip + chip) * banks_ + unit % banks_;
}

/// The first packet in the buffer of a rank gets the bus once the controller has granted it with a
/// PIM command. Or PIM words are the packet, if it is for a rank of this channel.
void TieredNetwork::send(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  if (buffer.waiting.empty()) return;
  buffer.sending = true;
  const unsigned to = packets_[buffer.waiting.front()].destination / banks_;
  Waiter waiter{.who = Waiter::Who::kBuffer, .number = rank};
  // The memory of the host has room for what goes on to other channels.
  if (to / chips_of_rank_ / ranks_of_channel_ == rank / ranks_of_channel_) waiter.chips = {to};
  ask_places(std::move(waiter), now);
}

void TieredNetwork::send_now(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  const std::uint32_t slot = buffer.waiting.front();
  buffer.waiting.pop_front();
  const unsigned target_rank = packets_[slot].destination / banks_ / chips_of_rank_;
  const unsigned number = rank / ranks_of_channel_;
  const bool stays = target_rank / ranks_of_channel_ == number;
  MemoryChannel& channel = channels_[number];
  const std::uint64_t bytes = bytes_of(slot);
  const MemCycle earliest = std::max(ready_[slot], to_dram_.down(now));
  MemCycle there = 0;
  MemCycle first = 0;
  if (stays && as_commands_ && bytes <= config_.mailbox_bytes) {
    there = channel.control.carry(rank % ranks_of_channel_, 1U << target_rank % ranks_of_channel_,
                                  bytes, earliest);
    first = there;
    ++stats_.packets_as_commands;
  } else {
    const MemCycle granted =
        channel.commands.issue_pim(kBusWords, earliest + config_.bus_request_cycles) + kBusWords;
    const auto span = channel.take_data(rank % ranks_of_channel_, bytes, granted);
    there = span.end;
    first = span.begin;
  }
  stats_.waited_in_buffer += first - ready_[slot];
  if (stays) {
    ++stats_.packets_between_ranks;
    stats_.bytes_between_ranks += bytes;
    arrive(slot, there, now);
  } else {
    const Packet& packet = packets_[slot];
    ++stats_.packets_between_channels;
    const unsigned levels = channels_.levels_between(packet.source, packet.destination);
    ready_[slot] = host_.forward(number, levels, bytes, there);
    post(std::max(to_logic_.down(ready_[slot]), now + 1), packet.destination / banks_, Step::kOffer,
         slot);
  }
  // The request of the next one may be under way while the data of this one are.
  const MemCycle ahead = config_.bus_request_cycles + kBusWords;
  post(std::max(to_logic_.down(there - std::min(there, ahead)), now + 1), rank * chips_of_rank_,
       Step::kSend, 0);
}

/// The host writes a packet on the bus of the channel that it is for. A controller asks nobody, but
/// it says with a PIM command whose data these are.
void TieredNetwork::offer(std::uint32_t slot, Cycle now) {
  const unsigned rank = packets_[slot].destination / banks_ / chips_of_rank_;
  MemoryChannel& channel = channels_[rank / ranks_of_channel_];
  const MemCycle earliest = std::max(ready_[slot], to_dram_.down(now));
  const MemCycle announced = channel.commands.issue_pim(kBusWords, earliest) + kBusWords;
  const auto span = channel.take_data(rank % ranks_of_channel_, bytes_of(slot), announced,
                                      ddr::Direction::kToChip);
  arrive(slot, span.end, now);
}

/// From the buffer of its rank, where a packet is complete at `at_buffer`, over the pins of the
/// chip that it is for.
void TieredNetwork::arrive(std::uint32_t slot, MemCycle at_buffer, Cycle now) {
  using ddr::Direction;
  const unsigned chip = packets_[slot].destination / banks_;
  ddr::DqLanes& in = channels_.rank(chip / chips_of_rank_).lanes;
  const unsigned pins = chip % chips_of_rank_;
  const MemCycle enters = in.ready(pins, Direction::kToChip, at_buffer + config_.switch_cycles);
  const MemCycle arrived = in.take(pins, Direction::kToChip, bytes_of(slot), enters).end;
  post(std::max(to_logic_.up(arrived), now + 1), chip, Step::kEnter, slot);
}

/// Packets from outside go into the mesh of a chip while there are places.
void TieredNetwork::enter(unsigned number, Cycle now) {
  Chip& chip = *chips_[number];
  std::deque<std::uint32_t>& entering = chip.gateway.entering;
  bool freed = false;
  while (!entering.empty() && chip.mesh->injection_credits(chip.gateway_endpoint) > 0) {
    const std::uint32_t slot = entering.front();
    entering.pop_front();
    put(slot, number, chip.gateway_endpoint, packets_[slot].destination % banks_, now);
    ++chip.gateway.places_in;
    freed = true;
  }
  if (freed && !waiters_.empty()) give_places(now);
}

/// Those of the meshes chip by chip, with the link into its gateway behind those of its chip.
void TieredNetwork::scheduled_route(unsigned source, unsigned destination,
                                    std::vector<std::uint32_t>& links) const {
  links.clear();
  if (!mesh(0).is_scheduled()) return;
  const std::uint32_t gateway_in = banks_ * mesh::kPorts;
  std::vector<std::uint32_t> part;
  const auto add = [&](unsigned chip, unsigned from, unsigned to) {
    mesh(chip).route(from, to, part);
    for (const std::uint32_t link : part) links.push_back(chip * (gateway_in + 1) + link);
  };
  const unsigned from = source / banks_;
  const unsigned to = destination / banks_;
  if (from == to) return add(from, source % banks_, destination % banks_);
  add(from, source % banks_, chips_[from]->gateway_endpoint);
  links.push_back(to * (gateway_in + 1) + gateway_in);
  add(to, chips_[to]->gateway_endpoint, destination % banks_);
}

void TieredNetwork::check_conservation() const {
  std::uint64_t inside = 0;
  for (const auto& chip : chips_) {
    chip->mesh->check_conservation();
    inside += chip->mesh->in_flight() + chip->gateway.entering.size();
  }
  const std::uint64_t kept = packets_.size() - free_.size();
  if (kept == inside + between_chips_) return;
  throw Fault(FaultKind::kInternal, "pim",
              std::to_string(kept) + " packets are under way, of them " + std::to_string(inside) +
                  " in chips and " + std::to_string(between_chips_) + " between them");
}

void TieredNetwork::check_at_end() const {
  for (const auto& chip : chips_) chip->mesh->check_at_end();
  if (free_.size() == packets_.size()) return;
  throw Fault(FaultKind::kInternal, "pim",
              std::to_string(packets_.size() - free_.size()) +
                  " packets left their chip and reached no other");
}

}  // namespace tvp::pim
