#include "models/ddr/ca_bus.h"

#include <algorithm>
#include <iterator>

namespace tvp::ddr {

unsigned CaBus::slots_of(CaCommand command) const {
  switch (command) {
    case CaCommand::kActivate:
      return timing_.activate_slots;
    case CaCommand::kRead:
    case CaCommand::kReadAutoPrecharge:
    case CaCommand::kWrite:
    case CaCommand::kWriteAutoPrecharge:
      return timing_.column_slots;
    case CaCommand::kDeselect:
      return 0;
    default:
      return timing_.other_slots;
  }
}

std::size_t CaBus::place_of(unsigned slots, MemCycle& at) const {
  if (taken_.empty() || taken_.back().end <= at) return taken_.size();
  std::size_t next = 0;
  for (; next < taken_.size() && taken_[next].begin < at + slots; ++next)
    at = std::max(at, taken_[next].end);
  return next;
}

MemCycle CaBus::first_free(unsigned slots, MemCycle earliest) const {
  if (slots != 0) place_of(slots, earliest);
  return earliest;
}

MemCycle CaBus::take(unsigned slots, MemCycle earliest) {
  if (slots == 0) return earliest;
  MemCycle at = earliest;
  const auto next = taken_.begin() + static_cast<std::ptrdiff_t>(place_of(slots, at));
  stats_.waited += at - earliest;
  const bool joins_before = next != taken_.begin() && std::prev(next)->end == at;
  const bool joins_behind = next != taken_.end() && next->begin == at + slots;
  if (joins_before && joins_behind) {
    std::prev(next)->end = next->end;
    taken_.erase(next);
  } else if (joins_before) {
    std::prev(next)->end = at + slots;
  } else if (joins_behind) {
    next->begin = at;
  } else {
    taken_.insert(next, {at, at + slots});
  }
  if (taken_.size() > kKept) taken_.erase(taken_.begin());
  return at;
}

MemCycle CaBus::issue(CaCommand command, MemCycle earliest, std::uint32_t ranks) {
  const unsigned slots = slots_of(command);
  if (command == CaCommand::kPim) {
    stats_.pim_slots += slots;
  } else {
    stats_.normal_slots += slots;
  }
  if (external_ == nullptr) return take(slots, earliest);
  return count_wait(external_->issue({.code = command, .ranks = ranks}, earliest), earliest);
}

MemCycle CaBus::issue_pim(unsigned words, MemCycle earliest, PimWord first) {
  const unsigned slots = words * timing_.other_slots;
  stats_.pim_slots += slots;
  if (external_ == nullptr) return take(slots, earliest);
  const ExternalCaBus::Command command{
      .code = CaCommand::kPim, .ranks = first.ranks, .operand = first.payload, .words = words};
  return count_wait(external_->issue(command, earliest), earliest);
}

MemCycle CaBus::count_wait(MemCycle slot, MemCycle earliest) {
  stats_.waited += slot - earliest;
  return slot;
}

std::optional<MemCycle> CaBus::arrive(const ExternalCaBus::Arrival& arrival, MemCycle earliest) {
  const ExternalCaBus::Answer answer = external_->arrive(arrival, earliest);
  if (answer.spoken) {
    stats_.pim_slots += timing_.other_slots;
    count_wait(answer.slot, answer.wanted);
  }
  return answer.all ? std::optional(answer.known) : std::nullopt;
}

}  // namespace tvp::ddr
