#include "sw/collectives/pim/message_phases.h"

namespace tvp::collectives {

namespace {

using firmware::collectives::TreeNode;

/// The groups of a level: the rank of each group's member 0, and the distance between the ranks of
/// neighbors.
struct GroupsOfLevel {
  GroupsOfLevel(const PimPlan& plan, std::size_t level) : size(plan.levels[level]) {
    for (std::size_t l = 0; l < level; ++l) stride *= plan.levels[l];
    for (unsigned rank = 0; rank < plan.ranks; ++rank)
      if (rank / stride % size == 0) first.push_back(rank);
  }
  std::vector<unsigned> first;
  unsigned stride = 1;
  unsigned size = 1;
};

std::vector<Transfer> ring_of_group(const GroupsOfLevel& groups, unsigned first,
                                    const std::vector<unsigned>& ring) {
  std::vector<Transfer> transfers;
  for (unsigned i = 0; i < groups.size && groups.size > 1; ++i)
    transfers.push_back(
        {first + groups.stride * ring[i], first + groups.stride * ring[(i + 1) % groups.size]});
  return transfers;
}

std::vector<Transfer> ring_transfers(const GroupsOfLevel& groups,
                                     const std::vector<unsigned>& ring) {
  std::vector<Transfer> all;
  for (const unsigned first : groups.first) {
    const std::vector<Transfer> transfers = ring_of_group(groups, first, ring);
    all.insert(all.end(), transfers.begin(), transfers.end());
  }
  return all;
}

/// Adds the passes through the switch. Each member of a group sends to the switch and receives from
/// it in the same phase. The ways of a ring are these ways: out of the chip of one member, and into
/// that of the next one.
void add_switch_passes(const GroupsOfLevel& groups, const std::vector<unsigned>& ring,
                       PhaseTable& table) {
  for (const unsigned first : groups.first) table.add_together(ring_of_group(groups, first, ring));
}

std::vector<Transfer> exchange_transfers(const GroupsOfLevel& groups) {
  std::vector<Transfer> transfers;
  for (const unsigned first : groups.first)
    for (unsigned i = 0; i < groups.size; ++i)
      for (unsigned step = 1; step < groups.size; ++step)
        transfers.push_back(
            {first + groups.stride * i, first + groups.stride * ((i + step) % groups.size)});
  return transfers;
}

/// Adds the edges of a broadcast's tree, each in a phase after the edge that brings the vector.
/// The root's groups of the outermost level are first.
void add_tree(const PimPlan& plan, const PimRequest& request, PhaseTable& table) {
  std::vector<std::size_t> ready(plan.ranks, 0);  // first phase in which a rank can send
  unsigned stride = plan.ranks;
  for (std::size_t level = plan.levels.size(); level-- > 0;) {
    const unsigned size = plan.levels[level];
    stride /= size;
    const unsigned root = request.root / stride % size;
    for (unsigned first = 0; first < plan.ranks; ++first) {
      if (first / stride % size != 0 || first % stride != request.root % stride) continue;
      const auto rank = [&](unsigned node) { return first + stride * ((node + root) % size); };
      // Both shapes number parents before their children.
      for (unsigned node = 0; node < size; ++node) {
        const TreeNode tree(tree_shape(request), size, node);
        for (unsigned i = 0; i < tree.children(); ++i) {
          const unsigned child = rank(tree.child(i));
          ready[child] = table.add({rank(node), child}, ready[rank(node)]) + 1;
        }
      }
    }
  }
}

}  // namespace

std::vector<Phases> message_phases(const PimRequest& request, const PimPlan& plan,
                                   PhaseTable& table) {
  if (request.collective->has_root()) {
    add_tree(plan, request, table);
    return {table.take()};
  }
  std::vector<Phases> phases;
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const GroupsOfLevel groups(plan, level);
    if (level == plan.switch_level) {
      add_switch_passes(groups, plan.rings[level], table);
      phases.push_back(table.take());
      continue;
    }
    const bool ring = request.collective->has_ring();
    table.add_independent(ring ? ring_transfers(groups, plan.rings[level])
                               : exchange_transfers(groups));
    phases.push_back(table.take());
    // A ring whose messages share no link needs no phases within a step.
    if (ring && phases.back().size() == 1) phases.back().clear();
  }
  return phases;
}

}  // namespace tvp::collectives
