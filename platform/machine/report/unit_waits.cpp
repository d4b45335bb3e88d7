#include "platform/machine/report/unit_waits.h"

#include <algorithm>

#include "foundation/regs/pim.h"
#include "platform/machine/report/why_waiting.h"

namespace tvp::platform {

namespace {

namespace stop_regs = regs::pim::stop;

/// The channel whose count of arrivals is at this address; kChannels: none.
unsigned channel_of(std::uint32_t address) {
  const std::uint32_t first = regs::pim::kStop + stop_regs::kWindows;
  const std::uint32_t offset = address - first;
  const bool is_count =
      address >= first && offset % stop_regs::kWindowStride == stop_regs::kArrivals;
  return is_count ? std::min(offset / stop_regs::kWindowStride, stop_regs::kChannels)
                  : stop_regs::kChannels;
}

std::string messages_text(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " message" : " messages");
}

}  // namespace

UnitWaits::UnitWaits(const Units& units, const pim::PimHierarchy& hierarchy,
                     const checks::ChipChecks& checks, const SymbolTable& symbols,
                     support::Cycle now)
    : units_(units), hierarchy_(hierarchy), checks_(checks), symbols_(symbols) {
  for (const auto& unit : units_) add(*unit, now);
  for (const Agent& agent : agents_) {
    if (agent.is_at_barrier) {
      explain_barrier(graph_[agent.wait]);
    } else if (agent.conditions.size() == 1 && agent.conditions[0].is_sum &&
               agent.conditions[0].loads.size() == 1) {
      const unsigned channel = channel_of(agent.conditions[0].loads[0].address);
      if (channel != stop_regs::kChannels) explain_arrivals(agent, channel);
    }
  }
}

void UnitWaits::add(pim::BankUnit& unit, support::Cycle now) {
  const unsigned number = unit.number();
  if (unit.state() == pim::BankUnit::State::kExited) ended_.push_back(number);
  if (unit.state() != pim::BankUnit::State::kRunning || unit.tasklets() != nullptr) return;
  const riscv::Core& core = unit.core();
  const riscv::CoreState state = core.state_at(now);
  if (state == riscv::CoreState::kInReset || state == riscv::CoreState::kRunning) return;
  const auto describe = [&](std::uint32_t pc) { return symbols_.describe(0, number, 0, 0, pc); };
  const auto at = symbols_.place_of({0, number, 0, 0}, core.pc());
  WaitGraph::Wait wait{.who = name_of(number)};
  if (at) wait.place = at->own_text();
  wait.what = why_waiting(core, state, unit.waits_for(), describe);
  Agent agent{.unit = number, .is_at_barrier = unit.is_at_barrier()};
  if (!agent.is_at_barrier && state == riscv::CoreState::kSleepingOnPoll &&
      !core.waiting().is_counting()) {
    agent.conditions = poll_conditions(unit.core());
    if (agent.conditions.size() == 1 && agent.conditions[0].is_sum &&
        agent.conditions[0].loads.size() == 1) {
      const PollCondition& condition = agent.conditions[0];
      wait.what += " to be at least " +
                   std::to_string(condition.loads[0].value + condition.awaited - condition.now) +
                   "; the count is " + std::to_string(condition.loads[0].value);
    }
  }
  agent.wait = graph_.add(wait);
  agents_.push_back(agent);
}

std::string UnitWaits::name_of(unsigned unit) const {
  return "unit " + std::to_string(unit) + " (" + hierarchy_.name_of(unit) + ")";
}

std::string UnitWaits::line_of(unsigned unit, std::uint32_t pc) const {
  const auto at = pc == 0 ? std::nullopt : symbols_.place_of({0, unit, 0, 0}, pc);
  if (!at) return "";
  return " in " + at->own_text();
}

std::string UnitWaits::names_of(const std::vector<unsigned>& units) const {
  constexpr std::size_t kMostNames = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(units.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + name_of(units[i]);
  if (units.size() > kMostNames)
    text += " and " + std::to_string(units.size() - kMostNames) + " more";
  return text;
}

/// Messages of the awaited channel that went to another unit.
std::string UnitWaits::sent_to_others(unsigned channel) const {
  for (const auto& unit : units_) {
    const checks::TileChecks* const tile = checks_.at(unit->number(), 0);
    if (tile == nullptr) continue;
    const auto [to, sent] = tile->unit_record().sent_on(channel);
    if (sent.count == 0) continue;
    return "; " + name_of(unit->number()) + " has sent " + messages_text(sent.count) + " to unit " +
           std::to_string(to) + " instead, the last" + line_of(unit->number(), sent.pc);
  }
  return "";
}

std::string UnitWaits::last_transfer_of(unsigned unit) const {
  const checks::TileChecks* const tile = checks_.at(unit, 0);
  if (tile == nullptr) return "";
  const auto all = tile->unit_record().transfers();
  const auto last =
      std::find_if(all.rbegin(), all.rend(), [](const auto& transfer) { return transfer.pc != 0; });
  return last == all.rend()
             ? ""
             : "; the last transfer of " + name_of(unit) + " was" + line_of(unit, last->pc);
}

void UnitWaits::explain_barrier(WaitGraph::Wait& wait) const {
  for (const Agent& other : agents_)
    if (!other.is_at_barrier) wait.givers.push_back(other.wait);
  if (!wait.givers.empty() || ended_.empty()) return;
  wait.cause =
      names_of(ended_) + (ended_.size() == 1 ? " has" : " have") + " ended without reaching it";
  wait.reason = WaitGraph::Reason::kGiversEnded;
}

void UnitWaits::explain_arrivals(const Agent& agent, unsigned channel) {
  WaitGraph::Wait& wait = graph_[agent.wait];
  std::vector<unsigned> senders, ended;
  for (const auto& unit : units_) {
    const checks::TileChecks* const tile = checks_.at(unit->number(), 0);
    if (tile == nullptr || tile->unit_record().sent_to(agent.unit, channel).count == 0) continue;
    senders.push_back(unit->number());
    if (unit->state() == pim::BankUnit::State::kExited) ended.push_back(unit->number());
  }
  for (const Agent& other : agents_) {
    if (other.unit == agent.unit) continue;
    const bool has_sent = std::ranges::count(senders, other.unit) != 0;
    (has_sent ? wait.givers : wait.candidates).push_back(other.wait);
  }
  const bool nobody_left = senders.empty() ? wait.candidates.empty() : wait.givers.empty();
  if (nobody_left) wait.reason = WaitGraph::Reason::kGiversEnded;
  if (senders.empty()) {
    wait.is_unsignalled = true;
    wait.is_likely_root = true;
    wait.cause = "no unit has sent it a message on this channel" + sent_to_others(channel);
    if (!ended_.empty()) {
      const auto kernel = symbols_.program_of({0, ended_[0], 0, 0});
      const std::string file = kernel ? kernel->file.substr(kernel->file.rfind('/') + 1) : "";
      wait.cause +=
          ", and " + std::to_string(ended_.size()) + (ended_.size() == 1 ? " unit" : " units") +
          (file.empty() ? "" : " (" + file + ")") + (ended_.size() == 1 ? " has" : " have") +
          " ended without a send to it" + last_transfer_of(ended_[0]);
    }
  } else {
    const unsigned last = ended.empty() ? senders.back() : ended.back();
    const checks::UnitRecord::Sent sent =
        checks_.at(last, 0)->unit_record().sent_to(agent.unit, channel);
    wait.cause = name_of(last) + (ended.empty() ? " has sent " : " has ended after sending ") +
                 messages_text(sent.count) + ", the last" + line_of(last, sent.pc);
    if (senders.size() > 1)
      wait.cause += ", and " + std::to_string(senders.size() - 1) + " more have sent some";
  }
  wait.gives = wait.cause;
}

}  // namespace tvp::platform
