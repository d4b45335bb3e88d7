#include "models/switch/switch_tree.h"

#include <charconv>
#include <cstdint>
#include <sstream>

#include "foundation/fault.h"

namespace tvp::switching {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "switch.tree", text);
}

std::vector<unsigned> ports_of_levels(const std::string& text, unsigned participants) {
  std::vector<unsigned> ports;
  std::istringstream words(text);
  std::uint64_t product = 1;
  for (std::string word; words >> word;) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || end != word.data() + word.size() || count == 0) {
      refuse("'" + word + "': expected counts of at least 1, as in \"4 2\"");
    }
    ports.push_back(count);
    product *= count;
    if (product > participants) break;
  }
  if (ports.empty()) return {participants};
  if (product != participants) {
    refuse("'" + text + "' has places for " + (product > participants ? "more than " : "") +
           std::to_string(product > participants ? participants : product) +
           " participants: expected a product of " + std::to_string(participants));
  }
  return ports;
}

}  // namespace

SwitchTree::SwitchTree(const std::string& text, unsigned participants)
    : participants_(participants) {
  if (participants < 2 || participants > kMost) {
    refuse(std::to_string(participants) + " participants: expected 2 to " + std::to_string(kMost));
  }
  nodes_.resize(participants);
  for (unsigned unit = 0; unit < participants; ++unit) nodes_[unit].below.set(unit);
  unsigned first = 0;  // node of the level below
  for (const unsigned ports : ports_of_levels(text, participants)) {
    const unsigned count = nodes() - first;
    const unsigned above = nodes();
    for (unsigned i = 0; i < count; ++i) {
      if (i % ports == 0) nodes_.emplace_back();
      Node& parent = nodes_.back();
      nodes_[first + i].parent = nodes() - 1;
      parent.children.push_back(first + i);
      parent.below |= nodes_[first + i].below;
    }
    first = above;
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
