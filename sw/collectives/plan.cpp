#include "sw/collectives/plan.h"

#include <algorithm>
#include <numeric>

#include "sw/collectives/collective.h"
#include "sw/collectives/ring_schedule.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

using runtime::bad_use;

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
    if (levels.size() < firmware::collectives::kMaxLevels) {
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
  if (request.algorithm != request.collective->document_algorithm() || request.hierarchical) {
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
  if (!request.collective->reduces()) return system.levels()[0].count > 1 ? 1 : 0;
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

}  // namespace

Plan::Plan(const Request& request, const runtime::PimSystem& system)
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
  tree_flow = request.collective->tree_flow(request);
  barriers = request.sync == "barriers" || (request.sync == "auto" && system.is_scheduled());
  if (barriers && request.algorithm != "host") schedule(request, system);
}

void Plan::order_rings(const Request& request, const runtime::PimSystem& system) {
  for (const unsigned size : levels) {
    rings.emplace_back(size);
    std::iota(rings.back().begin(), rings.back().end(), 0U);
  }
  if (request.order != "hamiltonian") return;
  const unsigned width = std::min(system.mesh_width(), ranks);
  if (request.hierarchical || ranks % width != 0) {
    bad_use(request.name + ".order", "hamiltonian needs the flat form and whole rows of " +
                                         std::to_string(width) + " units, not " +
                                         std::to_string(ranks));
  }
  rings[0] = hamiltonian_ring(request.name + ".order", width, ranks / width);
}

void Plan::schedule(const Request& request, const runtime::PimSystem& system) {
  if (tree_flow != TreeFlow::kPipelined) {
    bad_use(request.name + ".sync",
            "barriers, which mesh.flow_control=static asks for, send a broadcast slice by slice: "
            "expected pipelined=true and variant=standard");
  }
  PhaseTable table([&](const Transfer& transfer) {
    return system.scheduled_route(transfer.source, transfer.destination);
  });
  phases = request.collective->schedule(request, *this, table);
  std::size_t count = 0;
  for (const Phases& of_level : phases) count += of_level.size();
  if (count > firmware::collectives::kMaxPhases) {
    bad_use(request.name + ".sync", "a schedule takes at most " +
                                        std::to_string(firmware::collectives::kMaxPhases) +
                                        " phases, and this one has " + std::to_string(count));
  }
}

}  // namespace tvp::collectives
