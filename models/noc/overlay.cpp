#include "models/noc/overlay.h"

#include <cstring>

#include "foundation/regs/register_names.h"
#include "models/noc/noc_protocol.h"
#include "models/support/payload_rules.h"

namespace tvp::noc {

using namespace regs::overlay;  // for register indices

namespace {

constexpr std::int64_t kNoRegister = -1;
constexpr std::int64_t bits(unsigned width) { return (std::int64_t{1} << width) - 1; }
constexpr std::uint32_t kWordMask = 0x1FFFF;   ///< 17 bits: addresses and counts of 16 byte words
constexpr std::uint32_t kPhaseMask = 0xFFFFF;  ///< 20 bits
constexpr std::uint32_t kDebugSpace = kDebugStatus + 2;
constexpr std::uint32_t kDebugSpaceNonZero = 1u << 3;

}  // namespace

Overlay::Overlay(const sc_core::sc_module_name& name, const NocConfig& config, bool ethernet,
                 support::WatchHub& watches, foundation::FaultPolicy& faults, std::string where)
    : sc_module(name),
      regs("regs"),
      config_(config),
      ethernet_(ethernet),
      watches_(watches),
      faults_(faults),
      where_(std::move(where)),
      streams_(ethernet ? kEthernetStreams : kTensixStreams) {
  regs.register_b_transport(this, &Overlay::b_transport);
  regs.register_transport_dbg(this, &Overlay::transport_dbg);
  for (unsigned i = 0; i < streams_.size(); ++i) {
    streams_[i].gathers = i < (ethernet_ ? 2U : 6U);
    streams_[i].multicasts = i < 4;
    streams_[i].writes_dram = i < 4 || (i >= 8 && i < 12);
  }
}

void Overlay::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  auto* bus = payload.get_extension<support::BusAccess>();
  const std::uint64_t offset = payload.get_address();
  if (bus == nullptr || offset >= std::uint64_t{streams()} * kStreamStride) {
    payload.set_response_status(bus == nullptr ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                               : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_register_transfer(payload)) return;
  if (payload.get_data_length() != 4 || offset % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto number = static_cast<std::uint32_t>(offset / kStreamStride);
  const auto index = static_cast<std::uint32_t>(offset % kStreamStride / 4);
  Stream& stream = streams_[number];
  std::uint32_t value = 0;
  const auto name_of_register = [&] {
    return regs::overlay::register_name(index) + " of stream " + std::to_string(number);
  };
  if (payload.is_read()) {
    if (index >= kRegisters || !read(stream, index, value)) unmodelled(name_of_register());
    std::memcpy(payload.get_data_ptr(), &value, 4);
    if (probe_ != nullptr) report(support::ProbeEvent::Kind::kStreamRead, number, index, *bus);
    bus->latency = config_.register_load_cycles;
    bus->watch = support::Watch::kOverlay;
  } else {
    std::memcpy(&value, payload.get_data_ptr(), 4);
    if (index >= kRegisters || !write(stream, index, value)) unmodelled(name_of_register());
    watches_.changed(support::Watch::kOverlay, bus->now, bus->order);
    if (observer_ != nullptr) [[unlikely]]
      show(number, index, *bus);
    if (probe_ != nullptr) report(support::ProbeEvent::Kind::kStreamWritten, number, index, *bus);
    bus->latency = 1;
  }
  delay += to_time(bus->latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

support::ProbeEvent Overlay::event_of(support::ProbeEvent::Kind kind, unsigned stream,
                                      unsigned index, const support::BusAccess& bus) const {
  const Stream& value = streams_[stream];
  return {.kind = kind,
          .agent = bus.master,
          .index = index,
          .stream = static_cast<std::uint16_t>(stream),
          .value = value[index],
          .pushed = value[kRemoteDestBufSize],
          .popped = value[kRemoteDestBufStart],
          .cycle = bus.now};
}

void Overlay::show(unsigned stream, unsigned index, const support::BusAccess& bus) const {
  const auto written = [&](unsigned changed) {
    observer_->on(event_of(support::ProbeEvent::Kind::kStreamWritten, stream, changed, bus));
  };
  if (index == kRemoteDestBufStart || index == kRemoteDestBufSize) written(index);
  if (index == kRemoteDestBufSpaceAvailableUpdate || index == kRemoteDestBufSize)
    written(kRemoteDestBufSpaceAvailable);
}

/// Reports an access to a register in which software counts pages.
void Overlay::report(support::ProbeEvent::Kind kind, unsigned stream, unsigned index,
                     const support::BusAccess& bus) const {
  if (index != kRemoteDestBufSize && index != kRemoteDestBufStart) return;
  if (!probe_->wants(kind)) return;
  support::ProbeEvent event = event_of(kind, stream, index, bus);
  event.pc = probe_->pc_behind(bus.master);
  probe_->report(event);
}

unsigned Overlay::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  if (offset % 4 != 0 || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const unsigned bytes = payload.get_data_length() & ~3U;
  for (unsigned i = 0; i < bytes; i += 4) {
    const std::uint64_t at = offset + i;
    const auto index = static_cast<std::uint32_t>(at % kStreamStride / 4);
    if (at >= std::uint64_t{streams()} * kStreamStride || index >= kRegisters) return i;
    Stream& stream = streams_[at / kStreamStride];
    std::uint32_t value = 0;
    if (payload.is_read()) {
      read(stream, index, value);
      std::memcpy(payload.get_data_ptr() + i, &value, 4);
    } else {
      std::memcpy(&value, payload.get_data_ptr() + i, 4);
      write(stream, index, value);
    }
  }
  return bytes;
}

std::uint32_t Overlay::peek(std::uint32_t stream, std::uint32_t index) const {
  std::uint32_t value = 0;
  read(streams_[stream], index, value);
  return value;
}

std::int64_t Overlay::width_mask(const Stream& stream, std::uint32_t index) const {
  if (index >= kScratch && index < kScratch + 6) return stream.writes_dram ? bits(24) : 0;
  switch (index) {
    case kBufSize:
    case kWrPtr:
    case kMsgInfoPtr:
    case kMsgInfoWrPtr:
    case kPhaseAutoCfgPtrBase:
    case kRemoteDestWrPtr:
    case kRemoteDestMsgInfoWrPtr:
      return bits(17);
    case kCurrPhaseBase:
      return bits(20);
    case kGatherClear:
      return stream.gathers ? bits(17) : 0;
    case kGather:
      return stream.gathers ? bits(4) : 0;
    case kLocalSrcMask:
      return stream.gathers ? bits(24) : 0;
    case kLocalSrcMask + 1:
      return stream.gathers ? bits(ethernet_ ? 8 : 24) : 0;
    case kLocalSrcMask + 2:
      return stream.gathers && !ethernet_ ? bits(16) : 0;
    case kMcastDestNum:
      return stream.multicasts ? bits(6) : 0;
    case kMcastDest:
      return stream.multicasts ? bits(19) : 0;
    case kMemBufSpaceAvailableAckThreshold:
    case kRemoteDestTrafficPriority:
      return bits(4);
    case kMiscCfg:
      return bits(24);
    case kRemoteDestBufStartHi:
    case kRemoteDestMsgInfoWrPtrHi:
      return stream.writes_dram ? bits(15) : 0;
    case kRemoteDest:
      return bits(18);
    case kRemoteSrc:
      return bits(24);
    default:
      return kNoRegister;
  }
}

bool Overlay::read(const Stream& stream, std::uint32_t index, std::uint32_t& value) const {
  if (index >= kRemoteDestBufSpaceAvailable &&
      index < kRemoteDestBufSpaceAvailable + stream.space_counters()) {
    value = stream[index];
    return true;
  }
  switch (index) {
    case kBufStart:
    case kRdPtr:
    case kRemoteDestBufSize:
    case kRemoteDestBufStart:
    case kNextReceivedMsgAddr:
    case kNextReceivedMsgSize:
      value = stream[index];
      return true;
    case kCurrPhase:
    case kRemoteSrcPhase:
      value = (stream[index] - stream[kCurrPhaseBase]) & kPhaseMask;
      return true;
    case kPhaseAutoCfgPtr:
      value = (stream[index] - stream[kPhaseAutoCfgPtrBase]) & kWordMask;
      return true;
    case kPhaseAutoCfgHeader:
      value = stream[index];
      return true;
    case kMsgInfoCanPushNewMsg:
      value = stream[kMsgInfoPtr] == stream[kMsgInfoWrPtr];
      return true;
    case kWaitStatus:
      value = kWaitStatusIdle;
      return true;
    case kDebugSpace: {
      value = kDebugSpaceNonZero;
      for (unsigned i = 0; i < stream.space_counters(); ++i) {
        if (stream[kRemoteDestBufSpaceAvailable + i] == 0) value = 0;
      }
      return true;
    }
    default:
      break;
  }
  if (width_mask(stream, index) == kNoRegister) return false;
  value = stream[index];
  return true;
}

bool Overlay::write(Stream& stream, std::uint32_t index, std::uint32_t value) {
  Registers& registers = stream.change();
  switch (index) {
    case kBufStart:
      registers[kRdPtr] = 0;
      registers[kWrPtr] = 0;
      registers[index] = value & kWordMask;
      return true;
    case kRdPtr:
      registers[index] = value & kWordMask;
      registers[kNextReceivedMsgSize] = 0;
      registers[kNextReceivedMsgAddr] = (registers[kBufStart] + value) & kWordMask;
      return true;
    case kCurrPhase:
    case kRemoteSrcPhase:
      registers[index] = (value + registers[kCurrPhaseBase]) & kPhaseMask;
      return true;
    case kPhaseAutoCfgPtr:
      registers[index] = (value + registers[kPhaseAutoCfgPtrBase]) & kWordMask;
      return true;
    case kPhaseAutoCfgHeader:
      registers[kCurrPhase] = (registers[kCurrPhase] + (value & 0xFFF)) & kPhaseMask;
      registers[index] = value & ~std::uint32_t{0xFFF};
      return true;
    case kRemoteDestBufSize:
      registers[index] = value & kWordMask;
      for (unsigned i = 0; i < stream.space_counters(); ++i) {
        registers[kRemoteDestBufSpaceAvailable + i] = value & kWordMask;
      }
      return true;
    case kRemoteDestBufSpaceAvailableUpdate:
      add_space(stream, value);
      return true;
    case kRemoteDestBufStart:
      registers[index] = value & kWordMask;
      registers[kRemoteDestWrPtr] = 0;
      return true;
    case kMiscCfg:
      if (value & kMiscCfgPhaseAutoConfig) unmodelled("a stream that loads its configuration");
      break;
    default:
      break;
  }
  const std::int64_t mask = width_mask(stream, index);
  if (mask == kNoRegister) return false;
  registers[index] = value & static_cast<std::uint32_t>(mask);
  return true;
}

void Overlay::add_space(Stream& stream, std::uint32_t value) {
  const std::uint32_t destination = value & kUpdateDestinationMask;
  if (destination >= stream.space_counters()) {
    faults_.raise({foundation::FaultKind::kFirmware, where_,
                   "space update for destination " + std::to_string(destination) +
                       " of a stream that has " + std::to_string(stream.space_counters())});
    return;
  }
  std::uint32_t& counter = stream.change()[kRemoteDestBufSpaceAvailable + destination];
  counter = (counter + (value >> kUpdateIncrementShift)) & kWordMask;
}

void Overlay::unmodelled(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, where_, "overlay: " + text);
}

}  // namespace tvp::noc
