#include "sw/collectives/broadcast.h"

#include <algorithm>

#include "sw/collectives/level_cost.h"

namespace tvp::collectives {

namespace {

using firmware::collectives::TreeNode;
using firmware::collectives::TreeShape;

TreeShape shape_of(const Request& request) {
  return request.algorithm == "binomial" ? TreeShape::kBinomial : TreeShape::kHeap;
}

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

/// The edges of the tree of a broadcast, each behind the one that brings the vector; the root's
/// groups of the outermost level first.
void add_tree(const Plan& plan, const Request& request, PhaseTable& table) {
  std::vector<std::size_t> ready(plan.ranks, 0);  // first phase in which a rank can send
  unsigned stride = plan.ranks;
  for (std::size_t level = plan.levels.size(); level-- > 0;) {
    const unsigned size = plan.levels[level];
    stride /= size;
    const unsigned root = request.root / stride % size;
    for (unsigned first = 0; first < plan.ranks; ++first) {
      if (first / stride % size != 0 || first % stride != request.root % stride) continue;
      const auto rank = [&](unsigned node) { return first + stride * ((node + root) % size); };
      // Parents have smaller numbers than their children.
      for (unsigned node = 0; node < size; ++node) {
        const TreeNode tree(shape_of(request), size, node);
        for (unsigned i = 0; i < tree.children(); ++i) {
          const unsigned child = rank(tree.child(i));
          ready[child] = table.add({rank(node), child}, ready[rank(node)]) + 1;
        }
      }
    }
  }
}

}  // namespace

bool Broadcast::has_operand(const Request& request, unsigned rank) const {
  return rank == request.root;
}

Bytes Broadcast::operand(const Request& request, const Vectors& vectors, unsigned rank) const {
  if (rank == request.root) return vectors.input(rank);
  return Bytes(vectors.input(rank).size(), 0xEE);
}

std::vector<Bytes> Broadcast::evaluate(const Request& request, const Vectors&,
                                       const std::vector<Bytes>& operands) const {
  return std::vector<Bytes>(operands.size(), operands[request.root]);
}

Vectors::Verdict Broadcast::judge(const Request& request, const Vectors& vectors, unsigned,
                                  const Bytes& found) const {
  return vectors.judge_copied(found, request.root, 0);
}

TreeFlow Broadcast::tree_flow(const Request& request) const {
  if (request.as_written) return TreeFlow::kByLevel;
  return request.pipelined ? TreeFlow::kPipelined : TreeFlow::kWhole;
}

std::vector<Phases> Broadcast::schedule(const Request& request, const Plan& plan,
                                        PhaseTable& table) const {
  add_tree(plan, request, table);
  return {table.take()};
}

Cost Broadcast::cost(const Request& request, const Plan& plan) const {
  return sum_over_levels(plan, [&](const LevelOfPlan& level) -> Cost {
    if (level.in_switch) return {1, 1};
    return tree_cost(shape_of(request), plan.tree_flow, level.size);
  });
}

double Broadcast::bus_factor(unsigned) const { return 1; }

void Broadcast::complete(const Request& request,
                         firmware::collectives::Arguments& arguments) const {
  arguments.kind = static_cast<std::uint32_t>(firmware::collectives::Kind::kBroadcast);
  arguments.tree_shape = static_cast<std::uint32_t>(shape_of(request));
}

}  // namespace tvp::collectives
