#include "models/pim/network/star_combiner.h"

#include <algorithm>
#include <utility>

#include "foundation/fault.h"
#include "models/pim/network/pending_reductions.h"

namespace tvp::pim {

namespace {

std::string names(const StarCombiner::Set& set) {
  std::string text;
  switching::SwitchTree::for_each(set, [&](unsigned unit) {
    text += (text.empty() ? "" : ", ") + std::string("unit ") + std::to_string(unit);
  });
  return text;
}

[[noreturn]] void disagree(const Packet& packet, const Packet& other) {
  throw foundation::Fault(
      foundation::FaultKind::kFirmware, "unit" + std::to_string(packet.source),
      "its reduction " + std::to_string(packet.order.number) + " in the switch, packet " +
          std::to_string(packet.order.part) + " of " + std::to_string(packet.payload.size()) +
          " bytes, has another op, type, length or set of participants than that of unit " +
          std::to_string(other.source));
}

}  // namespace

/// Participants of a reduction behind this switch.
StarCombiner::Set StarCombiner::expected(const Set& from) const {
  Set all;
  for (const Set& port : below_) all |= port;
  return all & from;
}

std::optional<StarCombiner::Combined> StarCombiner::add(const SwitchOrder& order, const Set& from,
                                                        const Operand& operand) {
  const Packet& packet = operand.what->operands.front();
  // Groups without a common participant number their reductions independently.
  auto it = std::ranges::find_if(open_, [&](const Open& open) {
    return open.order.number == order.number && open.order.part == order.part &&
           (open.from & from).any();
  });
  if (it == open_.end()) {
    it = open_.insert(it, {.order = order, .from = from, .operands = {}, .there = {}});
  } else {
    const PartialResult& first = *it->operands.front().what;
    if (!it->order.agrees(order) || first.bytes.size() != operand.what->bytes.size())
      disagree(packet, first.operands.front());
  }
  const auto place = std::ranges::lower_bound(it->operands, operand.port, {}, &Operand::port);
  it->operands.insert(place, operand);
  it->there |= below_[operand.port] & from;
  ++waiting_;
  if (it->there != expected(from)) return std::nullopt;
  waiting_ -= it->operands.size();
  Combined combined = combine(*it);
  open_.erase(it);
  return combined;
}

StarCombiner::Combined StarCombiner::combine(const Open& open) {
  const switching::Reducer reducer = reducer_of(open.order);
  auto result = std::make_shared<PartialResult>();
  Combined combined;
  for (const Operand& operand : open.operands) {
    if (result->bytes.empty()) {
      result->bytes = operand.what->bytes;
    } else {
      reducer.combine(result->bytes, operand.what->bytes);
    }
    for (const Packet& packet : operand.what->operands) result->operands.push_back(packet);
    combined.parcels.push_back(operand.parcel);
    combined.ready = std::max(combined.ready, operand.ready);
    combined.whole = std::max(combined.whole, operand.whole);
  }
  combined.result = std::move(result);
  return combined;
}

std::vector<std::string> StarCombiner::missing() const {
  std::vector<std::string> lines;
  for (const Open& open : open_) {
    lines.push_back("reduction " + std::to_string(open.order.number) + ", packet " +
                    std::to_string(open.order.part) + ", has the operands of " + names(open.there) +
                    " and waits for " + names(expected(open.from) & ~open.there));
  }
  return lines;
}

}  // namespace tvp::pim
