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

std::vector<unsigned> levels_of(const Request& request, const runtime::PimSystem& system,
                                unsigned ranks) {
  if (!request.hierarchical) return {ranks};
  if (ranks != system.units()) {
    bad_use(request.name + ".form", "hierarchical needs all " + std::to_string(system.units()) +
                                        " units, not " + std::to_string(ranks));
  }
  std::vector<unsigned> levels;
  for (const auto& level : system.levels()) levels.push_back(level.count);
  if (levels.size() > ::pim::collectives::kMaxLevels) {
    bad_use(request.name + ".form",
            "hierarchical takes at most " + std::to_string(::pim::collectives::kMaxLevels) +
                " levels, and the system has " + std::to_string(levels.size()));
  }
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
}

}  // namespace tvp::workloads::pim
