#include "platform/machine/report/wait_graph.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace tvp::platform {

namespace {

constexpr std::size_t kMostNames = 8;

/// The text without its numbers, by which equal waits of several tiles are found.
std::string without_numbers(const std::string& text) {
  std::string rest;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) rest += c;
  return rest;
}

/// "TRISC0" of "chip0.tensix(1,1).TRISC0".
std::string core_of(const std::string& who) { return who.substr(who.rfind('.') + 1); }

}  // namespace

std::vector<bool> WaitGraph::reaching(const Agents& roots) const {
  std::vector<bool> reaches(waits_.size(), false);
  for (const std::size_t root : roots) reaches[root] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (reaches[i]) continue;
      const Agents& to = next(i);
      if (std::none_of(to.begin(), to.end(), [&](std::size_t j) { return reaches[j]; })) continue;
      reaches[i] = true;
      changed = true;
    }
  }
  return reaches;
}

WaitGraph::Agents WaitGraph::cycle_from(std::size_t agent) const {
  std::vector<std::size_t> before(waits_.size(), waits_.size());
  Agents open{agent};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::size_t to : waits_[open[i]].givers) {
      if (to == agent) {
        Agents cycle;
        for (std::size_t at = open[i]; at != agent; at = before[at]) cycle.push_back(at);
        cycle.push_back(agent);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (before[to] != waits_.size()) continue;
      before[to] = open[i];
      open.push_back(to);
    }
  }
  return {};
}

std::string WaitGraph::text_of(std::size_t agent, bool is_root) const {
  const Wait& wait = waits_[agent];
  const std::string& behind = is_root && !wait.cause.empty() ? wait.cause : wait.gives;
  return wait.who + (wait.place.empty() ? "" : " in " + wait.place) + " " + wait.what +
         (behind.empty() ? "" : "; " + behind);
}

std::string WaitGraph::cycle_text(const Agents& cycle) const {
  if (cycle.size() == 1) return text_of(cycle[0], false) + ": it waits for itself";
  std::string text;
  for (const std::size_t agent : cycle)
    text += (text.empty() ? "" : ". ") + text_of(agent, false);
  return text + ". These " + std::to_string(cycle.size()) + " wait for each other";
}

void WaitGraph::append(std::vector<std::string>& lines, const Agents& agents,
                       bool are_roots) const {
  std::vector<Agents> groups;
  std::map<std::string, std::size_t> known;
  for (const std::size_t agent : agents) {
    const Wait& wait = waits_[agent];
    const std::string key = core_of(wait.who) + "\n" + wait.place + "\n" +
                            without_numbers(wait.what + (are_roots ? wait.cause : ""));
    const auto [found, is_new] = known.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(agent);
  }
  for (const Agents& group : groups) {
    std::string text = text_of(group[0], are_roots);
    if (group.size() > 1) {
      text += ". " + std::to_string(group.size() - 1) + " more " +
              (group.size() == 2 ? "waits" : "wait") + " there: ";
      for (std::size_t i = 1; i < group.size() && i <= kMostNames; ++i)
        text += (i == 1 ? "" : ", ") + waits_[group[i]].who;
      if (group.size() > kMostNames + 1)
        text += " and " + std::to_string(group.size() - 1 - kMostNames) + " others";
    }
    lines.push_back(text);
  }
}

std::vector<std::string> WaitGraph::lines() const {
  std::vector<std::string> lines;
  std::vector<bool> explained(waits_.size(), false);
  std::vector<bool> is_shown(waits_.size(), false);
  const auto show = [&](const Agents& agents, bool are_roots) {
    append(lines, agents, are_roots);
    for (const std::size_t agent : agents) is_shown[agent] = true;
  };
  const auto explain = [&](const Agents& roots) {
    const std::vector<bool> more = reaching(roots);
    for (std::size_t i = 0; i < waits_.size(); ++i) explained[i] = explained[i] || more[i];
  };
  for (const Reason reason : {Reason::kImpossible, Reason::kGiversEnded}) {
    Agents roots;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i].reason == reason && !explained[i]) roots.push_back(i);
    show(roots, true);
    explain(roots);
  }
  // Cycles of known givers. The agent that waits for a giver which never gave comes first.
  std::vector<std::size_t> order(waits_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return waits_[i].gave_nothing; });
  for (const std::size_t agent : order) {
    if (explained[agent]) continue;
    const Agents cycle = cycle_from(agent);
    if (cycle.empty()) continue;
    lines.push_back(cycle_text(cycle));
    for (const std::size_t each : cycle) is_shown[each] = true;
    explain(cycle);
  }
  for (const bool has_candidates : {false, true}) {
    Agents roots;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (!explained[i] && waits_[i].givers.empty() && waits_[i].candidates.empty() != has_candidates)
        roots.push_back(i);
    show(roots, true);
    explain(roots);
  }
  Agents rest;
  for (std::size_t i = 0; i < waits_.size(); ++i)
    if (!is_shown[i]) rest.push_back(i);
  append(lines, rest, false);
  return lines;
}

}  // namespace tvp::platform
