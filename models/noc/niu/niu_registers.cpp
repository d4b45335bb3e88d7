#include "models/noc/niu/niu_registers.h"

#include <utility>

#include "foundation/regs/register_names.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names

namespace {

constexpr std::uint32_t kInitiatorsEnd = kInitiators * kCmdBufOffset;
constexpr std::uint32_t kConfigEnd = kNocIdLogical + 4;
constexpr std::uint32_t kCountersEnd = kStatusCounters + 4 * kCounters;

bool is_config(std::uint32_t offset) { return offset >= kNiuCfg0 && offset < kConfigEnd; }
constexpr unsigned config_index(std::uint32_t offset) { return (offset - kNiuCfg0) / 4; }

std::uint8_t lookup(const std::uint32_t* table, std::uint32_t coordinate) {
  const std::uint32_t entry = coordinate & 31;
  return static_cast<std::uint8_t>(table[entry / 8] >> (entry % 8 * 4) & 0xF);
}

}  // namespace

NiuRegisters::NiuRegisters(const NiuContext& context, NiuCounters& counters)
    : context_(context), counters_(counters) {
  poke(kNocIdLogical, static_cast<std::uint32_t>(context.node.x | context.node.y << 6));
}

std::uint32_t NiuRegisters::peek(std::uint32_t offset) const {
  std::uint32_t value = 0;
  read(offset, value);
  return value;
}

void NiuRegisters::poke(std::uint32_t offset, std::uint32_t value) {
  if (is_config(offset)) {
    config_words_[config_index(offset)] = value;
  } else if (std::uint32_t* word = initiator_word(offset)) {
    *word = value;
  }
}

const std::uint32_t* NiuRegisters::initiator_word(std::uint32_t offset) const {
  if (offset >= kInitiatorsEnd) return nullptr;
  const RequestInitiator& r = initiators_[initiator_of(offset)];
  switch (offset % kCmdBufOffset) {
    case kTargAddrLo:
      return &r.targ_lo;
    case kTargAddrMid:
      return &r.targ_mid;
    case kTargAddrHi:
      return &r.targ_hi;
    case kRetAddrLo:
      return &r.ret_lo;
    case kRetAddrMid:
      return &r.ret_mid;
    case kRetAddrHi:
      return &r.ret_hi;
    case kPacketTag:
      return &r.tag;
    case kCtrl:
      return &r.ctrl;
    case kAtLenBe:
      return &r.at_len_be;
    case kAtData:
      return &r.at_data;
    default:
      return nullptr;
  }
}

std::uint32_t* NiuRegisters::initiator_word(std::uint32_t offset) {
  return const_cast<std::uint32_t*>(std::as_const(*this).initiator_word(offset));
}

bool NiuRegisters::read(std::uint32_t offset, std::uint32_t& value) const {
  if (offset >= kStatusCounters && offset < kCountersEnd) {
    value = counters_[(offset - kStatusCounters) / 4];
    return true;
  }
  if (is_config(offset)) {
    value = config_words_[config_index(offset)];
    return true;
  }
  if (offset >= kInitiatorsEnd) return false;
  switch (offset % kCmdBufOffset) {
    case kNodeId:
      value = node_id();
      return true;
    case kEndpointId:
      value = endpoint_id();
      return true;
    case kCmdCtrl:
      value = initiators_[initiator_of(offset)].busy;
      return true;
    default:
      break;
  }
  if (offset == kInitiatorStatus) {
    value = 0;
    for (unsigned i = 0; i < kInitiators; ++i) value |= initiators_[i].busy << i;
    return true;
  }
  if (offset == kClearOutstandingReqCnt) {
    value = 0;
    return true;
  }
  const std::uint32_t* word = initiator_word(offset);
  if (word == nullptr) return false;
  value = *word;
  return true;
}

NiuRegisters::Written NiuRegisters::write(std::uint32_t offset, std::uint32_t value) {
  if (is_config(offset)) {
    config_words_[config_index(offset)] = value;
    return Written::kDone;
  }
  if (offset == kClearOutstandingReqCnt) {
    for (unsigned id = 0; id < kTransactionIds; ++id) {
      if (value >> id & 1) counters_.clear(kMstReqsOutstandingId + id);
    }
    return Written::kDone;
  }
  const bool command = offset < kInitiatorsEnd && offset % kCmdBufOffset == kCmdCtrl;
  std::uint32_t* word = initiator_word(offset);
  if (!command && word == nullptr) return Written::kNone;
  const unsigned initiator = initiator_of(offset);
  if (initiators_[initiator].busy != 0) {
    context_.fault("store to " + register_name(offset) + " while its CMD_CTRL is still 1");
    return Written::kRefused;
  }
  if (command) return value & 1 ? Written::kCommand : Written::kDone;
  *word = offset % kCmdBufOffset == kPacketTag ? value & 0xFFFF : value;
  return Written::kDone;
}

bool NiuRegisters::takes_broadcasts() const {
  const std::uint32_t columns = config_words_[config_index(kRouterCfg1)];
  const std::uint32_t rows = config_words_[config_index(kRouterCfg3)];
  return (columns >> context_.node.x & 1) == 0 && (rows >> context_.node.y & 1) == 0;
}

Node NiuRegisters::translated(Node written) const {
  if (!(config_words_[config_index(kNiuCfg0)] & kNiuCfgIdTranslateEnable)) return written;
  return {lookup(&config_words_[config_index(kXIdTranslateTable0)], written.x),
          lookup(&config_words_[config_index(kYIdTranslateTable0)], written.y)};
}

void NiuRegisters::translate(RequestInitiator& r) const {
  if (r.targ_mid != r.targ_mid_translated) r.targ_mid_written = r.targ_mid;
  if (r.ret_mid != r.ret_mid_translated) r.ret_mid_written = r.ret_mid;
  r.targ_mid_translated = r.targ_mid;
  r.ret_mid_translated = r.ret_mid;
  r.through_tables = (config_words_[config_index(kNiuCfg0)] & kNiuCfgIdTranslateEnable) != 0;
  if (!r.through_tables) return;
  const auto field = [this](std::uint32_t& mid, std::uint32_t x_shift, std::uint32_t y_shift) {
    const Node to = translated(RequestInitiator::node(mid, x_shift, y_shift));
    mid &= ~(kCoordinateMask << x_shift | kCoordinateMask << y_shift);
    mid |= std::uint32_t{to.x} << x_shift | std::uint32_t{to.y} << y_shift;
  };
  for (std::uint32_t* mid : {&r.targ_mid, &r.ret_mid}) {
    const bool rectangle = r.is_broadcast() && mid == (r.reads_source() ? &r.ret_mid : &r.targ_mid);
    field(*mid, kMidXShift, kMidYShift);
    if (rectangle) field(*mid, kMidStartXShift, kMidStartYShift);
  }
  r.targ_mid_translated = r.targ_mid;
  r.ret_mid_translated = r.ret_mid;
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
