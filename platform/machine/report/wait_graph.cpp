#include "platform/machine/report/wait_graph.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

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

/// The role of an agent in its tile: "TRISC0" of "chip0.tensix(1,1).TRISC0", "unit  (chip.bank)" of
/// "unit 3 (chip0.bank3)".
std::string role_of(const std::string& who) {
  const bool is_unit = who.starts_with("unit ");
  return is_unit ? without_numbers(who) : who.substr(who.rfind('.') + 1);
}

}  // namespace

nlohmann::ordered_json WaitGraph::to_json() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Wait& each : waits_)
    json.push_back({{"who", each.who},
                    {"chip", each.chip},
                    {"thread", each.is_of_thread},
                    {"place", each.place},
                    {"what", each.what},
                    {"cause", each.cause},
                    {"gives", each.gives},
                    {"reason", static_cast<unsigned>(each.reason)},
                    {"givers", each.givers},
                    {"candidates", each.candidates},
                    {"gave_nothing", each.gave_nothing},
                    {"likely_root", each.is_likely_root},
                    {"unsignalled", each.is_unsignalled}});
  return json;
}

WaitGraph WaitGraph::merged(const std::vector<nlohmann::ordered_json>& graphs) {
  WaitGraph all;
  for (const nlohmann::ordered_json& graph : graphs) {
    const std::size_t first = all.waits_.size();
    for (const auto& each : graph) {
      const auto agents = [&](const char* name) {
        Agents list = each.at(name).get<Agents>();
        for (std::size_t& agent : list) agent += first;
        return list;
      };
      all.add({.who = each.at("who"),
               .chip = each.at("chip"),
               .is_of_thread = each.at("thread"),
               .place = each.at("place"),
               .what = each.at("what"),
               .cause = each.at("cause"),
               .gives = each.at("gives"),
               .reason = static_cast<Reason>(each.at("reason").get<unsigned>()),
               .givers = agents("givers"),
               .candidates = agents("candidates"),
               .gave_nothing = each.at("gave_nothing"),
               .is_likely_root = each.at("likely_root"),
               .is_unsignalled = each.at("unsignalled")});
    }
  }
  Agents order(all.waits_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t agent) {
    return std::pair(all.waits_[agent].is_of_thread, all.waits_[agent].chip);
  });
  Agents number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  WaitGraph sorted;
  for (const std::size_t agent : order) {
    Wait& wait = all.waits_[agent];
    for (Agents* list : {&wait.givers, &wait.candidates})
      for (std::size_t& each : *list) each = number[each];
    sorted.add(std::move(wait));
  }
  return sorted;
}

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

WaitGraph::Agents WaitGraph::cycle_from(std::size_t agent, bool with_candidates) const {
  std::vector<std::size_t> before(waits_.size(), waits_.size());
  Agents open{agent};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::size_t to : with_candidates ? next(open[i]) : waits_[open[i]].givers) {
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

WaitGraph::Agents WaitGraph::best_cycle(const std::vector<bool>& explained, Cycles kind) const {
  const auto rank = [this](const Agents& cycle) {
    const Wait& first = waits_[cycle[0]];
    const int trust = first.is_unsignalled    ? 0
                      : first.gave_nothing    ? 1
                      : !first.givers.empty() ? 2
                                              : 3;
    return std::pair(cycle.size(), trust);
  };
  Agents best;
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    if (explained[i] || (kind == Cycles::kGaveNothing && !waits_[i].gave_nothing) ||
        (kind == Cycles::kUnsignalled && !waits_[i].is_unsignalled) ||
        (kind == Cycles::kPartial && !waits_[i].is_partial))
      continue;
    const Agents cycle = cycle_from(i, kind != Cycles::kSure);
    if (!cycle.empty() && (best.empty() || rank(cycle) < rank(best))) best = cycle;
  }
  return best;
}

std::string WaitGraph::cycle_text(const Agents& cycle, bool is_sure) const {
  if (cycle.size() == 1) return text_of(cycle[0], false) + ": it waits for itself";
  std::string text;
  std::size_t shown = 0;
  for (const std::size_t agent : cycle) {
    if (waits_[agent].what.empty()) continue;
    text += (shown++ == 0 ? "" : ". ") + text_of(agent, false);
  }
  return text + ". These " + std::to_string(shown) + (is_sure ? "" : " seem to") +
         " wait for each other";
}

void WaitGraph::append(std::vector<std::string>& lines, const Agents& agents,
                       bool are_roots) const {
  std::vector<Agents> groups;
  std::map<std::string, std::size_t> known;
  for (const std::size_t agent : agents) {
    const Wait& wait = waits_[agent];
    const std::string key = role_of(wait.who) + "\n" + wait.place + "\n" +
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
        text += " and " + std::to_string(group.size() - 1 - kMostNames) +
                (group.size() == kMostNames + 2 ? " other" : " others");
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
  for (const Reason reason : {Reason::kImpossible, Reason::kStrayed, Reason::kGiversEnded}) {
    Agents roots;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i].reason == reason && !explained[i]) roots.push_back(i);
    show(roots, true);
    explain(roots);
  }
  // Equal cycles of several tiles share a line.
  std::map<std::string, std::pair<std::size_t, std::size_t>> cycles;  // line, number of cycles
  const auto show_cycles = [&](Cycles kind) {
    for (;;) {
      const Agents cycle = best_cycle(explained, kind);
      if (cycle.empty()) return;
      const std::string text = cycle_text(cycle, kind == Cycles::kSure);
      const auto [found, is_new] =
          cycles.try_emplace(without_numbers(text), std::pair(lines.size(), std::size_t{0}));
      if (is_new) lines.push_back(text);
      ++found->second.second;
      for (const std::size_t each : cycle) is_shown[each] = true;
      explain(cycle);
    }
  };
  // A signal that never came explains the waits for others that follow from it.
  show_cycles(Cycles::kUnsignalled);
  show_cycles(Cycles::kSure);
  show_cycles(Cycles::kPartial);
  const auto show_without_givers = [&](auto&& selected) {
    Agents roots;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (!explained[i] && waits_[i].givers.empty() && !waits_[i].what.empty() &&
          selected(waits_[i]))
        roots.push_back(i);
    show(roots, true);
    explain(roots);
  };
  show_without_givers([](const Wait& wait) { return wait.candidates.empty(); });
  show_cycles(Cycles::kGaveNothing);
  // The likely roots on which most others wait come first: the rest may follow from them.
  for (std::size_t most = 1; most != 0;) {
    most = 0;
    std::vector<std::size_t> reaching_it(waits_.size(), 0);
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (explained[i] || !waits_[i].is_likely_root || !waits_[i].givers.empty()) continue;
      const std::vector<bool> reaches = reaching({i});
      reaching_it[i] = static_cast<std::size_t>(std::count(reaches.begin(), reaches.end(), true));
      most = std::max(most, reaching_it[i]);
    }
    if (most == 0) break;
    show_without_givers([&](const Wait& wait) {
      return reaching_it[static_cast<std::size_t>(&wait - waits_.data())] == most;
    });
  }
  show_cycles(Cycles::kAny);
  show_without_givers([](const Wait&) { return true; });
  Agents rest;
  for (std::size_t i = 0; i < waits_.size(); ++i)
    if (!is_shown[i] && !waits_[i].what.empty()) rest.push_back(i);
  append(lines, rest, false);
  for (const auto& [key, cycle] : cycles)
    if (cycle.second > 1)
      lines[cycle.first] += ". There are " + std::to_string(cycle.second - 1) + " more such cycles";
  return lines;
}

}  // namespace tvp::platform
