#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"

namespace tvp::collectives {

/// A binary tree numbered as a heap: place i sends to 2i + 1 and 2i + 2. Two sends a rank and level
/// through one port.
class Heap : public Algorithm {
 public:
  std::string name() const override { return "heap"; }
  std::string summary() const override { return "a heap: place i sends to 2i + 1 and 2i + 2"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
