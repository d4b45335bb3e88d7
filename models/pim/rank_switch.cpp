#include "models/pim/rank_switch.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tvp::pim {

using dram::MemCycle;
using support::Cycle;
using Step = TierEvents::Step;
using Who = TierCredits::Request::Who;

RankSwitch::RankSwitch(const Environment& environment, unsigned chips)
    : config_(environment.config),
      geometry_(environment.geometry),
      channels_(environment.channels),
      packets_(environment.packets),
      events_(environment.events),
      credits_(environment.credits),
      stats_(environment.stats),
      endpoints_(environment.endpoints),
      gateways_(chips),
      combiners_(geometry_.rank_of(chips)) {}

void RankSwitch::leave(unsigned chip, std::uint32_t slot, Cycle now) {
  packets_.ready(slot) = events_.up(now);
  if (packets_[slot].order.kind == SwitchOrder::Kind::kReduce) return contribute(slot, chip, now);
  Gateway& gateway = gateways_[chip];
  gateway.leaving.push_back(slot);
  stats_.most_leaving = std::max(stats_.most_leaving, gateway.leaving.size());
  if (!gateway.departing) ask_to_depart(chip, now);
}

void RankSwitch::departed(unsigned chip, Cycle now) {
  gateways_[chip].departing = false;
  credits_.return_out(chip, now);
  ask_to_depart(chip, now);
}

void RankSwitch::combined(unsigned rank, Cycle now) {
  for (const unsigned unit : combiners_[rank].units) credits_.return_to_combine(unit, now);
  combiners_[rank].departing = false;
  ask_to_combine(rank, now);
}

/// The first packet at the gateway of its chip asks for the pins, to another chip of the rank or to
/// the buffer of the rank.
void RankSwitch::ask_to_depart(unsigned chip, Cycle now) {
  Gateway& gateway = gateways_[chip];
  if (gateway.leaving.empty()) return;
  gateway.departing = true;
  const Packet& packet = packets_[gateway.leaving.front()];
  const unsigned rank = geometry_.rank_of(chip);
  TierCredits::Request request{.who = Who::kGateway, .number = chip};
  if (geometry_.rank_of_unit(packet.destination) == rank) {
    request.chips = receivers(packet);
  } else {
    request.buffer = rank;
  }
  credits_.ask(std::move(request), now);
}

void RankSwitch::depart(unsigned chip, Cycle now) {
  using ddr::Direction;
  Gateway& gateway = gateways_[chip];
  const std::uint32_t slot = gateway.leaving.front();
  gateway.leaving.pop_front();
  const unsigned rank = geometry_.rank_of(chip);
  const unsigned source = geometry_.in_rank(chip);
  const std::uint64_t bytes = packets_.bytes_of(slot);
  ddr::DqLanes& lanes = channels_.rank(rank).lanes;
  const MemCycle ready = packets_.ready(slot);
  const MemCycle earliest = std::max({ready, gateway.pins_free, events_.down(now)});
  MemCycle begin = 0;
  if (geometry_.rank_of_unit(packets_[slot].destination) == rank) {
    begin = cross(slot, chip, earliest, now);
    gateway.pins_free = begin + lanes.cycles_of(bytes);
  } else {
    begin = lanes.ready(source, Direction::kFromChip, earliest);
    gateway.pins_free = lanes.take(source, Direction::kFromChip, bytes, begin).end;
    events_.post_in(gateway.pins_free, now, {Step::kBuffered, chip, slot});
  }
  stats_.waited_to_leave += begin - ready;
  packets_.ready(slot) = gateway.pins_free;
  events_.post_in(gateway.pins_free, now, {Step::kDepart, chip, 0});
}

/// To one or more chips of the rank; returns when the first beat leaves.
MemCycle RankSwitch::cross(std::uint32_t slot, unsigned chip, MemCycle earliest, Cycle now) {
  const std::uint64_t bytes = packets_.bytes_of(slot);
  ++stats_.packets_between_chips;
  stats_.bytes_between_chips += bytes;
  if (packets_[slot].order.kind != SwitchOrder::Kind::kPass) {
    return multicast(slot, chip, earliest, now);
  }
  const unsigned to = geometry_.chip_of(packets_[slot].destination);
  const auto transfer =
      channels_.rank(geometry_.rank_of(chip))
          .crossbar.transfer(geometry_.in_rank(chip), geometry_.in_rank(to), bytes, earliest);
  events_.post_from(transfer.arrived, now, {Step::kEnter, to, slot});
  return transfer.begin;
}

MemCycle RankSwitch::multicast(std::uint32_t slot, unsigned chip, MemCycle earliest, Cycle now) {
  const Packet packet = packets_[slot];
  const unsigned rank = geometry_.rank_of(chip);
  std::vector<unsigned> chips;
  for (unsigned c = 0; c < geometry_.chips_of_rank; ++c) {
    if ((packet.order.to_chips >> c & 1) != 0) chips.push_back(c);
  }
  const auto transfer = channels_.rank(rank).crossbar.multicast(geometry_.in_rank(chip), chips,
                                                                packets_.bytes_of(slot), earliest);
  ++stats_.multicasts;
  packets_.leave_chip(chips.size() - 1);
  for (const unsigned c : chips) {
    Packet copy = packet;
    copy.destination = geometry_.peer(packet.source, c);
    copy.tag = endpoints_[packet.source]->tag_of_copy(packet, copy.destination);
    const bool last = c == chips.back();
    const std::uint32_t own = last ? slot : packets_.keep(copy);
    packets_[own] = copy;
    events_.post_from(transfer.arrived, now, {Step::kEnter, geometry_.first_chip(rank) + c, own});
  }
  return transfer.begin;
}

/// Chips that get a packet which stays in its rank.
std::vector<unsigned> RankSwitch::receivers(const Packet& packet) const {
  if (packet.order.kind == SwitchOrder::Kind::kPass) return {geometry_.chip_of(packet.destination)};
  std::vector<unsigned> list;
  for (std::uint32_t left = packet.order.to_chips; left != 0; left &= left - 1) {
    const auto chip = static_cast<unsigned>(std::countr_zero(left));
    list.push_back(geometry_.chip_of(geometry_.peer(packet.source, chip)));
  }
  return list;
}

/// Waits beside the queue of its gateway: nothing behind it waits for other chips.
void RankSwitch::contribute(std::uint32_t slot, unsigned chip, Cycle now) {
  const unsigned rank = geometry_.rank_of(chip);
  Combiner& combiner = combiners_[rank];
  auto complete =
      combiner.reductions.add(geometry_.in_rank(chip), geometry_.bank_of(packets_[slot].source),
                              slot, packets_[slot], packets_.ready(slot));
  stats_.most_to_combine = std::max(stats_.most_to_combine, combiner.reductions.waiting());
  if (!complete) return;
  combiner.complete.push_back(std::move(*complete));
  if (!combiner.departing) ask_to_combine(rank, now);
}

/// The first reduction that is complete asks for the pins of all its chips.
void RankSwitch::ask_to_combine(unsigned rank, Cycle now) {
  Combiner& combiner = combiners_[rank];
  if (combiner.complete.empty()) return;
  combiner.departing = true;
  const std::uint32_t slot = combiner.complete.front().slots.front();
  credits_.ask({.who = Who::kCombiner, .number = rank, .chips = receivers(packets_[slot])}, now);
}

void RankSwitch::combine(unsigned rank, Cycle now) {
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
  const std::uint64_t bytes = packets_.bytes_of(reduction.slots.front());
  const MemCycle earliest = std::max({reduction.ready, combiner.pins_free, events_.down(now)});
  const auto transfer =
      pins.crossbar.reduce(reduction.chips, to, bytes, config_.switch_reduce_cycles, earliest);
  ++stats_.reductions;
  stats_.packets_between_chips += reduction.chips.size();
  stats_.bytes_between_chips += bytes * reduction.chips.size();
  for (const std::uint32_t slot : reduction.slots) {
    stats_.waited_to_leave += transfer.begin - packets_.ready(slot);
  }
  combiner.pins_free = transfer.begin + pins.lanes.cycles_of(bytes);
  give_results(reduction, rank, transfer.arrived, now);
  events_.post_in(combiner.pins_free, now, {Step::kCombine, geometry_.first_chip(rank), 0});
}

void RankSwitch::give_results(const Reductions::Reduction& reduction, unsigned rank,
                              MemCycle arrived, Cycle now) {
  const switching::Reducer reducer = reducer_of(reduction.order);
  const std::span<const std::uint8_t> first = packets_[reduction.slots.front()].payload;
  std::vector<std::uint8_t> result(first.begin(), first.end());
  for (std::size_t i = 1; i < reduction.slots.size(); ++i) {
    reducer.combine(result, packets_[reduction.slots[i]].payload);
  }
  for (std::size_t i = 0; i < reduction.slots.size(); ++i) {
    const std::uint32_t slot = reduction.slots[i];
    NetworkEndpoint& endpoint = *endpoints_[packets_[slot].source];
    if ((reduction.order.to_chips >> reduction.chips[i] & 1) != 0) {
      endpoint.combined(packets_[slot], result);
      events_.post_from(arrived, now,
                        {Step::kEnter, geometry_.first_chip(rank) + reduction.chips[i], slot});
    } else {
      packets_.enter_chip();
      endpoint.absorbed(packets_.take(slot));
    }
  }
}

std::string RankSwitch::refusal(unsigned unit, const SwitchOrder& order) const {
  const unsigned own = geometry_.in_rank(geometry_.chip_of(unit));
  const unsigned count = geometry_.chips_of_rank;
  const std::uint32_t chips = count < 32 ? (1U << count) - 1 : ~0U;
  const std::string known = "chips 0 to " + std::to_string(count - 1) + " of the rank";
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

}  // namespace tvp::pim
