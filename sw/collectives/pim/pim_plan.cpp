#include "sw/collectives/pim/pim_plan.h"

#include <algorithm>
#include <numeric>

#include "sw/collectives/ideal/ideal_topology.h"
#include "sw/collectives/pim/message_phases.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

using runtime::bad_use;

namespace {

/// Levels with one member are left out. If there are more levels than the firmware has, the
/// outermost ones become one.
std::vector<unsigned> levels_of(const PimRequest& request, const runtime::PimSystem& system,
                                unsigned ranks) {
  if (!request.hierarchical) return {ranks};
  if (ranks != system.units()) {
    bad_use(request.name + ".form", "hierarchical: expected all " + std::to_string(system.units()) +
                                        " units, not " + std::to_string(ranks));
  }
  std::vector<unsigned> levels;
  for (const auto& level : system.levels()) {
    if (level.count == 1) continue;
    if (levels.size() < firmware::collectives::kMaxLevels) {
      levels.push_back(level.count);
    } else {
      levels.back() *= level.count;
    }
  }
  if (levels.empty()) levels.push_back(1);
  return levels;
}

void check_variant(const PimRequest& request) {
  if (!request.as_written) return;
  if (request.form != request.collective->document_form || request.hierarchical) {
    bad_use(request.name + ".variant",
            "as_written is defined for flat forms only: expected algorithm=ring for an all-reduce, "
            "algorithm=heap for a broadcast");
  }
}

/// The level of a collective that the switch between chips executes; none for other forms.
std::optional<std::size_t> switch_level_of(const PimRequest& request,
                                           const runtime::PimSystem& system) {
  if (request.form != "in_switch") return std::nullopt;
  const std::string key = request.name + ".algorithm";
  if (system.switch_chips() < 2) {
    bad_use(key,
            "in_switch needs a switch between several chips: expected a system with "
            "pim.network=tiers, e.g. pim_dimm");
  }
  if (!reduces(request.collective->primitive)) {
    if (request.sync != "barriers" && !system.is_scheduled())
      return system.levels()[0].count > 1 ? 1 : 0;
    bad_use(key,
            "in_switch: a broadcast cannot use barriers: expected sync=credits, and a mesh without "
            "a static schedule");
  }
  if (!system.switch_has_halves()) {
    bad_use(key,
            "in_switch: a chip sends to the switch and receives from it in the same beats: "
            "expected pim.dq_halves=true");
  }
  if (request.op != "sum" && request.op != "max" && request.op != "min" && request.op != "prod") {
    bad_use(request.name + ".op",
            "the switch has no operation " + request.op + ": expected sum, max, min or prod");
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

TreeFlow flow_of(const PimRequest& request) {
  if (!request.collective->has_root()) return TreeFlow::kPipelined;
  if (request.as_written) return TreeFlow::kByLevel;
  return request.pipelined ? TreeFlow::kPipelined : TreeFlow::kWhole;
}

/// True if a closed way with hops of 1 visits all routers of a mesh.
bool has_short_ring(unsigned width, unsigned height) {
  if (width * height <= 2) return true;
  return width > 1 && height > 1 && (width % 2 == 0 || height % 2 == 0);
}

}  // namespace

PimPlan::PimPlan(const PimRequest& request, const runtime::PimSystem& system)
    : ranks(request.nodes == 0 ? system.units() : request.nodes) {
  if (ranks > system.units()) {
    bad_use(request.name + ".nodes", "expected at most the " + std::to_string(system.units()) +
                                         " units of the system, not " + std::to_string(ranks));
  }
  if (ranks > firmware::collectives::kMaxRanks) {
    bad_use(request.name + ".nodes", "expected at most " +
                                         std::to_string(firmware::collectives::kMaxRanks) +
                                         " ranks, not " + std::to_string(ranks));
  }
  if (request.collective->has_root() && request.root >= ranks) {
    bad_use(request.name + ".root", "expected a rank below " + std::to_string(ranks) + ", not " +
                                        std::to_string(request.root));
  }
  check_variant(request);
  switch_level = switch_level_of(request, system);
  levels = levels_of(request, system, ranks);
  order_rings(request, system);
  tree_flow = flow_of(request);
  barriers = request.sync == "barriers" || (request.sync == "auto" && system.is_scheduled());
  if (barriers && request.form != "host") set_phases(request, system);
}

void PimPlan::order_rings(const PimRequest& request, const runtime::PimSystem& system) {
  for (const unsigned size : levels) {
    rings.emplace_back(size);
    std::iota(rings.back().begin(), rings.back().end(), 0U);
  }
  if (request.order != "hamiltonian") return;
  const unsigned width = std::min(system.line_units(), ranks);
  if (request.hierarchical || ranks % width != 0) {
    bad_use(request.name + ".order", "hamiltonian: expected the flat form and whole rows of " +
                                         std::to_string(width) + " units, not " +
                                         std::to_string(ranks));
  }
  const unsigned height = ranks / width;
  if (!has_short_ring(width, height)) {
    bad_use(request.name + ".order",
            "a ring with hops of 1: expected a mesh with an even side and two rows or more, not " +
                std::to_string(width) + " x " + std::to_string(height));
  }
  rings[0] = hamiltonian_order(height, width);
}

void PimPlan::set_phases(const PimRequest& request, const runtime::PimSystem& system) {
  if (tree_flow != TreeFlow::kPipelined) {
    bad_use(request.name + ".sync",
            "with barriers (the default for mesh.flow_control=static) a broadcast is sent slice by "
            "slice: expected pipelined=true and variant=standard");
  }
  PhaseTable table([&](const Transfer& transfer) {
    return system.scheduled_route(transfer.source, transfer.destination);
  });
  phases = message_phases(request, *this, table);
  std::size_t count = 0;
  for (const Phases& of_level : phases) count += of_level.size();
  if (count > firmware::collectives::kMaxPhases) {
    bad_use(request.name + ".sync", "firmware takes at most " +
                                        std::to_string(firmware::collectives::kMaxPhases) +
                                        " phases: this plan has " + std::to_string(count));
  }
}

firmware::collectives::TreeShape tree_shape(const PimRequest& request) {
  using Shape = firmware::collectives::TreeShape;
  return request.form == "binomial" ? Shape::kBinomial : Shape::kHeap;
}

RingHops ring_hops(const PimPlan& plan, unsigned line_units) {
  RingHops hops;
  const std::vector<unsigned>& ring = plan.rings[0];
  const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  for (std::size_t i = 0; i < ring.size() && ring.size() > 1; ++i) {
    const unsigned a = ring[i];
    const unsigned b = ring[(i + 1) % ring.size()];
    const unsigned steps =
        distance(a % line_units, b % line_units) + distance(a / line_units, b / line_units);
    hops.longest = std::max(hops.longest, steps);
    hops.sum += steps;
  }
  return hops;
}

}  // namespace tvp::collectives
