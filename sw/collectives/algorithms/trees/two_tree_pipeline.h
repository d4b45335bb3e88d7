#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/collectives/algorithms/trees/edge_coloring.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Goes up and down two trees in fixed turns, so that a rank with one port sends and receives one
/// message at a time and never waits for its turn. A segment moves by one edge a period, in which
/// every edge has one turn. The method extends that of Sanders, Speck, Träff 2009, which has two
/// turns and is for broadcasts only.
class TwoTreePipeline {
 public:
  TwoTreePipeline(ProgramBuilder& builder, const std::array<RankTree, 2>& trees,
                  std::uint32_t segments, bool average);
  void append();

 private:
  /// A message over one edge of a tree, in one direction.
  struct Edge {
    std::uint32_t tree;
    bool up;
    std::uint32_t child;
    PeriodicMessage message;
    std::uint32_t lag;  ///< periods after the first
    std::uint32_t turn = 0;
  };
  struct Deed {
    std::uint64_t when;  ///< twice the turn; a receive ends after the send of the same turn
    bool sends;
    const Edge* edge;
    std::uint32_t segment;
  };

  void collect_edges();
  void append_deed(std::uint32_t rank, const Deed& deed);
  std::uint32_t height(const RankTree& tree, std::uint32_t rank) const;
  std::uint32_t depth(const RankTree& tree, std::uint32_t rank) const;

  ProgramBuilder& builder_;
  const std::array<RankTree, 2>& trees_;
  const std::uint32_t segments_;
  const bool average_;
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> sums_;  ///< contributions so far: rank, chunk
};

}  // namespace tvp::collectives
