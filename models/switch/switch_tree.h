#pragma once

#include <bitset>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tvp::switching {

/// Participants at the leaves of a tree of switches. Participants have the lowest node numbers,
/// then switches follow level by level. A node's parent therefore has a larger number, and the last
/// node is the root.
class SwitchTree {
 public:
  static constexpr unsigned kMost = 512;      ///< limit of participants
  static constexpr unsigned kMostLevels = 9;  ///< those of a binary tree of kMost participants
  static constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  using Set = std::bitset<kMost>;  ///< set of participants
  /// Calls a function with each participant of a set, in ascending order.
  template <typename Function>
  static void for_each(const Set& set, const Function& function) {
    for (std::size_t at = set._Find_first(); at < kMost; at = set._Find_next(at))
      function(static_cast<unsigned>(at));
  }

  /// `text` is the value of `switch.tree`. Throws Fault(kDescription) that names the key.
  SwitchTree(const std::string& text, unsigned participants);

  unsigned participants() const { return participants_; }
  unsigned nodes() const { return static_cast<unsigned>(nodes_.size()); }
  unsigned switches() const { return nodes() - participants_; }
  unsigned levels() const { return levels_; }
  bool is_participant(unsigned node) const { return node < participants_; }
  /// The root's parent is kNone.
  unsigned parent(unsigned node) const { return nodes_[node].parent; }
  const std::vector<unsigned>& children(unsigned node) const { return nodes_[node].children; }
  /// The participants below a switch; for a participant, itself.
  const Set& below(unsigned node) const { return nodes_[node].below; }
  /// For example "unit3" or "switch0".
  std::string name_of(unsigned node) const;
  /// The node with this name, or kNone.
  unsigned named(const std::string& name) const;

 private:
  struct Node {
    unsigned parent = kNone;
    std::vector<unsigned> children;
    Set below;
  };
  unsigned participants_;
  unsigned levels_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace tvp::switching
