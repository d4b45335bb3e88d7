#include "models/noc/niu/niu_registers.h"

#include <utility>

#include "foundation/regs/register_names.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names

namespace {

constexpr std::uint32_t kCountersEnd = kStatusCounters + 4 * kCounters;
static_assert(kWormholeMap.StatusCounters == kBlackholeMap.StatusCounters);

using Reg = InitiatorRegister;

constexpr NiuRegisters::Decoded decoded(const Map& map) {
  NiuRegisters::Decoded table{};
  table.fill(Reg::kAbsent);
#define INITIATOR(Name, wormhole, blackhole, count, access) \
  if (map.Name != kNone) table[map.Name / 4] = Reg::k##Name;
#include "foundation/regs/noc.def"
  return table;
}

constexpr NiuRegisters::Decoded kWormholes = decoded(kWormholeMap);
constexpr NiuRegisters::Decoded kBlackholes = decoded(kBlackholeMap);

}  // namespace

NiuRegisters::NiuRegisters(const NiuContext& context, NiuCounters& counters)
    : context_(context),
      map_(context.place.grid.map()),
      initiators_end_(kInitiators * map_.initiator_stride),
      decoded_(&map_ == &kBlackholeMap ? kBlackholes : kWormholes),
      counters_(counters) {
  poke(map_.NocIdLogical, to_unicast(context.node.x, context.node.y));
}

std::uint32_t NiuRegisters::peek(std::uint32_t offset) const {
  std::uint32_t value = 0;
  read(offset, value);
  return value;
}

void NiuRegisters::poke(std::uint32_t offset, std::uint32_t value) {
  if (is_config(offset)) {
    config_words_[(offset - map_.NiuCfg0) / 4] = value;
    return;
  }
  const Reg reg = initiator_register(offset);
  if (reg != Reg::kAbsent) set_word(reg, initiators_[initiator_of(offset)], value);
}

std::uint32_t NiuRegisters::word(Reg reg, const RequestInitiator& r) const {
  const auto mid = [this](const RequestInitiator::Place& place) {
    return map_.coordinates_in_hi ? place.upper : place.to << kMidToShift | place.upper;
  };
  const auto hi = [this](const RequestInitiator::Place& place) {
    return map_.coordinates_in_hi ? place.to : place.unused;
  };
  switch (reg) {
    case Reg::kTargAddrLo:
      return r.targ.lo;
    case Reg::kTargAddrMid:
      return mid(r.targ);
    case Reg::kTargAddrHi:
      return hi(r.targ);
    case Reg::kRetAddrLo:
      return r.ret.lo;
    case Reg::kRetAddrMid:
      return mid(r.ret);
    case Reg::kRetAddrHi:
      return hi(r.ret);
    case Reg::kPacketTag:
      return r.tag;
    case Reg::kCtrl:
      return r.ctrl;
    case Reg::kAtLenBe:
      return r.at_len_be;
    case Reg::kAtLenBe1:
      return r.at_len_be_1;
    case Reg::kAtData:
      return r.at_data;
    case Reg::kBrcstExclude:
      return r.stored[0];
    case Reg::kL1AccAtInstrn:
      return r.stored[1];
    case Reg::kSecCtrl:
      return r.stored[2];
    case Reg::kCmdCtrl:
      return r.busy;
    case Reg::kNodeId:
      return node_id();
    case Reg::kEndpointId:
      return endpoint_id();
    case Reg::kAbsent:
      break;
  }
  return 0;
}

void NiuRegisters::set_word(Reg reg, RequestInitiator& r, std::uint32_t value) {
  const auto set_to = [](RequestInitiator::Place& place, std::uint32_t to) {
    place.to = to;
    place.is_translated = false;
  };
  const auto set_mid = [this, value, set_to](RequestInitiator::Place& place) {
    place.upper = map_.coordinates_in_hi ? value : value & kMidAddressMask;
    if (!map_.coordinates_in_hi) set_to(place, value >> kMidToShift);
  };
  const auto set_hi = [this, value, set_to](RequestInitiator::Place& place) {
    if (map_.coordinates_in_hi) {
      set_to(place, value);
    } else {
      place.unused = value;
    }
  };
  switch (reg) {
    case Reg::kTargAddrLo:
      r.targ.lo = value;
      break;
    case Reg::kTargAddrMid:
      set_mid(r.targ);
      break;
    case Reg::kTargAddrHi:
      set_hi(r.targ);
      break;
    case Reg::kRetAddrLo:
      r.ret.lo = value;
      break;
    case Reg::kRetAddrMid:
      set_mid(r.ret);
      break;
    case Reg::kRetAddrHi:
      set_hi(r.ret);
      break;
    case Reg::kPacketTag:
      r.tag = value & 0xFFFF;
      break;
    case Reg::kCtrl:
      r.ctrl = value;
      break;
    case Reg::kAtLenBe:
      r.at_len_be = value;
      break;
    case Reg::kAtLenBe1:
      r.at_len_be_1 = value;
      break;
    case Reg::kAtData:
      r.at_data = value;
      break;
    case Reg::kBrcstExclude:
      r.stored[0] = value;
      break;
    case Reg::kL1AccAtInstrn:
      r.stored[1] = value;
      break;
    case Reg::kSecCtrl:
      r.stored[2] = value;
      break;
    case Reg::kCmdCtrl:
    case Reg::kNodeId:
    case Reg::kEndpointId:
    case Reg::kAbsent:
      break;
  }
}

bool NiuRegisters::read(std::uint32_t offset, std::uint32_t& value) const {
  if (offset >= kStatusCounters && offset < kCountersEnd) {
    value = counters_[(offset - kStatusCounters) / 4];
    return true;
  }
  if (is_config(offset)) {
    value = config(offset);
    return true;
  }
  const Reg reg = initiator_register(offset);
  if (reg != Reg::kAbsent) {
    value = word(reg, initiators_[initiator_of(offset)]);
    return true;
  }
  value = 0;
  if (offset == map_.InitiatorStatus) {
    for (unsigned i = 0; i < kInitiators; ++i) value |= initiators_[i].busy << i;
    return true;
  }
  return offset == map_.ClearOutstandingReqCnt;
}

NiuRegisters::Written NiuRegisters::write(std::uint32_t offset, std::uint32_t value) {
  if (is_config(offset)) {
    config_words_[(offset - map_.NiuCfg0) / 4] = value;
    return Written::kDone;
  }
  if (offset == map_.ClearOutstandingReqCnt) {
    for (unsigned id = 0; id < kTransactionIds; ++id) {
      if (value >> id & 1) counters_.clear(kMstReqsOutstandingId + id);
    }
    return Written::kDone;
  }
  const Reg reg = initiator_register(offset);
  if (reg == Reg::kAbsent || reg == Reg::kNodeId || reg == Reg::kEndpointId) return Written::kNone;
  RequestInitiator& r = initiators_[initiator_of(offset)];
  if (r.busy != 0) {
    context_.fault("store to " + register_name(offset, context_.place.grid.spec().generation) +
                   " while its CMD_CTRL is still 1");
    return Written::kRefused;
  }
  if (reg == Reg::kCmdCtrl) return value & 1 ? Written::kCommand : Written::kDone;
  set_word(reg, r, value);
  return Written::kDone;
}

bool NiuRegisters::takes_broadcasts() const {
  const std::uint32_t columns = config(map_.RouterCfg1);
  const std::uint32_t rows = config(map_.RouterCfg3);
  return (columns >> context_.node.x & 1) == 0 && (rows >> context_.node.y & 1) == 0;
}

std::uint8_t NiuRegisters::lookup(std::uint32_t table, std::uint32_t coordinate) const {
  const std::uint32_t entry = coordinate & 31;
  const std::uint32_t bits = map_.table_entry_bits;
  const std::uint32_t in_word = 32 / bits;
  return static_cast<std::uint8_t>(config(table + entry / in_word * 4) >> (entry % in_word * bits) &
                                   ((1U << bits) - 1));
}

Node NiuRegisters::translated(Node written) const {
  if (!translates()) return written;
  return {lookup(map_.XIdTranslateTable0, written.x), lookup(map_.YIdTranslateTable0, written.y)};
}

void NiuRegisters::translate(RequestInitiator& r) const {
  r.through_tables = translates();
  for (RequestInitiator::Place* place : {&r.targ, &r.ret}) {
    if (place->is_translated) continue;
    place->written = place->to;
    place->is_translated = r.through_tables;
    if (!r.through_tables) continue;
    const Node end = translated(RequestInitiator::end_of(place->to));
    std::uint32_t to = place->to & ~to_unicast(kCoordinateMask, kCoordinateMask);
    to |= to_unicast(end.x, end.y);
    if (r.is_broadcast() && place == &r.destination()) {
      const Node start = translated(RequestInitiator::start_of(place->to));
      to &= ~to_broadcast(kCoordinateMask, kCoordinateMask, 0, 0);
      to |= to_broadcast(start.x, start.y, 0, 0);
    }
    place->to = to;
  }
}

std::uint32_t NiuRegisters::node_id() const {
  const Node node = context_.node;
  const Grid& grid = context_.place.grid;
  // The links that leave the last column and row close the rings.
  return std::uint32_t{node.x} << kNodeIdXShift | std::uint32_t{node.y} << kNodeIdYShift |
         grid.columns() << kNodeIdWidthShift | grid.rows() << kNodeIdHeightShift |
         (node.x + 1U == grid.columns() ? kNodeIdDatelineX : 0) |
         (node.y + 1U == grid.rows() ? kNodeIdDatelineY : 0) |
         (context_.place.noc == 0 ? kNodeIdXFirst : 0);
}

std::uint32_t NiuRegisters::endpoint_id() const {
  const Place& place = context_.place;
  return place.index << kEndpointIndexShift | place.group << kEndpointGroupShift |
         static_cast<std::uint32_t>(place.type) << kEndpointTypeShift |
         place.noc << kEndpointNocShift;
}

}  // namespace tvp::noc
