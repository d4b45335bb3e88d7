#include "sw/workloads/pim/cost.h"

#include <algorithm>
#include <cstdlib>

namespace tvp::workloads::pim {

namespace {

using ::pim::collectives::TreeNode;
using ::pim::collectives::TreeShape;

/// A tree of `size`: when does the last member have the vector? Every send of a whole vector takes
/// one step, and a member sends to its children one behind the other. Pipelined, a slice pays the
/// way down once and every further slice the busiest port.
Cost tree_cost(TreeShape shape, TreeFlow flow, unsigned size) {
  std::vector<unsigned> ready(size, 0);
  unsigned last = 0;
  unsigned busiest = 0;
  std::vector<unsigned> order;  // parents before children: both shapes number them so
  for (unsigned node = 0; node < size; ++node) order.push_back(node);
  for (const unsigned node : order) {
    const TreeNode tree(shape, size, node);
    busiest = std::max(busiest, tree.children());
    for (unsigned i = 0; i < tree.children(); ++i) {
      ready[tree.child(i)] = ready[node] + i + 1;
      last = std::max(last, ready[tree.child(i)]);
    }
  }
  if (flow == TreeFlow::kPipelined) return {double(last), double(busiest)};
  if (flow == TreeFlow::kWhole) return {double(last), double(last)};
  // A barrier after each level: as long as its busiest member.
  std::vector<unsigned> level(size + 1, 0);
  for (unsigned node = 0; node < size; ++node) {
    const TreeNode tree(shape, size, node);
    level[tree.depth()] = std::max(level[tree.depth()], tree.children());
  }
  double steps = 0;
  for (const unsigned sends : level) steps += sends;
  return {steps, steps};
}

/// What the switch does across `size` chips of the vector that one of them has. An all-reduce is
/// one message to the switch; where ranks come behind it, one for each part, and a multicast of
/// each.
Cost switch_cost(Kind kind, unsigned size, bool outermost) {
  if (kind == Kind::kBroadcast || outermost) return {1, 1};
  return {2.0 * size, 2.0 - 1.0 / size};
}

}  // namespace

Cost cost(const Request& request, const Plan& plan) {
  if (request.algorithm == "host") return {0, 0};
  if (request.as_written && request.kind == Kind::kAllReduce) {
    return {2.0 * (plan.ranks - 1), 2.0 * (plan.ranks - 1)};
  }
  Cost cost;
  double ranks_within = 1;
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const unsigned size = plan.levels[level];
    const double steps = size - 1;
    ranks_within *= size;
    if (level == plan.switch_level) {
      const Cost pass = switch_cost(request.kind, size, level + 1 == plan.levels.size());
      cost.alpha += pass.alpha;
      cost.beta += request.kind == Kind::kBroadcast ? pass.beta : pass.beta * size / ranks_within;
      continue;
    }
    switch (request.kind) {
      case Kind::kAllReduce:
        cost.alpha += 2 * steps;
        cost.beta += 2 * steps / ranks_within;
        break;
      case Kind::kReduceScatter:
      case Kind::kAllGather:
        // The chunks that belong to ranks of outer levels lie apart, and each is a message.
        cost.alpha += steps * plan.ranks / ranks_within;
        cost.beta += steps / ranks_within;
        break;
      case Kind::kAllToAll:
        cost.alpha += steps * plan.ranks / size;  // a message for each block
        cost.beta += steps / size;
        break;
      case Kind::kBroadcast: {
        const Cost tree =
            tree_cost(request.algorithm == "binomial" ? TreeShape::kBinomial : TreeShape::kHeap,
                      plan.tree_flow, size);
        cost.alpha += tree.alpha;
        cost.beta += tree.beta;
        break;
      }
    }
  }
  return cost;
}

double bus_factor(Kind kind, unsigned ranks) {
  const double share = (ranks - 1.0) / ranks;
  switch (kind) {
    case Kind::kAllReduce:
      return 2 * share;
    case Kind::kReduceScatter:
    case Kind::kAllGather:
    case Kind::kAllToAll:
      return share;
    case Kind::kBroadcast:
      break;
  }
  return 1;
}

RingHops ring_hops(const Plan& plan, unsigned mesh_width) {
  RingHops hops;
  const std::vector<unsigned>& ring = plan.rings[0];
  const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  for (std::size_t i = 0; i < ring.size() && ring.size() > 1; ++i) {
    const unsigned a = ring[i];
    const unsigned b = ring[(i + 1) % ring.size()];
    const unsigned steps =
        distance(a % mesh_width, b % mesh_width) + distance(a / mesh_width, b / mesh_width);
    hops.longest = std::max(hops.longest, steps);
    hops.sum += steps;
  }
  return hops;
}

}  // namespace tvp::workloads::pim
