#include "platform/checks/memory/unseen_messages.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

/// Messages of up to this size may be flags.
constexpr std::uint32_t kMostFlagBytes = 16;
/// Limit of messages in the list. A program that lets so many arrive orders them in another way.
constexpr std::size_t kMostUnseen = 64;

}  // namespace

Probe::Kinds UnseenMessages::kinds() const {
  if (tile_.kind != TileContext::Kind::kPimUnit) return 0;
  Probe::Kinds kinds = 0;
  for (const Kind kind :
       {Kind::kServed, Kind::kCounterRead, Kind::kCommand, Kind::kRead, Kind::kReset})
    kinds |= Probe::bit(kind);
  return kinds;
}

void UnseenMessages::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kServed:
      return arrived(event);
    case Kind::kCounterRead:
      if (event.agent == BusMaster::kPimStop && event.index != 0) forget();
      return;
    case Kind::kReset:
      reported_.clear();
      return forget();
    case Kind::kCommand:
      if (event.request != ProbeEvent::Request::kWrite || event.thread != 0) return;
      return used(event);
    default:
      return used(event);
  }
}

void UnseenMessages::arrived(const ProbeEvent& event) {
  if (unseen_.size() == kMostUnseen) forget();
  const auto address = static_cast<std::uint32_t>(event.address);
  unseen_.push_back(
      {.address = address, .bytes = event.bytes, .source = event.value, .channel = event.index});
  range_.add(address, address + event.bytes);
  range_.ask();
}

/// The core loads bytes, or starts a DMA transfer or a message from them.
void UnseenMessages::used(const ProbeEvent& event) {
  if (unseen_.empty() || !range_.touches(event.address, event.bytes)) return;
  const auto message = std::ranges::find_if(unseen_, [&](const Message& each) {
    return event.address < each.address + each.bytes && each.address < event.address + event.bytes;
  });
  if (message == unseen_.end()) return;
  const Message first = *message;
  forget();
  if (first.bytes <= kMostFlagBytes || std::ranges::count(reported_, event.pc) != 0) return;
  reported_.push_back(event.pc);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::string(event.kind == Kind::kCommand ? "sends" : "reads") + " WRAM " +
          foundation::hex(static_cast<std::uint32_t>(event.address)) + " at pc " +
          foundation::hex(event.pc) + " before it has looked at the count that announces it: " +
          std::to_string(first.bytes) + " bytes from unit " + std::to_string(first.source) +
          " on channel " + std::to_string(first.channel) +
          ", which have arrived in time only by luck. Expected a wait_arrivals(" +
          std::to_string(first.channel) + ", …) before. Add one."));
}

void UnseenMessages::forget() {
  if (unseen_.empty()) return;
  unseen_.clear();
  range_.clear();
  range_.ask();
}

}  // namespace tvp::checks
