#include "models/pim/network/star_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"

namespace tvp::pim {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using switching::SwitchTree;

namespace {

StarNetwork::Ps ps_of(double ns) { return static_cast<StarNetwork::Ps>(std::llround(ns * 1000)); }

unsigned participants_of(const PimHierarchy& hierarchy) {
  if (hierarchy.units_within(0) == 1) return hierarchy.units();
  throw Fault(FaultKind::kDescription, "pim.hierarchy",
              "a star joins chips of one unit each: expected e.g. bank=1 chip=8 with "
              "pim.network=star");
}

}  // namespace

StarNetwork::StarNetwork(const PimConfig& config, const switching::SwitchConfig& switches,
                         const PimHierarchy& hierarchy, support::Calendar& calendar)
    : config_(config),
      switches_(switches),
      tree_(switches.tree.value(), participants_of(hierarchy)),
      faults_(switches.faults.value(), tree_),
      calendar_(calendar),
      clock_(foundation::Period::of_mhz(config.clock_mhz)),
      hop_(ps_of(switches.cut_through_ns)),
      alu_(ps_of(switches.alu_ns)),
      links_(std::size_t{2} * tree_.nodes()),
      endpoints_(tree_.participants(), nullptr),
      waits_to_inject_(tree_.participants(), false) {
  const double uplink = switches.uplink_gb_s == 0 ? switches.port_gb_s : switches.uplink_gb_s;
  for (unsigned node = 0; node < tree_.nodes(); ++node) {
    const unsigned parent = tree_.parent(node);
    const double gb_s = tree_.is_participant(node) ? switches.port_gb_s.value() : uplink;
    up(node).from = down(node).to = node;
    up(node).to = down(node).from = parent;
    up(node).ps_per_byte = down(node).ps_per_byte = 1000.0 / gb_s;
    if (tree_.is_participant(node)) continue;
    std::vector<Set> below;
    for (const unsigned child : tree_.children(node)) below.push_back(tree_.below(child));
    combiners_.emplace_back(std::move(below));
  }
}

std::string StarNetwork::name_of(const StarLink& link) const {
  const bool is_up = index(link) < tree_.nodes();
  return tree_.name_of(is_up ? link.from : link.to) + (is_up ? ".up" : ".down");
}

// --- Events.

Cycle StarNetwork::cycle_of(Ps ps, Cycle now) const {
  return std::max(now, clock_.edge_at_or_after(ps + 1) - 1);
}

Cycle StarNetwork::cycle_after(Ps ps, Cycle now) const {
  return std::max(now + 1, clock_.edge_at_or_after(ps));
}

void StarNetwork::post(Step step, StarLink& link, std::uint32_t what, Cycle when) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                  .block = static_cast<std::uint16_t>(index(link)),
                  .port = 5,  // behind the units' events
                  .sequence = link.posted++},
                 *this,
                 std::uint64_t{what} << 32 | std::uint64_t{index(link)} << 8 |
                     static_cast<std::uint64_t>(step));
}

void StarNetwork::fire(Cycle now, std::uint64_t token) {
  StarLink& link = links_[token >> 8 & 0xFFFFFF];
  const auto what = static_cast<std::uint32_t>(token >> 32);
  switch (static_cast<Step>(token & 0xFF)) {
    case Step::kArrive:
      return arrived(link.to, what, now);
    case Step::kDeliver:
      return deliver(link.to, what, now);
    case Step::kSent:
      return sent(link, what, now);
    case Step::kCredit:
      return credit(link, what, now);
  }
}

// --- Slots.

std::uint32_t StarNetwork::make(Parcel parcel) {
  if (free_parcels_.empty()) {
    parcels_.push_back(std::move(parcel));
    return static_cast<std::uint32_t>(parcels_.size() - 1);
  }
  const std::uint32_t number = free_parcels_.back();
  free_parcels_.pop_back();
  parcels_[number] = std::move(parcel);
  return number;
}

std::uint32_t& StarNetwork::slots_in_use(StarLink& link, const Parcel& parcel) {
  return parcel.is_operand ? link.used_by(parcel.group) : link.used;
}

bool StarNetwork::has_slot(StarLink& link, const Parcel& parcel) {
  if (tree_.is_participant(link.to)) return true;
  return slots_in_use(link, parcel) <
         (parcel.is_operand ? switches_.reduction_packets : switches_.buffer_packets);
}

/// A parcel has left its node. Its slot is free, and the other end of the link learns this a hop
/// later.
void StarNetwork::release(std::uint32_t number, Ps when, Cycle now) {
  Parcel& parcel = parcels_[number];
  if (parcel.in_link != kNoLink) {
    post(Step::kCredit, links_[parcel.in_link], parcel.is_operand ? parcel.group : 0,
         cycle_after(when + hop_, now));
  }
  for (const std::uint32_t operand : std::exchange(parcel.holds, {})) release(operand, when, now);
  parcels_[number] = {};
  free_parcels_.push_back(number);
}

void StarNetwork::credit(StarLink& link, std::uint32_t group, Cycle now) {
  --(group == 0 ? link.used : link.used_by(group));
  pump(link, now, clock_.time_ps(now));
  if (!tree_.is_participant(link.from) || !waits_to_inject_[link.from]) return;
  waits_to_inject_[link.from] = false;
  endpoints_[link.from]->injection_credit(now + 1);
}

// --- Participants.

bool StarNetwork::may_inject(const Packet& packet) {
  Parcel parcel;
  parcel.packet = packet;
  parcel.is_operand = packet.order.kind == SwitchOrder::Kind::kReduce;
  if (parcel.is_operand) parcel.group = group_of(set_of(packet.order, packet.order.from_chips));
  const bool may = has_slot(up(packet.source), parcel);
  if (!may) waits_to_inject_[packet.source] = true;
  return may;
}

void StarNetwork::inject(const Packet& packet, Cycle when) {
  Parcel parcel;
  parcel.state = Parcel::State::kLeaves;
  parcel.packet = packet;
  parcel.copies = 1;
  parcel.ready = parcel.whole = clock_.time_ps(when);
  switch (packet.order.kind) {
    case SwitchOrder::Kind::kPass:
      parcel.targets.set(packet.destination);
      break;
    case SwitchOrder::Kind::kMulticast:
      parcel.targets = targets(packet.source, packet.order);
      parcel.each = copies_of(packet);
      ++stats_.multicasts;
      break;
    case SwitchOrder::Kind::kReduce: {
      parcel.is_operand = true;
      parcel.group = group_of(set_of(packet.order, packet.order.from_chips));
      auto what = std::make_shared<PartialResult>();
      what->operands = {packet};
      what->bytes.assign(packet.payload.begin(), packet.payload.end());
      parcel.what = std::move(what);
      break;
    }
  }
  ++stats_.injected;
  StarLink& link = up(packet.source);
  ++slots_in_use(link, parcel);
  queue(link, make(std::move(parcel)), when);
}

/// All copies are made before the first one arrives, since the sender may then discard the
/// message's state.
std::shared_ptr<const std::vector<Packet>> StarNetwork::copies_of(const Packet& packet) const {
  auto copies = std::make_shared<std::vector<Packet>>();
  SwitchTree::for_each(targets(packet.source, packet.order), [&](unsigned unit) {
    Packet copy = packet;
    copy.destination = unit;
    copy.tag = endpoints_[packet.source]->tag_of_copy(packet, unit);
    copies->push_back(copy);
  });
  return copies;
}

/// The copy of a multicast or result for one participant.
Packet StarNetwork::copy_for(unsigned unit, const Parcel& parcel) {
  if (parcel.what) return *std::ranges::find(parcel.what->operands, unit, &Packet::source);
  if (parcel.each) return *std::ranges::find(*parcel.each, unit, &Packet::destination);
  return parcel.packet;
}

void StarNetwork::deliver(unsigned unit, std::uint32_t number, Cycle now) {
  const Parcel& parcel = parcels_[number];
  const Packet packet = copy_for(unit, parcel);
  if (parcel.what) endpoints_[unit]->combined(packet, parcel.what->bytes);
  const Cycle when = cycle_after(parcel.ready, now);
  parcels_[number] = {};
  free_parcels_.push_back(number);
  endpoints_[unit]->deliver(packet, when);
}

// --- Links.

std::uint64_t StarNetwork::wire_bytes(const Parcel& parcel) const {
  return switches_.header_bytes +
         (parcel.what ? parcel.what->bytes.size() : parcel.packet.payload.size());
}

void StarNetwork::queue(StarLink& link, std::uint32_t number, Cycle now) {
  link.queue.push_back(number);
  link.stats.most_queued = std::max(link.stats.most_queued, link.queue.size());
  pump(link, now, 0);
}

/// Sends the first queued parcel that has a slot. Slots of packets and of each group are separate.
void StarNetwork::pump(StarLink& link, Cycle now, Ps earliest) {
  if (link.sending) return;
  const bool has_slots = tree_.is_participant(link.from);  // participants got one at injection
  const auto it = std::ranges::find_if(link.queue, [&](std::uint32_t number) {
    return has_slots || has_slot(link, parcels_[number]);
  });
  if (it == link.queue.end()) return;
  const std::uint32_t number = *it;
  link.queue.erase(it);
  if (!has_slots && !tree_.is_participant(link.to)) ++slots_in_use(link, parcels_[number]);
  send(link, number, now, earliest);
}

void StarNetwork::send(StarLink& link, std::uint32_t number, Cycle now, Ps earliest) {
  const std::uint64_t bytes = wire_bytes(parcels_[number]);
  const Ps ready = parcels_[number].ready;
  const auto takes = static_cast<Ps>(std::llround(static_cast<double>(bytes) * link.ps_per_byte));
  // A fast link must not run out of bytes from a slower one.
  const Ps whole = std::max(parcels_[number].whole, takes);
  const Ps begin = std::max({ready, link.free, earliest, whole - takes});
  const Ps end = begin + takes;
  link.sending = true;
  link.free = end;
  if (link.stats.packets++ == 0) link.stats.first = begin;
  link.stats.bytes += bytes;
  link.stats.busy += end - begin;
  link.stats.last = end;
  link.stats.waited += begin - ready;
  link.busy.occupy(cycle_of(begin, now), cycle_after(end, now));
  post(Step::kSent, link, number, cycle_of(end, now));

  const bool arrives = tree_.is_participant(link.to);
  const std::string why = faults_.why_down(index(link) < tree_.nodes() ? link.from : link.to, end);
  if (!why.empty()) {
    if (!arrives) {
      const bool is_operand = parcels_[number].is_operand;
      post(Step::kCredit, link, is_operand ? parcels_[number].group : 0,
           cycle_after(end + hop_, now));
    }
    return lose(link, parcels_[number], why);
  }
  Parcel there = parcels_[number];
  there.state = Parcel::State::kTravels;
  there.in_link = arrives ? kNoLink : index(link);
  there.copies = 0;
  there.holds.clear();
  there.ready = (arrives ? end : begin) + hop_;
  there.whole = end + hop_;
  const Cycle when = cycle_of(there.ready, now);
  const std::uint32_t travels = make(std::move(there));
  post(arrives ? Step::kDeliver : Step::kArrive, link, travels, when);
}

/// Reports all packets in the parcel as lost.
void StarNetwork::lose(const StarLink& link, const Parcel& parcel, const std::string& why) {
  if (parcel.is_operand) {
    for (const Packet& packet : parcel.what->operands) {
      ++stats_.lost;
      endpoints_[packet.source]->lost(packet, why);
    }
    return;
  }
  const bool is_up = index(link) < tree_.nodes();
  const Set& below = tree_.below(is_up ? link.from : link.to);
  SwitchTree::for_each(parcel.targets & (is_up ? ~below : below), [&](unsigned unit) {
    const Packet packet = copy_for(unit, parcel);
    ++stats_.lost;
    endpoints_[packet.source]->lost(packet, why);
  });
}

void StarNetwork::sent(StarLink& link, std::uint32_t number, Cycle now) {
  link.sending = false;
  if (--parcels_[number].copies == 0) release(number, link.free, now);
  pump(link, now, 0);
}

// --- Switches.

void StarNetwork::arrived(unsigned node, std::uint32_t number, Cycle now) {
  if (parcels_[number].is_operand) return combine(node, number, now);
  const StarLink& link = links_[parcels_[number].in_link];
  distribute(node, link.from, number, now);
}

void StarNetwork::combine(unsigned node, std::uint32_t number, Cycle now) {
  Parcel& operand = parcels_[number];
  operand.state = Parcel::State::kWaits;
  const unsigned child = links_[operand.in_link].from;
  const std::vector<unsigned>& children = tree_.children(node);
  const auto port = static_cast<unsigned>(std::ranges::find(children, child) - children.begin());
  StarCombiner& combiner = combiners_[node - tree_.participants()];
  const std::uint32_t group = operand.group;
  const Set from = groups_[group - 1];
  auto combined = combiner.add(operand.packet.order, from,
                               {.port = port,
                                .parcel = number,
                                .ready = operand.ready,
                                .whole = operand.whole,
                                .what = operand.what});
  stats_.most_to_combine = std::max(stats_.most_to_combine,
                                    combiner.waiting() + (combined ? combined->parcels.size() : 0));
  if (!combined) return;

  Parcel result;
  result.state = Parcel::State::kLeaves;
  result.packet = combined->result->operands.front();
  result.what = combined->result;
  result.ready = combined->ready;
  result.whole = combined->whole;
  if (combined->parcels.size() > 1) {
    result.ready += alu_;
    result.whole += alu_;
    ++stats_.reductions;
  }
  result.holds = std::move(combined->parcels);
  const SwitchOrder& order = result.packet.order;
  if ((from & ~tree_.below(node)).any()) {
    result.is_operand = true;
    result.group = group;
    result.copies = 1;
    return queue(up(node), make(std::move(result)), now);
  }
  result.targets = set_of(order, order.to_chips);
  for (const Packet& packet : result.what->operands)
    if (!result.targets.test(packet.source)) endpoints_[packet.source]->absorbed(packet);
  distribute(node, SwitchTree::kNone, make(std::move(result)), now);
}

/// Sends the parcel over all links that lead to its targets, except the link on which it came.
void StarNetwork::distribute(unsigned node, unsigned came_from, std::uint32_t number, Cycle now) {
  const Set to = parcels_[number].targets;
  std::vector<StarLink*> out;
  for (const unsigned child : tree_.children(node))
    if (child != came_from && (to & tree_.below(child)).any()) out.push_back(&down(child));
  const bool from_above = came_from != SwitchTree::kNone && came_from == tree_.parent(node);
  const bool is_result = parcels_[number].what != nullptr;
  if (!from_above && !is_result && (to & ~tree_.below(node)).any()) out.push_back(&up(node));
  parcels_[number].state = Parcel::State::kLeaves;
  parcels_[number].copies = static_cast<std::uint32_t>(out.size());
  for (StarLink* const link : out) queue(*link, number, now);
}

// --- What must be true.

std::string StarNetwork::refusal(unsigned unit, const SwitchOrder& order) const {
  const std::string known = "participants 0 to " + std::to_string(tree_.participants() - 1);
  if (set_of(order, order.to_chips).none()) return "expected receivers among " + known;
  const Set to = targets(unit, order);
  if (order.kind == SwitchOrder::Kind::kMulticast)
    return to.none() || to.test(unit) ? "expected receivers other than the own chip" : "";
  if (!switches_.alu) return "the switch has no ALU: expected switch.alu=true";
  const Set from = set_of(order, order.from_chips);
  if (!from.test(unit)) return "expected the own chip and others among " + known;
  if ((to & ~from).any()) return "expected chips that send something among the receivers";
  return "";
}

StarNetwork::Set StarNetwork::set_of(const SwitchOrder& order, std::uint32_t value) const {
  namespace stop = regs::pim::stop;
  const Set& all = tree_.below(tree_.nodes() - 1);
  if (!order.ranges) {
    const Set mask(value);
    return (mask & ~all).any() ? Set() : mask;
  }
  const std::uint32_t first = value & stop::kRangeMask;
  const std::uint32_t count = value >> stop::kRangeCountShift & stop::kRangeMask;
  const std::uint32_t stride = value >> stop::kRangeStrideShift;
  if (count == 0 || stride == 0 || first + (count - 1) * stride >= tree_.participants()) return {};
  Set range;
  for (std::uint32_t i = 0; i < count; ++i) range.set(first + i * stride);
  return range;
}

StarNetwork::Set StarNetwork::targets(unsigned unit, const SwitchOrder& order) const {
  Set made = set_of(order, order.to_chips);
  if (order.ranges && order.kind == SwitchOrder::Kind::kMulticast) made.reset(unit);
  return made;
}

/// Systems have few groups.
std::uint32_t StarNetwork::group_of(const Set& from) {
  const auto found = std::ranges::find(groups_, from);
  if (found == groups_.end()) groups_.push_back(from);
  return static_cast<std::uint32_t>(std::ranges::find(groups_, from) - groups_.begin()) + 1;
}

std::vector<unsigned> StarNetwork::receivers(unsigned unit, const SwitchOrder& order) const {
  std::vector<unsigned> units;
  SwitchTree::for_each(targets(unit, order), [&](unsigned each) { units.push_back(each); });
  return units;
}

std::vector<std::string> StarNetwork::waiting() const {
  std::vector<std::string> lines;
  for (unsigned s = 0; s < combiners_.size(); ++s)
    for (const std::string& line : combiners_[s].missing())
      lines.push_back(tree_.name_of(tree_.participants() + s) + ": " + line);
  return lines;
}

void StarNetwork::check_conservation() const {
  std::uint64_t copies = 0;
  std::uint64_t waits = 0;
  for (const Parcel& parcel : parcels_) {
    copies += parcel.copies;
    waits += parcel.state == Parcel::State::kWaits;
    waits -= parcel.holds.size();
  }
  std::uint64_t queued = 0;
  for (const StarLink& link : links_) queued += link.queue.size() + link.sending;
  std::uint64_t to_combine = 0;
  for (const StarCombiner& combiner : combiners_) to_combine += combiner.waiting();
  if (copies == queued && waits == to_combine) return;
  throw Fault(FaultKind::kInternal, "pim.star",
              std::to_string(copies) + " packets are to leave their nodes and " +
                  std::to_string(queued) + " are at links; " + std::to_string(waits) +
                  " operands wait and switches know of " + std::to_string(to_combine));
}

void StarNetwork::check_at_end() const {
  const std::vector<std::string> lines = waiting();
  if (!lines.empty()) {
    throw Fault(FaultKind::kFirmware, "pim.star", "at the end of the run, " + lines.front());
  }
  if (parcels_.size() == free_parcels_.size()) return;
  throw Fault(FaultKind::kInternal, "pim.star",
              std::to_string(parcels_.size() - free_parcels_.size()) +
                  " packets were sent and never delivered");
}

}  // namespace tvp::pim
