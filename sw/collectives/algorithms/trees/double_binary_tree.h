#pragma once

#include <array>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"

namespace tvp::collectives {

/// Two binary trees in parallel, each for half of the vector. Inner ranks of one are leaves of the
/// other, so that all ranks have equal work (Sanders, Speck, Träff 2009). In NCCL's double tree the
/// second tree is the first one mirrored, or for an odd number of ranks shifted by one. Segments
/// are those of a half.
class DoubleBinaryTree : public Algorithm {
 public:
  std::string name() const override { return "double_binary_tree"; }
  std::string summary() const override { return "two complementary binary trees, half each"; }
  std::vector<Primitive> primitives() const override;
  /// `drawn`: the trees 0-(1-3, 2) and 3-(0, 2-1) of four ranks. `in_turns`: as `search`, in an
  /// order of sending that keeps one port busy without a pause.
  std::vector<std::string> variants() const override { return {"search", "drawn", "in_turns"}; }
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

  static std::array<RankTree, 2> trees(const ScheduleRequest& request);

 protected:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
