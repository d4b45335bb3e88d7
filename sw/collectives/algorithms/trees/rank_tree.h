#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// A tree of ranks.
class RankTree {
 public:
  /// `parent` of each place, places[0] being the root; places[i] is the rank at place i. The last
  /// argument gives the order of children by place; the default is rising places.
  RankTree(const std::vector<std::uint32_t>& places,
           const std::function<std::uint32_t(std::uint32_t)>& parent);

  std::uint32_t root() const { return root_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(parents_.size()); }
  std::uint32_t parent(std::uint32_t rank) const { return parents_[rank]; }  ///< kNobody: root
  const std::vector<std::uint32_t>& children(std::uint32_t rank) const { return children_[rank]; }
  /// Edges on the longest way from the root.
  std::uint32_t depth() const;
  /// Reverses the order of the children of each rank.
  void reverse_children();

 private:
  std::uint32_t root_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::vector<std::uint32_t>> children_;
};

/// Place i has the places 2i + 1 and 2i + 2 below it.
RankTree heap_tree(const std::vector<std::uint32_t>& places);
/// The tree of NCCL's btree. Place 0 is on top of a binary search tree of the others, whose leaves
/// are the odd places. Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth
/// broadcast, reduction and scan", 2009.
RankTree search_tree(const std::vector<std::uint32_t>& places);
/// The parent of a place lacks its highest bit (`high`), or its lowest.
RankTree binomial_tree(const std::vector<std::uint32_t>& places, bool high);

/// Ranks in the order of a request, from its root on.
std::vector<std::uint32_t> places_from_root(const ScheduleRequest& request);

/// Steps of all ranks that send segments down or up a tree. They use lanes from `first_lane` on.
/// Downwards, one lane is for messages from the parent that continue to the first child, and one
/// for each other child. Upwards there is one lane. Returns the number of lanes.
class TreeTraffic {
 public:
  TreeTraffic(ProgramBuilder& builder, const RankTree& tree, std::vector<std::uint32_t> segments,
              std::uint16_t channel)
      : builder_(builder), tree_(tree), segments_(std::move(segments)), channel_(channel) {}
  /// Appends a broadcast from the root's `memory` to the output of all ranks.
  std::uint32_t down(std::uint32_t first_lane, Memory memory) const;
  /// Combines the input of all ranks in the root's output, and divides it there for an average.
  std::uint32_t up(std::uint32_t first_lane, bool average) const;

 private:
  void down_of(std::uint32_t rank, std::uint32_t first_lane, Memory memory,
               std::uint32_t segment) const;
  void up_of(std::uint32_t rank, std::uint32_t lane, bool average, std::uint32_t segment) const;
  ProgramBuilder& builder_;
  const RankTree& tree_;
  const std::vector<std::uint32_t> segments_;
  const std::uint16_t channel_;
};

/// The numbers 0, 1, … count - 1.
std::vector<std::uint32_t> counted(std::uint32_t count, std::uint32_t first = 0);

}  // namespace tvp::collectives
