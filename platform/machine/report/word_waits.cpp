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

/// " to be at least 3".
std::string relation_text(const PollCondition& condition) {
  const std::string value = std::to_string(static_cast<std::int32_t>(condition.awaited));
  switch (condition.relation) {
    case Relation::kEqual:
      return " to be " + value;
    case Relation::kNotEqual:
      return condition.awaited == 0 ? " to be at least 1" : " to be other than " + value;
    case Relation::kAtLeast:
      return " to be at least " + value;
    case Relation::kAtMost:
      return condition.awaited == 0 ? " to be 0" : " to be at most " + value;
  }
  return "";
}

/// True if further signals, which only count up, cannot end the wait.
bool is_passed(const PollCondition& condition) {
  return condition.relation == Relation::kEqual && condition.awaited != 0 &&
         condition.now > condition.awaited;
}

/// The condition for the sum of its loads, without a constant, and with a positive first load.
PollCondition by_loads(PollCondition condition) {
  if (!condition.is_sum || condition.loads.empty()) return condition;
  std::uint32_t total = 0;
  for (const PollCondition::Load& load : condition.loads)
    total += load.sign > 0 ? load.value : 0U - load.value;
  std::uint32_t missing = condition.awaited - condition.now;
  if (condition.loads[0].sign < 0) {
    for (PollCondition::Load& load : condition.loads) load.sign = -load.sign;
    total = 0U - total;
    missing = 0U - missing;
    if (condition.relation == Relation::kAtLeast)
      condition.relation = Relation::kAtMost;
    else if (condition.relation == Relation::kAtMost)
      condition.relation = Relation::kAtLeast;
  }
  condition.now = total;
  condition.awaited = total + missing;
  return condition;
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

void WordWaits::find_signallers(const CoreAgent& agent, const PollCondition& condition,
                                Wait& wait) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  const CoreView& view = agent.view;
  std::string known;
  bool all_ended = true, any = false;
  std::vector<std::string> kernels;  // kernels of the signallers
  std::vector<const CoreAgent*> signalled;
  if (record != nullptr) {
    for (const PollCondition::Load& load : condition.loads) {
      for (const auto& each : record->hand_overs().signallers(load.address & ~3U)) {
        const CoreAgent* const giver =
            cores_.at(view.chip, each.x, each.y, static_cast<unsigned>(each.core));
        if (giver == nullptr) continue;
        any = true;
        signalled.push_back(giver);
        const std::string& kernel = cores_.kernel_of(*giver);
        if (!kernel.empty() && !giver->place.is_of_service) kernels.push_back(kernel);
        const bool alive =
            cores_.add_giver(*giver, wait.givers) || giver->state == CoreAgent::State::kRuns;
        all_ended = all_ended && !alive;
        const std::string by =
            each.increment > 1 ? " by " + std::to_string(each.increment) : std::string();
        const std::string times = each.count == 1
                                      ? " once" + by
                                      : " " + std::to_string(each.count) + " times" + by +
                                            (by.empty() ? "" : " each") + ", the last";
        known = cores_.kernel_name(*giver) +
                (alive ? " has signalled it" : " has ended after signalling it") + times +
                cores_.line_of(giver->view, each.pc, each.cycle) + " (cycle " +
                std::to_string(each.cycle) + ")";
      }
    }
  }
  std::string others;
  if (signalled.size() == 2) others = ", and so has 1 other";
  if (signalled.size() > 2)
    others = ", and so have " + std::to_string(signalled.size() - 1) + " others";
  // A core with the kernel of a signaller that has not signalled.
  std::string peer;
  std::size_t peers = 0;
  std::set<std::string> ended, waiting;  // kernels
  std::vector<std::pair<int, std::size_t>> ranked;
  for (const CoreAgent& other : cores_.all()) {
    if (&other == &agent ||
        std::find(signalled.begin(), signalled.end(), &other) != signalled.end())
      continue;
    const bool is_of_tile = other.view.chip == view.chip && other.view.x == view.x &&
                            other.view.y == view.y && other.view.kind <= TENSIX_VP_CORE_NCRISC;
    if (any) {
      if (!cores_.in_kernel(other)) continue;
      if (std::find(kernels.begin(), kernels.end(), cores_.kernel_of(other)) == kernels.end())
        continue;
      if (peers++ == 0) peer = other.view.core->where();
      if (cores_.add_giver(other, wait.givers) || other.state == CoreAgent::State::kRuns)
        all_ended = false;
    } else if (other.state == CoreAgent::State::kEnded && cores_.in_kernel(other)) {
      const std::string& kernel = cores_.kernel_of(other);
      if (!kernel.empty()) ended.insert(kernel.substr(kernel.rfind('/') + 1));
    } else if (other.state == CoreAgent::State::kWaits && other.place.text != agent.place.text &&
               (is_of_tile ? cores_.stores_signals(other) : cores_.signals(other))) {
      // Cores with the same kernel come first, then the same core of other tiles.
      const bool is_same = cores_.kernel_of(other) == cores_.kernel_of(agent);
      ranked.emplace_back(is_same ? 0 : other.view.kind == view.kind ? 1 : 2, other.wait);
    } else if (other.state == CoreAgent::State::kWaits && !is_of_tile && cores_.in_kernel(other) &&
               other.view.kind <= TENSIX_VP_CORE_NCRISC &&
               cores_.kernel_of(other) != cores_.kernel_of(agent)) {
      const std::string& kernel = cores_.kernel_of(other);
      waiting.insert(kernel.substr(kernel.rfind('/') + 1));
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr std::size_t kMostCandidates = 16;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMostCandidates); ++i)
    wait.candidates.push_back(ranked[i].second);
  std::set<std::string> able;  // kernels of the candidates
  for (const CoreAgent& other : cores_.all())
    if (std::ranges::count(wait.candidates, other.wait) != 0 &&
        other.state == CoreAgent::State::kWaits)
      able.insert(cores_.kernel_of(other).substr(cores_.kernel_of(other).rfind('/') + 1));
  if (any) {
    wait.gives = known + others;
    if (peers != 0)
      wait.gives += "; " + peer + (peers > 1 ? " and " + std::to_string(peers - 1) + " more" : "") +
                    " with the same kernel " + (peers > 1 ? "have" : "has") + " not";
  } else {
    wait.gives = "no core of another tile has signalled it";
    wait.is_unsignalled = true;
    if (!able.empty()) {
      std::string names;
      for (const std::string& name : able) names = comma(names, name);
      wait.gives += "; these signal semaphores, but wait: " + names;
    }
    if (wait.candidates.empty()) {
      wait.gives += ", and no other kernel that waits signals semaphores";
      std::string names;
      for (const std::string& name : waiting) names = comma(names, name);
      if (!names.empty()) wait.gives += "; these wait without a noc_semaphore_inc before: " + names;
      names.clear();
      for (const std::string& name : ended) names = comma(names, name);
      if (!names.empty()) wait.gives += "; these have ended without signalling it: " + names;
      if (agent.place.called.starts_with("fabric_client_disconnect") ||
          agent.place.called.starts_with("close"))
        wait.gives += "; the router has never answered " + cores_.kernel_name(agent) +
                      ", so the open of its connection is missing";
      wait.reason = wait.reason == Reason::kFollows ? Reason::kGiversEnded : wait.reason;
    }
    wait.gives += strayed_signal(agent, condition);
  }
  if (any && all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
  wait.cause = wait.gives;
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
