#include "platform/machine/report/word_waits.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "platform/machine/report/stream_address.h"

namespace tvp::platform {

namespace {

using Relation = PollCondition::Relation;
using Reason = WaitGraph::Reason;
namespace tile_regs = regs::tensix_tile;

bool is_register(std::uint32_t address) { return address >= 0xFF000000; }

/// True if further signals, which only count up, cannot end the wait.
bool is_passed(const PollCondition& condition) {
  return condition.relation == Relation::kEqual && condition.awaited != 0 &&
         condition.now > condition.awaited;
}

}  // namespace

void WordWaits::explain(const CoreAgent& agent, const PollCondition& compared, Wait& wait) const {
  const PollCondition condition = by_loads(compared);
  std::string places;
  bool in_l1 = true;
  unsigned niu = 2;
  for (const PollCondition::Load& load : condition.loads) {
    const std::uint32_t address = load.address;
    std::string place = "L1 " + foundation::hex(address);
    if (is_stream(address)) {
      place = "register " + std::to_string(stream_index(address)) + " of stream " +
              std::to_string(stream_of(address));
    } else if (address >= tile_regs::kNiu0 && address < tile_regs::kOverlay) {
      niu = address < tile_regs::kNiu1 ? 0 : 1;
      place = "NoC " + std::to_string(niu) + " NIU";
    } else if (is_register(address)) {
      place = "register " + foundation::hex(address);
    }
    in_l1 = in_l1 && !is_register(address);
    if (!condition.is_sum && places.find(place) != std::string::npos) continue;
    if (!places.empty()) places += !condition.is_sum ? ", " : load.sign > 0 ? " plus " : " minus ";
    places += place;
  }
  if (places.empty()) return;
  wait.what = places;
  if (condition.is_sum) {
    wait.what += relation_text(condition) + "; it is " +
                 std::to_string(static_cast<std::int32_t>(condition.now));
    if (in_l1 && condition.loads.size() == 1 && is_passed(condition)) {
      wait.what += " and has passed it";
      wait.reason = Reason::kImpossible;
    }
  }
  if (niu < 2) {
    wait.cause = "no further answer comes";
    wait.reason = Reason::kImpossible;
  }
  if (in_l1) find_signallers(agent, condition, wait);
}

/// "chip0.tensix(2,1).BRISC (fill.cpp) has signalled it 12 times, the last in kernel_main (…)".
std::string WordWaits::signal_text(const CoreAgent& by, const checks::HandOvers::Signaller& signal,
                                   const std::string& did) const {
  const std::string increment =
      signal.increment > 1 ? " by " + std::to_string(signal.increment) : std::string();
  const std::string times = signal.count == 1
                                ? " once" + increment
                                : " " + std::to_string(signal.count) + " times" + increment +
                                      (increment.empty() ? "" : " each") + ", the last";
  return cores_.kernel_name(by) + did + times + cores_.line_of(by.view, signal.pc, signal.cycle) +
         " (cycle " + std::to_string(signal.cycle) + ")";
}

WordWaits::Signals WordWaits::signals_of(const CoreAgent& agent, const PollCondition& condition,
                                         Wait& wait) const {
  Signals signals;
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  if (record == nullptr) return signals;
  for (const PollCondition::Load& load : condition.loads) {
    for (const auto& each : record->hand_overs().signallers(load.address & ~3U)) {
      const CoreAgent* const giver =
          cores_.at(agent.view.chip, each.x, each.y, static_cast<unsigned>(each.core));
      if (giver == nullptr) continue;
      signals.by.push_back(giver);
      const std::string& kernel = cores_.kernel_of(*giver);
      if (!kernel.empty() && !giver->place.is_of_service) signals.kernels.push_back(kernel);
      const bool alive =
          cores_.add_giver(*giver, wait.givers) || giver->state == CoreAgent::State::kRuns;
      signals.all_ended = signals.all_ended && !alive;
      signals.text =
          signal_text(*giver, each, alive ? " has signalled it" : " has ended after signalling it");
      if (is_passed(condition)) signals.text += waits_of(*giver);
    }
  }
  return signals;
}

void WordWaits::find_signallers(const CoreAgent& agent, const PollCondition& condition,
                                Wait& wait) const {
  const Signals signals = signals_of(agent, condition, wait);
  if (signals.by.empty()) return nobody_signalled(agent, condition, wait);
  wait.gives = signals.text;
  if (signals.by.size() == 2) wait.gives += ", and so has 1 other";
  if (signals.by.size() > 2)
    wait.gives += ", and so have " + std::to_string(signals.by.size() - 1) + " others";
  // Cores with the kernel of a signaller that have not signalled.
  std::string peer;
  std::size_t peers = 0;
  bool all_ended = signals.all_ended;
  for (const CoreAgent& other : cores_.all()) {
    if (&other == &agent || std::ranges::count(signals.by, &other) != 0 ||
        !cores_.in_kernel(other) ||
        std::ranges::count(signals.kernels, cores_.kernel_of(other)) == 0)
      continue;
    if (peers++ == 0) peer = other.view.core->where();
    if (cores_.add_giver(other, wait.givers) || other.state == CoreAgent::State::kRuns)
      all_ended = false;
  }
  if (peers != 0)
    wait.gives += "; " + peer + (peers > 1 ? " and " + std::to_string(peers - 1) + " more" : "") +
                  " with the same kernel " + (peers > 1 ? "have" : "has") + " not";
  if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
  wait.cause = wait.gives;
}

void WordWaits::nobody_signalled(const CoreAgent& agent, const PollCondition& condition,
                                 Wait& wait) const {
  const CoreView& view = agent.view;
  const auto file_of = [&](const CoreAgent& of) {
    const std::string& kernel = cores_.kernel_of(of);
    return kernel.substr(kernel.rfind('/') + 1);
  };
  std::set<std::string> ended, waiting;  // kernels
  std::string last_of_ended;
  std::vector<std::pair<int, const CoreAgent*>> ranked;
  for (const CoreAgent& other : cores_.all()) {
    if (&other == &agent) continue;
    const bool is_of_tile = other.view.chip == view.chip && other.view.x == view.x &&
                            other.view.y == view.y && other.view.kind <= TENSIX_VP_CORE_NCRISC;
    if (other.state == CoreAgent::State::kEnded && cores_.in_kernel(other)) {
      if (file_of(other).empty()) continue;
      ended.insert(file_of(other));
      last_of_ended = last_command_of(other);
    } else if (other.state == CoreAgent::State::kWaits && other.place.text != agent.place.text &&
               (is_of_tile ? cores_.stores_signals(other) : cores_.signals(other))) {
      // Cores with the same kernel come first, then the same core of other tiles.
      const bool is_same = cores_.kernel_of(other) == cores_.kernel_of(agent);
      ranked.emplace_back(is_same ? 0 : other.view.kind == view.kind ? 1 : 2, &other);
    } else if (other.state == CoreAgent::State::kWaits && !is_of_tile && cores_.in_kernel(other) &&
               other.view.kind <= TENSIX_VP_CORE_NCRISC &&
               cores_.kernel_of(other) != cores_.kernel_of(agent)) {
      waiting.insert(file_of(other));
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr std::size_t kMostCandidates = 16;
  if (ranked.size() > kMostCandidates) ranked.resize(kMostCandidates);
  std::set<std::string> able;  // kernels of the candidates
  for (const auto& [rank, other] : ranked) {
    wait.candidates.push_back(other->wait);
    able.insert(file_of(*other));
  }
  const auto list = [](const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text = comma(text, name);
    return text;
  };
  wait.is_unsignalled = true;
  const std::string earlier = earlier_signals(agent, condition);
  wait.gives = earlier.empty() ? "no core of another tile has signalled it" : earlier;
  const std::string known = earlier.empty() ? holders(agent, condition, wait) : std::string();
  wait.gives += known;
  if (known.empty() && !able.empty())
    wait.gives += "; these signal semaphores, but wait: " + list(able);
  if (wait.candidates.empty()) {
    const bool is_open = known.empty() && earlier.empty();
    if (is_open) wait.gives += ", and no other kernel that waits signals semaphores";
    if (is_open && !waiting.empty())
      wait.gives += "; these wait without a noc_semaphore_inc before: " + list(waiting);
    if (is_open && !ended.empty())
      wait.gives += "; these have ended without signalling it: " + list(ended) +
                    (ended.size() == 1 ? last_of_ended : "");
    if (agent.place.called.starts_with("fabric_client_disconnect") ||
        agent.place.called.starts_with("close"))
      wait.gives += "; the router has never answered " + cores_.kernel_name(agent) +
                    ", so the open of its connection is missing";
    if (wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
  }
  const std::string strayed = strayed_signal(agent, condition);
  if (!strayed.empty() && wait.reason != Reason::kImpossible) wait.reason = Reason::kStrayed;
  wait.gives += strayed;
  wait.cause = wait.gives;
}

/// Signals that came before the program of the waiting core began.
std::string WordWaits::earlier_signals(const CoreAgent& agent,
                                       const PollCondition& condition) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  if (record == nullptr) return "";
  for (const PollCondition::Load& load : condition.loads) {
    if (load.value == 0) continue;
    for (const auto& each : record->hand_overs().earlier_signallers(load.address & ~3U)) {
      const CoreAgent* const by =
          cores_.at(agent.view.chip, each.x, each.y, static_cast<unsigned>(each.core));
      if (by != nullptr)
        return "before this program began, " + signal_text(*by, each, " has signalled it") +
               waits_of(*by);
    }
  }
  return "";
}

/// The places at which the kernel waits for semaphores. If a signal came too early, one of these
/// waits does not hold the kernel back.
std::string WordWaits::waits_of(const CoreAgent& agent) const {
  const std::string lines = cores_.symbols().lines_of_calls(
      agent.view.owner(), {"noc_semaphore_wait", "noc_semaphore_wait_min"});
  return lines.empty() ? "" : "; that kernel waits for semaphores at " + lines;
}

std::string WordWaits::last_command_of(const CoreAgent& agent) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  if (record == nullptr || agent.view.kind > TENSIX_VP_CORE_NCRISC) return "";
  const checks::HandOvers::Command& last = record->hand_overs().last_command(agent.view.kind);
  const std::string line = cores_.line_of(agent.view, last.pc, last.cycle);
  return line.empty() ? "" : "; its last command to a NIU was" + line;
}

/// Kernels among whose arguments the address of the awaited word is. They alone can end the wait.
std::string WordWaits::holders(const CoreAgent& agent, const PollCondition& condition,
                               Wait& wait) const {
  constexpr std::uint32_t kLowest = 0x1000;  // smaller arguments may be numbers
  // A word without a signal that is not 0 comes from a store of this tile or the host.
  if (condition.loads.size() != 1 || condition.loads[0].address < kLowest ||
      condition.loads[0].value != 0)
    return "";
  std::string text;
  const CoreAgent* first = nullptr;
  std::size_t argument = 0, more = 0;
  std::vector<std::size_t> waits;
  bool all_ended = true;
  for (const CoreAgent& other : cores_.all()) {
    const checks::TileRecord* const record = cores_.record_of(other.view);
    if (record == nullptr || other.view.kind > TENSIX_VP_CORE_NCRISC ||
        cores_.kernel_of(other).empty() || cores_.kernel_of(other) == cores_.kernel_of(agent))
      continue;
    const std::vector<std::uint32_t>& given = record->hand_overs().arguments(other.view.kind);
    const auto found = std::ranges::find(given, condition.loads[0].address);
    if (found == given.end()) continue;
    const bool alive = cores_.add_giver(other, waits) || other.state == CoreAgent::State::kRuns;
    all_ended = all_ended && !alive;
    if (first != nullptr) {
      ++more;
      continue;
    }
    first = &other;
    argument = static_cast<std::size_t>(found - given.begin());
  }
  if (first == nullptr) return "";
  wait.candidates = waits;
  if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
  const bool has_ended = first->state == CoreAgent::State::kEnded;
  return "; its address is argument " + std::to_string(argument) + " of " +
         cores_.kernel_name(*first) +
         (more == 0 ? "" : " and of " + std::to_string(more) + " other cores") +
         (has_ended ? ", which has ended; either it did not send the signal, or the signal went "
                      "elsewhere"
                    : "; either it does not send the signal, or the signal went elsewhere") +
         last_command_of(*first);
}

/// A signal to the same address of a tile without a kernel probably has a wrong coordinate.
std::string WordWaits::strayed_signal(const CoreAgent& agent,
                                      const PollCondition& condition) const {
  const unsigned chip = agent.view.chip;
  for (const auto& tile : cores_.chip(chip).tensix_tiles()) {
    const checks::TileRecord* const record = cores_.record_at(chip, tile->x(), tile->y());
    if (record == nullptr) continue;
    const checks::HandOvers& there = record->hand_overs();
    if (there.knows_kernels()) continue;
    for (const PollCondition::Load& load : condition.loads) {
      for (const auto& each : there.signallers(load.address & ~3U)) {
        const CoreAgent* const sender =
            cores_.at(chip, each.x, each.y, static_cast<unsigned>(each.core));
        if (sender == nullptr) continue;
        return "; instead " + cores_.kernel_name(*sender) +
               " has signalled this address of tile (" + std::to_string(tile->x()) + "," +
               std::to_string(tile->y()) + "), which runs no kernel," +
               cores_.line_of(sender->view, each.pc, each.cycle);
      }
    }
  }
  return "";
}

}  // namespace tvp::platform
