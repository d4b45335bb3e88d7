#include "sw/collectives/pim/port_cost.h"

#include <algorithm>

namespace tvp::collectives {

namespace {

using firmware::collectives::TreeNode;
using firmware::collectives::TreeShape;

/// One level of a plan.
struct Level {
  unsigned size = 1;
  double steps = 0;         ///< steps of a ring
  double ranks_within = 1;  ///< ranks of this level and of those inside
  bool in_switch = false;
  bool outermost = false;
};

/// A tree over `size` ranks. A rank sends to its children one after the other, and the send of a
/// whole vector takes one step. A pipelined tree pays its depth once, and for each further slice
/// the busiest port.
PortCost tree_cost(TreeShape shape, TreeFlow flow, unsigned size) {
  std::vector<unsigned> ready(size, 0);  // step after which a rank has the vector
  std::vector<unsigned> level(size + 1, 0);
  unsigned last = 0;
  unsigned busiest = 0;
  // Both shapes number parents before their children.
  for (unsigned node = 0; node < size; ++node) {
    const TreeNode tree(shape, size, node);
    busiest = std::max(busiest, tree.children());
    level[tree.depth()] = std::max(level[tree.depth()], tree.children());
    for (unsigned i = 0; i < tree.children(); ++i) {
      ready[tree.child(i)] = ready[node] + i + 1;
      last = std::max(last, ready[tree.child(i)]);
    }
  }
  if (flow == TreeFlow::kPipelined) return {double(last), double(busiest)};
  if (flow == TreeFlow::kWhole) return {double(last), double(last)};
  // The barrier after each level waits for the busiest rank of the level.
  double steps = 0;
  for (const unsigned sends : level) steps += sends;
  return {steps, steps};
}

/// A message goes to the switch. If ranks of outer levels follow, there is one message for each
/// part, and a multicast of each part.
PortCost switch_cost(const Level& level) {
  const PortCost pass =
      level.outermost ? PortCost{1, 1} : PortCost{2.0 * level.size, 2.0 - 1.0 / level.size};
  return {pass.alpha, pass.beta * level.size / level.ranks_within};
}

PortCost level_cost(const PimRequest& request, const PimPlan& plan, const Level& level) {
  switch (request.collective->primitive) {
    case Primitive::kBroadcast:
      if (level.in_switch) return {1, 1};
      return tree_cost(tree_shape(request), plan.tree_flow, level.size);
    case Primitive::kAllToAll:
      // Each block is a message.
      return {level.steps * plan.ranks / level.size, level.steps / level.size};
    case Primitive::kAllReduce:
      if (level.in_switch) return switch_cost(level);
      return {2 * level.steps, 2 * level.steps / level.ranks_within};
    default:
      // The chunks of ranks of outer levels lie apart, and each is a message.
      return {level.steps * plan.ranks / level.ranks_within, level.steps / level.ranks_within};
  }
}

}  // namespace

PortCost port_cost(const PimRequest& request, const PimPlan& plan) {
  if (request.as_written && request.collective->primitive == Primitive::kAllReduce)
    return {2.0 * (plan.ranks - 1), 2.0 * (plan.ranks - 1)};
  PortCost sum;
  Level level;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    level.size = plan.levels[l];
    level.steps = level.size - 1;
    level.ranks_within *= level.size;
    level.in_switch = l == plan.switch_level;
    level.outermost = l + 1 == plan.levels.size();
    const PortCost cost = level_cost(request, plan, level);
    sum.alpha += cost.alpha;
    sum.beta += cost.beta;
  }
  return sum;
}

}  // namespace tvp::collectives
