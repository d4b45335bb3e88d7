// Registers of the NIU (ISA NoC/MemoryMap.md).
#include <algorithm>
#include <cstring>

#include "models/noc/niu.h"
#include "models/support/hex.h"
#include "models/support/payload_rules.h"

namespace tvp::noc {

namespace {

using namespace regs::noc;  // register names only

constexpr std::uint32_t kConfigEnd = kNocIdLogical + 4;
constexpr std::uint32_t kCountersEnd = kStatusCounters + 4 * kCounters;
constexpr std::uint32_t kWindowBytes = 0x10000;

}  // namespace

void Niu::regs_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  support::BusAccess* bus = payload.get_extension<support::BusAccess>();
  const std::uint64_t offset = payload.get_address();
  if (bus == nullptr || offset >= kWindowBytes) {
    payload.set_response_status(bus == nullptr ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                               : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_register_transfer(payload)) return;
  if (payload.get_data_length() != 4 || offset % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto reg = static_cast<std::uint32_t>(offset);
  std::uint32_t value = 0;
  if (payload.is_read()) {
    if (!read_register(reg, value)) unmodelled("load of NIU register " + support::hex(reg));
    std::memcpy(payload.get_data_ptr(), &value, 4);
    bus->latency = config_.register_load_cycles;
    bus->watch = watch_;
  } else {
    std::memcpy(&value, payload.get_data_ptr(), 4);
    if (!write_register(reg, value, bus->now, bus->order))
      unmodelled("store to NIU register " + support::hex(reg));
    bus->latency = 1;
  }
  delay += to_time(bus->latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned Niu::regs_transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() >= kWindowBytes || payload.get_address() % 4 != 0 ||
      payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    return 0;
  }
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const unsigned bytes = std::min(payload.get_data_length(), kWindowBytes - offset) & ~3U;
  for (unsigned i = 0; i < bytes; i += 4) {
    std::uint32_t value = 0;
    if (payload.is_read()) {
      value = peek(offset + i);
      std::memcpy(payload.get_data_ptr() + i, &value, 4);
    } else {
      std::memcpy(&value, payload.get_data_ptr() + i, 4);
      poke(offset + i, value);
    }
  }
  return bytes;
}

std::uint32_t Niu::peek(std::uint32_t offset) const {
  std::uint32_t value = 0;
  read_register(offset, value);
  return value;
}

void Niu::poke(std::uint32_t offset, std::uint32_t value) {
  if (offset >= kNiuCfg0 && offset < kConfigEnd) {
    config_words_[(offset - kNiuCfg0) / 4] = value;
  } else if (std::uint32_t* word = initiator_register(offset)) {
    *word = value;
  }
}

std::uint32_t* Niu::initiator_register(std::uint32_t offset) {
  if (offset >= kInitiators * kCmdBufOffset) return nullptr;
  RequestInitiator& r = initiators_[offset / kCmdBufOffset];
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

bool Niu::read_register(std::uint32_t offset, std::uint32_t& value) const {
  if (offset >= kStatusCounters && offset < kCountersEnd) {
    value = counters_[(offset - kStatusCounters) / 4];
    return true;
  }
  if (offset >= kNiuCfg0 && offset < kConfigEnd) {
    value = config_words_[(offset - kNiuCfg0) / 4];
    return true;
  }
  if (offset >= kInitiators * kCmdBufOffset) return false;
  switch (offset % kCmdBufOffset) {
    case kNodeId:
      value = node_id();
      return true;
    case kEndpointId:
      value = endpoint_id();
      return true;
    case kCmdCtrl:
      value = initiators_[offset / kCmdBufOffset].busy;
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
  const std::uint32_t* word = const_cast<Niu*>(this)->initiator_register(offset);
  if (word == nullptr) return false;
  value = *word;
  return true;
}

bool Niu::write_register(std::uint32_t offset, std::uint32_t value, support::Cycle now,
                         unsigned order) {
  if (offset >= kNiuCfg0 && offset < kConfigEnd) {
    config_words_[(offset - kNiuCfg0) / 4] = value;
    watches_.changed(watch_, now, order);
    return true;
  }
  if (offset == kClearOutstandingReqCnt) {
    for (unsigned id = 0; id < kTransactionIds; ++id) {
      if (value >> id & 1) counters_[kMstReqsOutstandingId + id] = 0;
    }
    show(now);
    watches_.changed(watch_, now, order);
    return true;
  }
  const bool command = offset < kInitiators * kCmdBufOffset && offset % kCmdBufOffset == kCmdCtrl;
  std::uint32_t* word = initiator_register(offset);
  if (!command && word == nullptr) return false;
  const unsigned initiator = offset / kCmdBufOffset;
  if (initiators_[initiator].busy != 0) {
    fault("store to request initiator " + std::to_string(initiator) + " (offset " +
          support::hex(offset) + ") while its CMD_CTRL is still 1");
    return true;
  }
  if (!command) {
    *word = offset % kCmdBufOffset == kPacketTag ? value & 0xFFFF : value;
  } else if (value & 1) {
    start_command(initiator, now);
  }
  watches_.changed(watch_, now, order);
  return true;
}

std::uint32_t Niu::node_id() const {
  // The links that leave the last column and the last row close the rings.
  return std::uint32_t{node_.x} << kNodeIdXShift | std::uint32_t{node_.y} << kNodeIdYShift |
         noc::kColumns << kNodeIdWidthShift | noc::kRows << kNodeIdHeightShift |
         (node_.x == noc::kColumns - 1 ? kNodeIdDatelineX : 0) |
         (node_.y == noc::kRows - 1 ? kNodeIdDatelineY : 0) | (place_.noc == 0 ? kNodeIdXFirst : 0);
}

std::uint32_t Niu::endpoint_id() const {
  return place_.index << kEndpointIndexShift | place_.group << kEndpointGroupShift |
         static_cast<std::uint32_t>(place_.type) << kEndpointTypeShift |
         place_.noc << kEndpointNocShift;
}

}  // namespace tvp::noc
