#include "models/pim/network/pending_reductions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"

namespace tvp::pim {

namespace stop_regs = regs::pim::stop;

std::optional<PendingReductions::Reduction> PendingReductions::add(unsigned chip, unsigned unit,
                                                                   std::uint32_t slot,
                                                                   const Packet& packet,
                                                                   dram::MemCycle ready) {
  auto it = std::ranges::find_if(open_, [&](const Reduction& r) {
    return r.unit == unit && r.order.number == packet.order.number &&
           r.order.part == packet.order.part;
  });
  if (it == open_.end()) {
    it = open_.insert(it, {unit, packet.order, packet.payload.size(), {}, {}, 0});
  } else if (!it->order.agrees(packet.order) || it->bytes != packet.payload.size()) {
    throw foundation::Fault(
        foundation::FaultKind::kFirmware, "unit" + std::to_string(packet.source),
        "its reduction " + std::to_string(packet.order.number) + " in the switch, packet " +
            std::to_string(packet.order.part) + " of " + std::to_string(packet.payload.size()) +
            " bytes, has another op, type, length or set of chips than that of chip " +
            std::to_string(it->chips.front()) + " of its rank");
  }
  const auto place = std::ranges::lower_bound(it->chips, chip);
  it->slots.insert(it->slots.begin() + (place - it->chips.begin()), slot);
  it->chips.insert(place, chip);
  it->ready = std::max(it->ready, ready);
  ++waiting_;
  std::uint32_t there = 0;
  for (const unsigned c : it->chips) there |= 1U << c;
  if (there != packet.order.from_chips) return std::nullopt;
  waiting_ -= it->chips.size();
  Reduction complete = std::move(*it);
  open_.erase(it);
  return complete;
}

switching::Reducer reducer_of(const SwitchOrder& order) {
  using switching::Reducer;
  const Reducer::Op op = order.op == stop_regs::kOpSum   ? Reducer::Op::kSum
                         : order.op == stop_regs::kOpMax ? Reducer::Op::kMax
                         : order.op == stop_regs::kOpMin ? Reducer::Op::kMin
                                                         : Reducer::Op::kProd;
  const Reducer::Type type = order.type == stop_regs::kTypeInt32   ? Reducer::Type::kInt32
                             : order.type == stop_regs::kTypeInt64 ? Reducer::Type::kInt64
                             : order.type == stop_regs::kTypeFp32  ? Reducer::Type::kFp32
                                                                   : Reducer::Type::kBf16;
  return {op, type};
}

}  // namespace tvp::pim
