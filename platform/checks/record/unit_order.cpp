#include "platform/checks/record/unit_order.h"

#include <algorithm>

#include "platform/checks/tile_context.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

std::uint32_t UnitOrder::Sent::known_step(unsigned other) const {
  if (unit->x == other) return step;
  const std::size_t index = 2 * std::size_t{other};
  return index < known->size() ? (*known)[index] : 0;
}

bool UnitOrder::Sent::knows_left(unsigned other, std::uint32_t message) const {
  if (unit->x == other) return number >= message;
  const std::size_t index = 2 * std::size_t{other} + 1;
  return index < known->size() && (*known)[index] >= message;
}

UnitOrder::Unit& UnitOrder::add(const TileContext& context) {
  if (context.x >= units_.size()) units_.resize(context.x + 1);
  units_[context.x] = std::make_unique<Unit>(*this, context);
  return *units_[context.x];
}

bool UnitOrder::is_new(std::uint32_t one, std::uint32_t other) {
  const auto places = std::make_pair(one, other);
  if (std::ranges::find(reported_, places) != reported_.end()) return false;
  reported_.push_back(places);
  return true;
}

UnitOrder::Unit::Unit(UnitOrder& system, const TileContext& context)
    : system_(system), context_(context), number_(context.x), known_(std::make_shared<Clock>()) {}

void UnitOrder::Unit::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      if (event.agent == BusMaster::kPimStop) issues(event);
      return;
    case Kind::kServed:
      return serves(event);
    case Kind::kCounterRead:
      if (event.agent == BusMaster::kPimStop) counts(event);
      return;
    case Kind::kRead:
      if (event.agent == BusMaster::kB) loads(event);
      return;
    case Kind::kBarrier:
      return meets(event);
    case Kind::kReset:
      return reset();
    default:
      return;
  }
}

void UnitOrder::Unit::raise(Clock& clock, std::size_t index, std::uint32_t value) {
  if (clock.size() <= index) clock.resize(index + 1);
  clock[index] = std::max(clock[index], value);
}

void UnitOrder::Unit::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

/// The clock of the unit, for a change. Messages that are on their way keep the clock before it.
UnitOrder::Clock& UnitOrder::Unit::own() {
  ++learned_;
  if (known_.use_count() > 1) known_ = std::make_shared<Clock>(*known_);
  return *known_;
}

void UnitOrder::Unit::ends_step(std::uint32_t pc) {
  ends_[step_ % kEnds] = {step_, pc};
  ++step_;
}

std::uint32_t UnitOrder::Unit::end_of(std::uint32_t step) const {
  const auto& [known_step, pc] = ends_[step % kEnds];
  return known_step == step ? pc : 0;
}

void UnitOrder::Unit::issues(const ProbeEvent& event) {
  ++issued_;
  const Sent sent{.known = known_,
                  .unit = &context_,
                  .step = step_,
                  .number = issued(),
                  .pc = event.pc,
                  .copies = event.packets};
  if (event.is_broadcast) {
    join(system_.reduced_, *known_);
    raise(system_.reduced_, 2 * number_, step_);
    raise(system_.reduced_, 2 * number_ + 1, issued());
  }
  if (sent_.size() == kMostSent) sent_.pop_front();
  sent_.push_back(sent);
  ends_step(event.pc);
}

UnitOrder::Sent UnitOrder::Unit::take(std::uint32_t number) {
  number += before_;
  if (sent_.empty() || number - sent_.front().number >= sent_.size()) return {};
  Sent& sent = sent_[number - sent_.front().number];
  const Sent taken = sent;
  if (sent.copies > 0) --sent.copies;
  while (!sent_.empty() && sent_.front().copies == 0) sent_.pop_front();
  return taken;
}

void UnitOrder::Unit::serves(const ProbeEvent& event) {
  const unsigned source = event.value;
  Unit* const sender = system_.at(source);
  latest_ = sender == nullptr ? Sent{} : sender->take(event.packets);
  if (event.is_broadcast && latest_.known != nullptr)
    latest_.known = std::make_shared<Clock>(system_.reduced_);
  const std::uint32_t count = ++arrivals_.at(event.index);
  if (latest_.known == nullptr) return;
  if (unseen_.size() == kMostUnseen) {
    see(unseen_.front());
    forget_seen();
  }
  ++changes_;
  unseen_.push_back({.sent = latest_,
                     .source = source,
                     .channel = event.index,
                     .count = count,
                     .address = static_cast<std::uint32_t>(event.address),
                     .bytes = event.bytes,
                     .word = event.popped});
  if (unseen_.back().is_flag()) ++unseen_flags_;
}

void UnitOrder::Unit::counts(const ProbeEvent& event) {
  if (static_cast<std::int32_t>(event.value - event.pushed) < 0) return;  // it waits on
  if (event.index == 0) {
    const std::uint32_t left = before_ + event.pushed;
    if (!has_left(left)) raise(own(), 2 * number_ + 1, left);
    return;
  }
  bool any = false;
  for (const Arrived& each : unseen_) {
    if (each.channel + 1 != event.index || static_cast<std::int32_t>(event.pushed - each.count) < 0)
      continue;
    see(each);
    any = true;
  }
  if (any) forget_seen();
}

/// A core that waits in a loop for a count knows the first flag that has it.
void UnitOrder::Unit::loads(const ProbeEvent& event) {
  if (unseen_flags_ == 0) return;
  const auto is_reached = [&](std::uint32_t word) {
    return static_cast<std::int32_t>(word - event.pushed) >= 0;
  };
  if (event.is_local) {
    const auto known = words_.find(static_cast<std::uint32_t>(event.address));
    if (known != words_.end() && is_reached(known->second)) return;  // no need for another flag
  }
  bool any = false;
  for (const Arrived& each : unseen_) {
    if (!each.is_flag() || event.address >= each.address + each.bytes ||
        each.address >= event.address + event.bytes)
      continue;
    if (event.is_local && !is_reached(each.word)) continue;
    see(each);
    any = true;
    if (event.is_local) break;
  }
  if (any) forget_seen();
}

void UnitOrder::Unit::see(const Arrived& arrived) {
  ++changes_;
  const Sent& sent = arrived.sent;
  if (seen_.size() <= arrived.source) seen_.resize(arrived.source + 1);
  std::uint32_t& seen = seen_[arrived.source];
  seen = std::max(seen, sent.number);
  if (arrived.is_flag()) words_[arrived.address] = arrived.word;
  const std::size_t index = 2 * std::size_t{arrived.source};
  const bool is_known = entry(*known_, index) >= sent.step &&
                        entry(*known_, index + 1) >= sent.number && arrived.source != number_;
  if (is_known) return;
  Clock& clock = own();
  join(clock, *sent.known);
  raise(clock, index, sent.step);
  raise(clock, index + 1, sent.number);
}

void UnitOrder::Unit::forget_seen() {
  std::erase_if(unseen_, [&](const Arrived& each) {
    const bool is_seen = has_seen(each.source, each.sent.number);
    if (is_seen && each.is_flag()) --unseen_flags_;
    return is_seen;
  });
}

void UnitOrder::Unit::meets(const ProbeEvent& event) {
  if (event.is_written) {
    Meeting& meeting = system_.meetings_[{event.index, met_++}];
    if (meeting.clock == nullptr) {
      meeting.first = known_;
      meeting.clock = std::make_shared<Clock>(*known_);
      // All units have passed the barrier before the last one.
      if (met_ > 2) system_.meetings_.erase({event.index, met_ - 3});
    } else if (meeting.first != known_) {
      join(*meeting.clock, *known_);
    }
    raise(*meeting.clock, 2 * number_, step_);
    return ends_step(event.pc);
  }
  if (event.value != met_ || passed_ == met_) return;
  passed_ = met_;
  ++learned_;
  const auto meeting = system_.meetings_.find({event.index, met_ - 1});
  if (meeting == system_.meetings_.end()) return;
  // It has learned nothing while it waited, or little: what all know includes what it knew.
  Clock known = *known_;
  join(known, *meeting->second.clock);
  known_ = known == *meeting->second.clock ? meeting->second.clock
                                           : std::make_shared<Clock>(std::move(known));
}

void UnitOrder::Unit::reset() {
  before_ += issued_;
  issued_ = 0;
  sent_.clear();
  unseen_.clear();
  unseen_flags_ = 0;
  words_.clear();
  arrivals_ = {};
  met_ = passed_ = 0;
  ends_step(0);
}

}  // namespace tvp::checks
