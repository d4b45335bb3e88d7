#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"

namespace tvp::collectives {

/// Goes up a binary tree to its root, and down again. The heap is the textbook tree, the search
/// tree is NCCL's.
class Tree : public Algorithm {
 public:
  std::string name() const override { return "tree"; }
  std::string summary() const override { return "up a binary tree and down again"; }
  std::vector<Primitive> primitives() const override { return {Primitive::kAllReduce}; }
  std::vector<std::string> variants() const override { return {"heap", "search", "binomial"}; }
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static RankTree shape(const ScheduleRequest& request);
};

}  // namespace tvp::collectives
