#include "models/pim/network/rank_switch.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tvp::pim {

using dram::MemCycle;
using support::Cycle;
using Step = TierEvents::Step;
using Who = TierCredits::Request::Who;

RankSwitch::RankSwitch(const TierContext& tiers, unsigned chips)
    : tiers_(tiers), gateways_(chips), combiners_(tiers.geometry.rank_of(chips)) {}

void RankSwitch::leave(unsigned chip, std::uint32_t slot, Cycle now) {
  tiers_.packets.ready(slot) = tiers_.events.up(now);
  if (tiers_.packets[slot].order.kind == SwitchOrder::Kind::kReduce)
    return contribute(slot, chip, now);
  Gateway& gateway = gateways_[chip];
  gateway.leaving.push_back(slot);
  tiers_.stats.most_leaving = std::max(tiers_.stats.most_leaving, gateway.leaving.size());
  if (!gateway.departing) ask_to_depart(chip, now);
}

void RankSwitch::departed(unsigned chip, Cycle now) {
  gateways_[chip].departing = false;
  tiers_.credits.return_out(chip, now);
  ask_to_depart(chip, now);
}

void RankSwitch::combined(unsigned rank, Cycle now) {
  for (const unsigned unit : combiners_[rank].units) tiers_.credits.return_to_combine(unit, now);
  combiners_[rank].departing = false;
  ask_to_combine(rank, now);
}

/// The first packet at the gateway of its chip requests the pins to another chip of the rank or to
/// the buffer of the rank.
void RankSwitch::ask_to_depart(unsigned chip, Cycle now) {
  Gateway& gateway = gateways_[chip];
  if (gateway.leaving.empty()) return;
  gateway.departing = true;
  const Packet& packet = tiers_.packets[gateway.leaving.front()];
  const unsigned rank = tiers_.geometry.rank_of(chip);
  TierCredits::Request request{.who = Who::kGateway, .number = chip};
  if (tiers_.geometry.rank_of_unit(packet.destination) == rank) {
    request.chips = receivers(packet);
  } else {
    request.buffer = rank;
  }
  tiers_.credits.ask(std::move(request), now);
}

void RankSwitch::depart(unsigned chip, Cycle now) {
  using ddr::Direction;
  Gateway& gateway = gateways_[chip];
  const std::uint32_t slot = gateway.leaving.front();
  gateway.leaving.pop_front();
  const unsigned rank = tiers_.geometry.rank_of(chip);
  const unsigned source = tiers_.geometry.in_rank(chip);
  const std::uint64_t bytes = tiers_.packets.bytes_of(slot);
  ddr::DqLanes& lanes = tiers_.channels.rank(rank).lanes;
  const MemCycle ready = tiers_.packets.ready(slot);
  const MemCycle earliest = std::max({ready, gateway.pins_free, tiers_.events.down(now)});
  MemCycle begin = 0;
  if (tiers_.geometry.rank_of_unit(tiers_.packets[slot].destination) == rank) {
    begin = cross(slot, chip, earliest, now);
    gateway.pins_free = begin + lanes.cycles_of(bytes);
  } else {
    begin = lanes.ready(source, Direction::kFromChip, earliest);
    gateway.pins_free = lanes.take(source, Direction::kFromChip, bytes, begin).end;
    tiers_.events.post_in(gateway.pins_free, now, {Step::kBuffered, chip, slot});
  }
  tiers_.stats.waited_to_leave += begin - ready;
  tiers_.packets.ready(slot) = gateway.pins_free;
  tiers_.events.post_in(gateway.pins_free, now, {Step::kDepart, chip, 0});
}

/// Sends to one or more chips of the rank. Returns the cycle of the first beat.
MemCycle RankSwitch::cross(std::uint32_t slot, unsigned chip, MemCycle earliest, Cycle now) {
  const std::uint64_t bytes = tiers_.packets.bytes_of(slot);
  ++tiers_.stats.packets_between_chips;
  tiers_.stats.bytes_between_chips += bytes;
  if (tiers_.packets[slot].order.kind != SwitchOrder::Kind::kPass) {
    return multicast(slot, chip, earliest, now);
  }
  const unsigned to = tiers_.geometry.chip_of(tiers_.packets[slot].destination);
  const auto transfer = tiers_.channels.rank(tiers_.geometry.rank_of(chip))
                            .crossbar.transfer(tiers_.geometry.in_rank(chip),
                                               tiers_.geometry.in_rank(to), bytes, earliest);
  tiers_.events.post_from(transfer.arrived, now, {Step::kEnter, to, slot});
  return transfer.begin;
}

MemCycle RankSwitch::multicast(std::uint32_t slot, unsigned chip, MemCycle earliest, Cycle now) {
  const Packet packet = tiers_.packets[slot];
  const unsigned rank = tiers_.geometry.rank_of(chip);
  std::vector<unsigned> chips;
  for (unsigned c = 0; c < tiers_.geometry.chips_of_rank; ++c) {
    if ((packet.order.to_chips >> c & 1) != 0) chips.push_back(c);
  }
  const auto transfer = tiers_.channels.rank(rank).crossbar.multicast(
      tiers_.geometry.in_rank(chip), chips, tiers_.packets.bytes_of(slot), earliest);
  ++tiers_.stats.multicasts;
  tiers_.packets.leave_chip(chips.size() - 1);
  for (const unsigned c : chips) {
    Packet copy = packet;
    copy.destination = tiers_.geometry.peer(packet.source, c);
    copy.tag = tiers_.endpoints[packet.source]->tag_of_copy(packet, copy.destination);
    copy.payload = tiers_.endpoints[packet.source]->payload_of_copy(copy);
    const bool last = c == chips.back();
    const std::uint32_t own = last ? slot : tiers_.packets.keep(copy);
    tiers_.packets[own] = copy;
    tiers_.events.post_from(transfer.arrived, now,
                            {Step::kEnter, tiers_.geometry.first_chip(rank) + c, own});
  }
  return transfer.begin;
}

std::vector<unsigned> RankSwitch::receivers(const Packet& packet) const {
  if (packet.order.kind == SwitchOrder::Kind::kPass)
    return {tiers_.geometry.chip_of(packet.destination)};
  std::vector<unsigned> list;
  for (std::uint32_t left = packet.order.to_chips; left != 0; left &= left - 1) {
    const auto chip = static_cast<unsigned>(std::countr_zero(left));
    list.push_back(tiers_.geometry.chip_of(tiers_.geometry.peer(packet.source, chip)));
  }
  return list;
}

/// The packet waits beside the queue of its gateway, so packets behind it do not wait for other
/// chips.
void RankSwitch::contribute(std::uint32_t slot, unsigned chip, Cycle now) {
  const unsigned rank = tiers_.geometry.rank_of(chip);
  Combiner& combiner = combiners_[rank];
  auto complete = combiner.reductions.add(tiers_.geometry.in_rank(chip),
                                          tiers_.geometry.bank_of(tiers_.packets[slot].source),
                                          slot, tiers_.packets[slot], tiers_.packets.ready(slot));
  tiers_.stats.most_to_combine =
      std::max(tiers_.stats.most_to_combine, combiner.reductions.waiting());
  if (!complete) return;
  combiner.complete.push_back(std::move(*complete));
  if (!combiner.departing) ask_to_combine(rank, now);
}

/// The first complete reduction requests the pins of all its chips.
void RankSwitch::ask_to_combine(unsigned rank, Cycle now) {
  Combiner& combiner = combiners_[rank];
  if (combiner.complete.empty()) return;
  combiner.departing = true;
  const std::uint32_t slot = combiner.complete.front().slots.front();
  tiers_.credits.ask(
      {.who = Who::kCombiner, .number = rank, .chips = receivers(tiers_.packets[slot])}, now);
}

void RankSwitch::combine(unsigned rank, Cycle now) {
  Combiner& combiner = combiners_[rank];
  const PendingReductions::Reduction reduction = std::move(combiner.complete.front());
  combiner.complete.pop_front();
  combiner.units.clear();
  for (const std::uint32_t slot : reduction.slots)
    combiner.units.push_back(tiers_.packets[slot].source);
  std::vector<unsigned> to;
  for (const unsigned c : reduction.chips) {
    if ((reduction.order.to_chips >> c & 1) != 0) to.push_back(c);
  }
  MemoryChannel::Rank& pins = tiers_.channels.rank(rank);
  const std::uint64_t bytes = tiers_.packets.bytes_of(reduction.slots.front());
  const MemCycle earliest =
      std::max({reduction.ready, combiner.pins_free, tiers_.events.down(now)});
  const auto transfer = pins.crossbar.reduce(reduction.chips, to, bytes,
                                             tiers_.config.switch_reduce_cycles, earliest);
  ++tiers_.stats.reductions;
  tiers_.stats.packets_between_chips += reduction.chips.size();
  tiers_.stats.bytes_between_chips += bytes * reduction.chips.size();
  for (const std::uint32_t slot : reduction.slots) {
    tiers_.stats.waited_to_leave += transfer.begin - tiers_.packets.ready(slot);
  }
  combiner.pins_free = transfer.begin + pins.lanes.cycles_of(bytes);
  give_results(reduction, rank, transfer.arrived, now);
  tiers_.events.post_in(combiner.pins_free, now,
                        {Step::kCombine, tiers_.geometry.first_chip(rank), 0});
}

void RankSwitch::give_results(const PendingReductions::Reduction& reduction, unsigned rank,
                              MemCycle arrived, Cycle now) {
  const switching::Reducer reducer = reducer_of(reduction.order);
  const std::span<const std::uint8_t> first = tiers_.packets[reduction.slots.front()].payload;
  std::vector<std::uint8_t> result(first.begin(), first.end());
  for (std::size_t i = 1; i < reduction.slots.size(); ++i) {
    reducer.combine(result, tiers_.packets[reduction.slots[i]].payload);
  }
  for (std::size_t i = 0; i < reduction.slots.size(); ++i) {
    const std::uint32_t slot = reduction.slots[i];
    NetworkEndpoint& endpoint = *tiers_.endpoints[tiers_.packets[slot].source];
    if ((reduction.order.to_chips >> reduction.chips[i] & 1) != 0) {
      endpoint.combined(tiers_.packets[slot], result);
      tiers_.events.post_from(
          arrived, now,
          {Step::kEnter, tiers_.geometry.first_chip(rank) + reduction.chips[i], slot});
    } else {
      tiers_.packets.enter_chip();
      endpoint.absorbed(tiers_.packets.take(slot));
    }
  }
}

std::string RankSwitch::refusal(unsigned unit, const SwitchOrder& order) const {
  const unsigned own = tiers_.geometry.in_rank(tiers_.geometry.chip_of(unit));
  const unsigned count = tiers_.geometry.chips_of_rank;
  const std::uint32_t chips = count < 32 ? (1U << count) - 1 : ~0U;
  const std::string known = "chips 0 to " + std::to_string(count - 1) + " of the rank";
  if (order.ranges) return "expected one bit for each of " + known;
  if (order.to_chips == 0 || (order.to_chips & ~chips) != 0)
    return "expected receivers among " + known;
  const bool receives = (order.to_chips >> own & 1) != 0;
  if (order.kind == SwitchOrder::Kind::kMulticast)
    return receives ? "expected receivers other than the own chip" : "";
  if ((order.from_chips >> own & 1) == 0 || (order.from_chips & ~chips) != 0)
    return "expected the own chip and others among " + known;
  if ((order.to_chips & ~order.from_chips) != 0)
    return "expected chips that send something among the receivers";
  if (!tiers_.config.dq_halves)
    return "a chip that sends and receives in the same beats needs pim.dq_halves=true";
  return "";
}

}  // namespace tvp::pim
