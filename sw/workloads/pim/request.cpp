#include "sw/workloads/pim/request.h"

#include <algorithm>
#include <numeric>

#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

using runtime::bad_use;

bool reduces(Kind kind) { return kind == Kind::kAllReduce || kind == Kind::kReduceScatter; }

/// Out along the first row, back and forth through the others, column by column.
std::vector<unsigned> hamiltonian_ring(const std::string& where, unsigned width, unsigned height) {
  const bool turned = width % 2 != 0;  // then the other side has to be even
  const unsigned columns = turned ? height : width;
  const unsigned rows = turned ? width : height;
  if (width == 1 && height == 1) return {0};
  if ((width == 1 && height == 2) || (width == 2 && height == 1)) return {0, 1};
  if (columns % 2 != 0 || rows < 2) {
    bad_use(where, "a ring with hops of 1 needs a mesh with an even side and two rows, not " +
                       std::to_string(width) + " x " + std::to_string(height));
  }
  const auto number = [&](unsigned column, unsigned row) {
    return turned ? column * width + row : row * width + column;
  };
  std::vector<unsigned> ring;
  for (unsigned column = 0; column < columns; ++column) ring.push_back(number(column, 0));
  for (unsigned column = columns; column-- > 0;)
    for (unsigned i = 1; i < rows; ++i)
      ring.push_back(number(column, (columns - 1 - column) % 2 == 0 ? i : rows - i));
  return ring;
}

namespace {

/// Levels of one are none, and the outermost ones are one when there are more than the firmware
/// takes.
std::vector<unsigned> levels_of(const Request& request, const runtime::PimSystem& system,
                                unsigned ranks) {
  if (!request.hierarchical) return {ranks};
  if (ranks != system.units()) {
    bad_use(request.name + ".form", "hierarchical needs all " + std::to_string(system.units()) +
                                        " units, not " + std::to_string(ranks));
  }
  std::vector<unsigned> levels;
  for (const auto& level : system.levels()) {
    if (level.count == 1) continue;
    if (levels.size() < ::pim::collectives::kMaxLevels) {
      levels.push_back(level.count);
    } else {
      levels.back() *= level.count;
    }
  }
  if (levels.empty()) levels.push_back(1);
  return levels;
}

void check_variant(const Request& request) {
  if (!request.as_written) return;
  const bool document = request.kind == Kind::kAllReduce
                            ? request.algorithm == "ring"
                            : request.kind == Kind::kBroadcast && request.algorithm == "heap";
  if (!document || request.hierarchical) {
    bad_use(request.name + ".variant",
            "the document writes flat forms only: algorithm ring for an all-reduce, heap for a "
            "broadcast");
  }
}

/// Where the switch between chips does a level of a collective: which one.
std::optional<std::size_t> switch_level_of(const Request& request,
                                           const runtime::PimSystem& system) {
  if (request.algorithm != "in_switch") return std::nullopt;
  const std::string key = request.name + ".algorithm";
  if (system.switch_chips() < 2) {
    bad_use(key,
            "in_switch needs a switch between several chips: expected a system with "
            "pim.network=tiers, e.g. pim_dimm");
  }
  if (request.sync == "barriers" || system.is_scheduled()) {
    bad_use(key, "in_switch needs sync=credits, and a mesh without a static schedule");
  }
  if (!reduces(request.kind)) return system.levels()[0].count > 1 ? 1 : 0;
  if (!system.switch_has_halves()) {
    bad_use(key,
            "in_switch: a chip sends to the switch and hears from it in the same beats: "
            "expected pim.dq_halves=true");
  }
  if (request.op != "sum" && request.op != "max" && request.op != "min" && request.op != "prod") {
    bad_use(request.name + ".op",
            "the switch has no " + request.op + ": expected sum, max, min or prod");
  }
  const unsigned element = request.type == "int64" ? 8 : 4;
  if (system.packet_bytes() % element != 0) {
    bad_use(request.name + ".type",
            "the switch combines whole elements: expected a "
            "pim.packet_bytes that is a multiple of " +
                std::to_string(element));
  }
  return system.levels()[0].count > 1 ? 1 : 0;
}

/// Those of a step of the rings of a level, or all of an exchange in its groups.
std::vector<Transfer> transfers_of(const Plan& plan, std::size_t level, bool exchange) {
  unsigned stride = 1;
  for (std::size_t l = 0; l < level; ++l) stride *= plan.levels[l];
  const unsigned size = plan.levels[level];
  std::vector<Transfer> transfers;
  for (unsigned first = 0; first < plan.ranks; ++first) {
    if (first / stride % size != 0) continue;
    for (unsigned i = 0; i < size; ++i) {
      for (unsigned step = 1; step < (exchange ? size : std::min(size, 2U)); ++step) {
        const unsigned from = exchange ? i : plan.rings[level][i];
        const unsigned to = exchange ? (i + step) % size : plan.rings[level][(i + 1) % size];
        transfers.push_back({first + stride * from, first + stride * to});
      }
    }
  }
  return transfers;
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
        const ::pim::collectives::TreeNode tree(request.algorithm == "binomial"
                                                    ? ::pim::collectives::TreeShape::kBinomial
                                                    : ::pim::collectives::TreeShape::kHeap,
                                                size, node);
        for (unsigned i = 0; i < tree.children(); ++i) {
          const unsigned child = rank(tree.child(i));
          ready[child] = table.add({rank(node), child}, ready[rank(node)]) + 1;
        }
      }
    }
  }
}

}  // namespace

Plan::Plan(const Request& request, const runtime::PimSystem& system)
    : ranks(request.nodes == 0 ? system.units() : request.nodes) {
  if (ranks > system.units()) {
    bad_use(request.name + ".nodes", "expected at most the " + std::to_string(system.units()) +
                                         " units of the system, not " + std::to_string(ranks));
  }
  if (ranks > ::pim::collectives::kMaxRanks) {
    bad_use(request.name + ".nodes", "expected at most " +
                                         std::to_string(::pim::collectives::kMaxRanks) +
                                         " ranks, not " + std::to_string(ranks));
  }
  if (request.kind == Kind::kBroadcast && request.root >= ranks) {
    bad_use(request.name + ".root", "expected a rank below " + std::to_string(ranks) + ", not " +
                                        std::to_string(request.root));
  }
  check_variant(request);
  switch_level = switch_level_of(request, system);
  levels = levels_of(request, system, ranks);
  for (const unsigned size : levels) {
    rings.emplace_back(size);
    std::iota(rings.back().begin(), rings.back().end(), 0U);
  }
  if (request.order == "hamiltonian") {
    const unsigned width = std::min(system.mesh_width(), ranks);
    if (request.hierarchical || ranks % width != 0) {
      bad_use(request.name + ".order", "hamiltonian needs the flat form and whole rows of " +
                                           std::to_string(width) + " units, not " +
                                           std::to_string(ranks));
    }
    rings[0] = hamiltonian_ring(request.name + ".order", width, ranks / width);
  }
  if (request.kind == Kind::kBroadcast && request.as_written) {
    tree_flow = TreeFlow::kByLevel;
  } else if (!request.pipelined) {
    tree_flow = TreeFlow::kWhole;
  }
  barriers = request.sync == "barriers" || (request.sync == "auto" && system.is_scheduled());
  if (barriers && request.algorithm != "host") schedule(request, system);
}

void Plan::schedule(const Request& request, const runtime::PimSystem& system) {
  if (tree_flow != TreeFlow::kPipelined) {
    bad_use(request.name + ".sync",
            "barriers, which mesh.flow_control=static asks for, send a broadcast slice by slice: "
            "expected pipelined=true and variant=standard");
  }
  PhaseTable table([&](const Transfer& transfer) {
    return system.scheduled_way(transfer.source, transfer.destination);
  });
  std::size_t count = 0;
  if (request.kind == Kind::kBroadcast) {
    add_tree(*this, request, table);
    phases.push_back(table.take());
    count = phases[0].size();
  }
  for (std::size_t level = 0; level < levels.size() && request.kind != Kind::kBroadcast; ++level) {
    table.add_independent(transfers_of(*this, level, request.kind == Kind::kAllToAll));
    phases.push_back(table.take());
    // A ring whose messages share nothing needs no phases within a step.
    if (request.kind != Kind::kAllToAll && phases.back().size() == 1) phases.back().clear();
    count += phases.back().size();
  }
  if (count > ::pim::collectives::kMaxPhases) {
    bad_use(request.name + ".sync", "a schedule takes at most " +
                                        std::to_string(::pim::collectives::kMaxPhases) +
                                        " phases, and this one has " + std::to_string(count));
  }
}

}  // namespace tvp::workloads::pim
