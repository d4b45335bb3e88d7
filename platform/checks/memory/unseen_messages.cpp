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
/// Uses of a window among which early ones are searched, and how many of these are kept.
constexpr unsigned kMostUses = 1024;
constexpr unsigned kMostEarly = 16;
constexpr std::uint32_t kWordBytes = 4;

}  // namespace

Probe::Kinds UnseenMessages::kinds() const {
  if (tile_.kind != TileContext::Kind::kPimUnit) return 0;
  Probe::Kinds kinds = 0;
  for (const Kind kind : {Kind::kServed, Kind::kCounterRead, Kind::kCommand, Kind::kRead,
                          Kind::kReset, Kind::kBuffer, Kind::kProgramEnds})
    kinds |= Probe::bit(kind);
  return kinds;
}

void UnseenMessages::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kServed:
      return arrived(event);
    case Kind::kCounterRead:
      if (event.agent != BusMaster::kPimStop || event.index == 0) return;
      counted_ |= 1U << (event.index - 1);
      return forget_seen(event);
    case Kind::kReset:
      reported_.clear();
      counted_ = 0;
      windows_ = {};
      early_.clear();
      has_message_.clear();
      has_ended_ = false;
      unseen_.clear();
      return ask();
    case Kind::kBuffer:
      windows_.at(event.index) = {.address = static_cast<std::uint32_t>(event.address),
                                  .bytes = event.bytes};
      return ask();
    case Kind::kProgramEnds:
      return ended();
    case Kind::kCommand:
      if (event.request != ProbeEvent::Request::kWrite || event.thread != 0) return;
      return used(event);
    default:
      return used(event);
  }
}

void UnseenMessages::arrived(const ProbeEvent& event) {
  if (event.bytes == 0) return;  // a signal
  if (unseen_.size() == kMostUnseen) unseen_.clear();
  const auto address = static_cast<std::uint32_t>(event.address);
  unseen_.push_back({.address = address,
                     .bytes = event.bytes,
                     .source = event.value,
                     .channel = event.index,
                     .number = tile_.order == nullptr ? 0 : tile_.order->latest().number});
  has_message_.resize(regs::pim::kWramBytes / kWordBytes);
  for (std::uint32_t at = address / kWordBytes; at * kWordBytes < address + event.bytes; ++at) {
    if (has_message_[at]) continue;
    has_message_[at] = true;
    const auto early = std::ranges::find(early_, at * kWordBytes, &Early::address);
    if (early == early_.end()) continue;
    early->has_arrived = true;
    early->source = event.value;
    early->channel = event.index;
    if (has_ended_) report_early(*early);
  }
  ask();
}

/// Words that are polled are loaded again after their message.
void UnseenMessages::note_early(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address) / kWordBytes * kWordBytes;
  for (Window& window : windows_) {
    if (!window.contains(address)) continue;
    ++window.uses;
    const auto used_again = std::erase_if(early_, [&](const Early& each) {
      return each.address >= address && each.address < address + event.bytes;
    });
    window.early -= static_cast<unsigned>(used_again);
    const bool is_early = has_message_.empty() || !has_message_[address / kWordBytes];
    if (is_early && window.early < kMostEarly) {
      ++window.early;
      early_.push_back({.address = address, .pc = event.pc, .sends = event.kind == Kind::kCommand});
    }
    if (!is_watched(window)) ask();
    return;
  }
}

void UnseenMessages::ended() {
  has_ended_ = true;
  for (const Early& early : early_)
    if (early.has_arrived) report_early(early);
}

void UnseenMessages::report_early(const Early& early) {
  if (std::ranges::count(reported_, early.pc) != 0) return;
  reported_.push_back(early.pc);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      std::string(early.sends ? "sends" : "reads") + " WRAM " + foundation::hex(early.address) +
          " at pc " + foundation::hex(early.pc) + " before the message of unit " +
          std::to_string(early.source) + " on channel " + std::to_string(early.channel) +
          " arrives there, and never again. Expected a wait_arrivals(" +
          std::to_string(early.channel) + ", …) before. Add one, or let it wait for more."));
}

bool UnseenMessages::is_watched(const Window& window) {
  return window.bytes != 0 && (window.uses < kMostUses || window.early != 0);
}

/// Requests accesses of unseen messages and of windows that are still compared.
void UnseenMessages::ask() {
  range_.clear();
  for (const Message& each : unseen_) range_.add(each.address, each.address + each.bytes);
  for (const Window& window : windows_)
    if (is_watched(window)) range_.add(window.address, window.address + window.bytes);
  range_.ask();
}

/// The core loads bytes, or starts a DMA transfer or a message from them.
void UnseenMessages::used(const ProbeEvent& event) {
  if (!range_.touches(event.address, event.bytes)) return;
  note_early(event);
  if (unseen_.empty()) return;
  const auto message = std::ranges::find_if(unseen_, [&](const Message& each) {
    return event.address < each.address + each.bytes && each.address < event.address + event.bytes;
  });
  if (message == unseen_.end()) return;
  const Message first = *message;
  forget_used(event);
  const bool may_be_flag = first.bytes <= kMostFlagBytes && (counted_ >> first.channel & 1) == 0;
  if (may_be_flag || std::ranges::count(reported_, event.pc) != 0) return;
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

/// The program goes on with these. A flag that it has loaded announces others.
void UnseenMessages::forget_used(const ProbeEvent& event) {
  std::erase_if(unseen_, [&](const Message& each) {
    return is_seen(each) || (event.address < each.address + each.bytes &&
                             each.address < event.address + event.bytes);
  });
  ask();
}

bool UnseenMessages::is_seen(const Message& message) const {
  return tile_.order == nullptr || tile_.order->has_seen(message.source, message.number);
}

void UnseenMessages::forget_seen(const ProbeEvent& event) {
  if (unseen_.empty() || static_cast<std::int32_t>(event.value - event.pushed) < 0) return;
  if (std::erase_if(unseen_, [&](const Message& each) { return is_seen(each); }) != 0) ask();
}

}  // namespace tvp::checks
