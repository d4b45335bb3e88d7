#include "platform/checks/memory/unordered_messages.h"

#include <algorithm>

#include "foundation/hex.h"
#include "platform/checks/record/unit_order.h"

namespace tvp::checks {

using foundation::hex;
using Kind = ProbeEvent::Kind;

namespace {

/// Limit of uses in the list, above the number of slots of a program.
constexpr std::size_t kMostUsesOfWram = 256;

}  // namespace

UnorderedMessages::UnorderedMessages(const TileContext& tile)
    : Check(tile), order_(tile.order), range_(tile, TileContext::Kind::kPimUnit) {}

Probe::Kinds UnorderedMessages::kinds() const {
  if (order_ == nullptr) return 0;
  Probe::Kinds kinds = 0;
  for (const Kind kind : {Kind::kServed, Kind::kCounterRead, Kind::kCommand, Kind::kRead,
                          Kind::kWritten, Kind::kReset, Kind::kBuffer})
    kinds |= Probe::bit(kind);
  return kinds;
}

void UnorderedMessages::on(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address);
  switch (event.kind) {
    case Kind::kServed:
      return arrived(event);
    case Kind::kCounterRead:
      return counted(event);
    case Kind::kBuffer: {
      Window& window = windows_.at(event.index);
      if (window.address != address || window.bytes != event.bytes)
        window = {address, event.bytes, order_->step(), event.pc};
      return ask();
    }
    case Kind::kReset:
      uses_.clear();
      windows_ = {};
      transfers_ = 0;
      return ask();
    case Kind::kCommand: {
      if (event.thread != 0) return;  // its tasklet waits
      // A message ends the step in which it was issued.
      const bool is_message = event.agent == BusMaster::kPimStop;
      return begins({.kind = is_message ? Use::Kind::kSource : Use::Kind::kDma,
                     .address = address,
                     .bytes = event.bytes,
                     .pc = event.pc,
                     .number = is_message ? order_->issued() : ++transfers_,
                     .begun = order_->step() - (is_message ? 1 : 0)});
    }
    default:
      if (event.agent == BusMaster::kB) accessed(event);
      return;
  }
}

/// Only places in windows matter, since messages go nowhere else.
void UnorderedMessages::begins(const Use& use) {
  if (use.bytes == 0 || std::ranges::none_of(windows_, [&](const Window& window) {
        return use.meets(window.address, window.bytes);
      }))
    return;
  // The engine, or the stop, serves its commands in order.
  std::erase_if(uses_, [&](const Use& each) {
    return each.kind == use.kind && each.kind != Use::Kind::kMessage &&
           each.address == use.address && each.bytes == use.bytes;
  });
  if (uses_.size() == kMostUsesOfWram) uses_.erase(uses_.begin());
  uses_.push_back(use);
}

void UnorderedMessages::counted(const ProbeEvent& event) {
  if (static_cast<std::int32_t>(event.value - event.pushed) < 0) return;  // it waits on
  if (event.index != 0) return update_messages();
  const bool is_dma = event.agent == BusMaster::kPimDma;
  for (Use& each : uses_) {
    const bool is_over = is_dma ? each.kind == Use::Kind::kDma &&
                                      static_cast<std::int32_t>(event.pushed - each.number) >= 0
                                : each.kind == Use::Kind::kSource && order_->has_left(each.number);
    if (is_over && each.over == 0) each.over = order_->step();
  }
}

/// A load of the core may show it that a flag is here.
void UnorderedMessages::accessed(const ProbeEvent& event) {
  update_messages();
  const auto address = static_cast<std::uint32_t>(event.address);
  // A core reads a message word by word, and no other message lies there.
  if (latest_ < uses_.size() && uses_[latest_].kind == Use::Kind::kMessage &&
      uses_[latest_].over == order_->step() && uses_[latest_].has(address, event.bytes))
    return;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    Use& each = uses_[i];
    if (each.kind != Use::Kind::kMessage || each.over == 0 || !each.meets(address, event.bytes))
      continue;
    each.over = order_->step();
    latest_ = i;
  }
}

void UnorderedMessages::update_messages() {
  if (changes_ == order_->changes()) return;
  changes_ = order_->changes();
  ask();
  for (Use& each : uses_)
    if (each.kind == Use::Kind::kMessage && each.over == 0 &&
        order_->has_seen(each.source, each.number))
      each.over = order_->step();
}

void UnorderedMessages::arrived(const ProbeEvent& event) {
  const auto address = static_cast<std::uint32_t>(event.address);
  if (event.bytes != 0 && order_->latest().known != nullptr) {
    const UnitOrder::Sent& sent = order_->latest();
    const Window& window = windows_.at(event.index);
    if (window.bytes != 0 && !sent.knows_step(tile_.x, window.step)) report_window(window, event);
    const bool is_flag = event.bytes <= UnitOrder::kMostFlagBytes;
    for (const Use& use : uses_) {
      if (!use.meets(address, event.bytes) ||
          (is_flag && use.kind == Use::Kind::kMessage && use.bytes <= UnitOrder::kMostFlagBytes))
        continue;
      const bool is_over = (use.over != 0 && sent.knows_step(tile_.x, use.over)) ||
                           (use.kind == Use::Kind::kSource && sent.knows_left(tile_.x, use.number));
      if (is_over) continue;
      report_use(use, event);
      break;
    }
    std::erase_if(uses_, [&](const Use& each) {
      return each.meets(address, event.bytes) &&
             (each.over != 0 || each.kind == Use::Kind::kMessage);
    });
    begins({.kind = Use::Kind::kMessage,
            .address = address,
            .bytes = event.bytes,
            .pc = sent.pc,
            .number = sent.number,
            .source = event.value,
            .begun = order_->step()});
  }
  ask();
}

void UnorderedMessages::report_window(const Window& window, const ProbeEvent& event) {
  const UnitOrder::Sent& sent = order_->latest();
  if (!tile_.units->is_new(sent.pc, window.pc)) return;
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, sent.unit->where,
      "sends " + std::to_string(event.bytes) + " bytes to " + tile_.where + ", channel " +
          std::to_string(event.index) + ", at pc " + hex(sent.pc) +
          ", and does not know whether the window there is set. It was set in time only by luck. "
          "Expected a barrier between the set_window of " +
          tile_.where + " and the send. Add one." + place_text("set_window", window.pc)));
}

/// Either the sender has not waited long enough, or the unit has let it go on too early.
void UnorderedMessages::report_use(const Use& use, const ProbeEvent& event) {
  const UnitOrder::Sent& sent = order_->latest();
  if (!tile_.units->is_new(sent.pc, use.pc)) return;
  const std::string& unit = tile_.where;
  std::string used, wait, lines;
  switch (use.kind) {
    case Use::Kind::kMessage:
      used = "the message of unit " + std::to_string(use.source);
      wait = "wait_arrivals";
      break;
    case Use::Kind::kDma:
      used = "a DMA of " + unit;
      wait = "dma_wait";
      break;
    case Use::Kind::kSource:
      used = "a message of " + unit;
      wait = "send_wait";
      break;
  }
  const std::uint32_t heard = sent.known_step(tile_.x);
  const std::uint32_t end = heard < use.begun ? 0 : order_->end_of(heard);
  std::string text = "sends " + std::to_string(event.bytes) + " bytes to " + unit + ", channel " +
                     std::to_string(event.index) + ", at pc " + hex(sent.pc) + " over " + used +
                     " at WRAM " + hex(static_cast<std::uint32_t>(event.address)) +
                     ", and does not know that " + unit +
                     " has finished with it. The place was free in time only by luck. Expected a "
                     "wait_arrivals for a later message of " +
                     unit + ", or a barrier, before the send";
  if (end != 0)
    text += ", or a " + wait + " in " + unit + " before it lets " + sent.unit->where + " go on";
  text += ". Add one, or let it wait for more.";
  if (use.kind != Use::Kind::kMessage) text += place_text("its command", use.pc);
  if (end != 0) text += place_text("lets others go on", end);
  tile_.warnings.warn(foundation::Fault(foundation::FaultKind::kFirmware, sent.unit->where, text));
}

/// "\n  unit2 sets the window in main (sum.cpp:32)".
std::string UnorderedMessages::place_text(const std::string& what, std::uint32_t pc) const {
  const std::string line =
      tile_.cores.empty() ? "" : tile_.names.describe(tile_.owner(tile_.cores[0]), pc);
  return "\n  " + tile_.where + ": " + what + (line.empty() ? " at pc " + hex(pc) : " in " + line);
}

void UnorderedMessages::ask() {
  range_.clear();
  for (const UnitOrder::Unit::Arrived& each : order_->unseen())
    if (each.is_flag()) range_.add(each.address, each.address + each.bytes);
  if (tile_.keeps_stores)
    for (const Window& window : windows_)
      if (window.bytes != 0) range_.add(window.address, window.address + window.bytes);
  range_.ask();
}

}  // namespace tvp::checks
