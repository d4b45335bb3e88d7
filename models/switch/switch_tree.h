#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tvp::switching {

/// Participants at the leaves of a tree of switches. Nodes are numbered: participants first, then
/// switches level by level, so that a node's parent has a larger number; the last one is the root.
class SwitchTree {
 public:
  static constexpr unsigned kMost = 64;  ///< participants: they are bits of a word
  static constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  using Set = std::uint64_t;  ///< of participants

  /// `text` as `switch.tree`. Throws Fault(kDescription) in the name of that key.
  SwitchTree(const std::string& text, unsigned participants);

  unsigned participants() const { return participants_; }
  unsigned nodes() const { return static_cast<unsigned>(nodes_.size()); }
  unsigned switches() const { return nodes() - participants_; }
  unsigned levels() const { return levels_; }
  bool is_participant(unsigned node) const { return node < participants_; }
  /// kNone of the root.
  unsigned parent(unsigned node) const { return nodes_[node].parent; }
  const std::vector<unsigned>& children(unsigned node) const { return nodes_[node].children; }
  /// Participants below a switch; a participant itself.
  Set below(unsigned node) const { return nodes_[node].below; }
  /// "unit3", "switch0".
  std::string name_of(unsigned node) const;
  /// The node of that name, or kNone.
  unsigned named(const std::string& name) const;

 private:
  struct Node {
    unsigned parent = kNone;
    std::vector<unsigned> children;
    Set below = 0;
  };
  unsigned participants_;
  unsigned levels_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace tvp::switching
