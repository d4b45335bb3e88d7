#include "models/switch/switch_tree.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <utility>

#include "foundation/fault.h"

namespace tvp::switching {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "switch.tree", text);
}

/// The ports of the switches of a level, "16" for each of them or "16+16+8" one after the other.
std::vector<unsigned> ports_of_level(const std::string& word) {
  std::vector<unsigned> ports;
  const char* at = word.data();
  const char* const all = at + word.size();
  for (;;) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(at, all, count);
    const bool more = error == std::errc() && end != all && *end == '+';
    if (error != std::errc() || (end != all && !more) || count == 0)
      refuse("'" + word + "': expected counts of at least 1, as in \"4 2\" or \"16+16+8 3\"");
    ports.push_back(count);
    if (!more) return ports;
    at = end + 1;
  }
}

/// The ports of each switch of each level.
std::vector<std::vector<unsigned>> ports_of_levels(const std::string& text, unsigned participants) {
  std::vector<std::vector<unsigned>> levels;
  std::istringstream words(text);
  unsigned below = participants;  // nodes of the level below
  for (std::string word; words >> word;) {
    std::vector<unsigned> ports = ports_of_level(word);
    if (ports.size() == 1) ports.assign(std::max(1U, below / ports[0]), ports[0]);
    const std::uint64_t places = std::accumulate(ports.begin(), ports.end(), std::uint64_t{0});
    if (places != below)
      refuse("'" + word + "' of '" + text + "' has " + std::to_string(places) + " ports for " +
             std::to_string(below) + " nodes: expected a product of " +
             std::to_string(participants) + ", or sums as in \"16+16+8 3\"");
    below = static_cast<unsigned>(ports.size());
    levels.push_back(std::move(ports));
  }
  if (levels.empty()) return {{participants}};
  if (below != 1)
    refuse("'" + text + "' ends with " + std::to_string(below) +
           " switches: expected a product of " + std::to_string(participants) +
           ", or one switch at the last level");
  if (levels.size() > SwitchTree::kMostLevels)
    refuse("'" + text + "' has " + std::to_string(levels.size()) + " levels: expected at most " +
           std::to_string(SwitchTree::kMostLevels));
  return levels;
}

}  // namespace

SwitchTree::SwitchTree(const std::string& text, unsigned participants)
    : participants_(participants) {
  if (participants < 2 || participants > kMost) {
    refuse(std::to_string(participants) + " participants: expected 2 to " + std::to_string(kMost));
  }
  nodes_.resize(participants);
  for (unsigned unit = 0; unit < participants; ++unit) nodes_[unit].below.set(unit);
  unsigned child = 0;
  for (const std::vector<unsigned>& level : ports_of_levels(text, participants)) {
    for (const unsigned ports : level) {
      nodes_.emplace_back();
      for (unsigned i = 0; i < ports; ++i, ++child) {
        nodes_[child].parent = nodes() - 1;
        nodes_.back().children.push_back(child);
        nodes_.back().below |= nodes_[child].below;
      }
    }
    ++levels_;
  }
}

std::string SwitchTree::name_of(unsigned node) const {
  return is_participant(node) ? "unit" + std::to_string(node)
                              : "switch" + std::to_string(node - participants_);
}

unsigned SwitchTree::named(const std::string& name) const {
  for (unsigned node = 0; node < nodes(); ++node)
    if (name_of(node) == name) return node;
  return kNone;
}

}  // namespace tvp::switching
