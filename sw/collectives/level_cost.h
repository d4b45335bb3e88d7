#pragma once

#include <cstddef>

#include "sw/collectives/cost.h"
#include "sw/collectives/plan.h"

namespace tvp::collectives {

/// A level as its cost sees it.
struct LevelOfPlan {
  unsigned size = 1;
  double steps = 0;         ///< of a ring
  double ranks_within = 1;  ///< ranks of this level and of those inside
  bool in_switch = false;
  bool outermost = false;
};

/// The sum of what `cost_of(LevelOfPlan)` says, from the inside out.
template <typename CostOf>
Cost sum_over_levels(const Plan& plan, CostOf cost_of) {
  Cost sum;
  LevelOfPlan level;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    level.size = plan.levels[l];
    level.steps = level.size - 1;
    level.ranks_within *= level.size;
    level.in_switch = l == plan.switch_level;
    level.outermost = l + 1 == plan.levels.size();
    const Cost cost = cost_of(level);
    sum.alpha += cost.alpha;
    sum.beta += cost.beta;
  }
  return sum;
}

}  // namespace tvp::collectives
