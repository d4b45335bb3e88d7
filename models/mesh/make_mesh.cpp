#include "models/mesh/make_mesh.h"

#include "foundation/fault.h"
#include "models/mesh/external_router.h"
#include "models/mesh/flow_control/flow_control_registry.h"
#include "models/mesh/routing/deadlock_check.h"
#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Packets of these flow controls hold a buffer while they wait for the next one.
void check_deadlock(const MeshConfig& config, const MeshTopology& topology, bool has_channels) {
  const RoutingTable table(topology, *make_routing(config.routing.value()));
  if (has_channels && table.has_escape() && config.vcs < 2) {
    throw Fault(FaultKind::kDescription, "mesh.vcs",
                config.routing.value() + " needs a virtual channel to escape: expected 2 or more");
  }
  if (has_channels && config.vc_groups > config.vcs) {
    throw Fault(FaultKind::kDescription, "mesh.vc_groups",
                std::to_string(config.vc_groups) + " groups of " + std::to_string(config.vcs) +
                    " virtual channels: expected a channel for each");
  }
  if (has_channels && table.has_escape() && config.vc_groups > 1) {
    throw Fault(FaultKind::kDescription, "mesh.vc_groups",
                config.routing.value() + " has one escape channel for all: expected 1");
  }
  const DeadlockCheck check(topology, table, has_channels);
  if (!check.is_free()) {
    throw Fault(FaultKind::kDescription, "mesh.routing",
                config.routing.value() + " deadlocks with mesh.flow_control=" +
                    config.flow_control.value() + " on " + std::to_string(topology.width()) +
                    " x " + std::to_string(topology.height()) + " routers: " + check.problem());
  }
}

/// Routings that divide the virtual channels need enough of them.
void check_parts(const MeshConfig& config, bool has_channels, const RouterClock* clock) {
  const unsigned parts = make_routing(config.routing.value())->parts();
  if (parts == 1) return;
  const std::string who = config.routing.value() + " parts the virtual channels";
  if (!has_channels || clock != nullptr) {
    throw Fault(FaultKind::kDescription, "mesh.routing",
                who + ": expected mesh.flow_control=buffered and mesh.router=tlm, not " +
                    config.flow_control.value() + " and " + config.router.value());
  }
  if (config.vcs < parts * config.vc_groups) {
    throw Fault(FaultKind::kDescription, "mesh.vcs",
                who + " of each of " + config.vc_groups.text() + " groups: expected " +
                    std::to_string(parts * config.vc_groups) + " or more");
  }
}

/// Refuses features that external routers lack.
void check_external(const MeshConfig& config, const RouterClock* clock) {
  if (clock == nullptr) return;
  const auto refuse = [&](const char* key, const std::string& value, const char* expected) {
    throw Fault(FaultKind::kDescription, key,
                value + " with mesh.router=" + config.router.value() +
                    ", whose routers do not have it: expected " + expected);
  };
  if (!(config.arbitration == "default")) {
    refuse("mesh.arbitration", config.arbitration.value(), "default");
  }
  if (!(config.vc_selection == "most_credits")) {
    refuse("mesh.vc_selection", config.vc_selection.value(), "most_credits");
  }
  if (config.vc_groups > 1) refuse("mesh.vc_groups", config.vc_groups.text(), "1");
  if (config.throttle_flits > 0) refuse("mesh.throttle_flits", config.throttle_flits.text(), "0");
}

}  // namespace

std::unique_ptr<MeshNetwork> make_mesh(const MeshConfig& config, const MeshTopology& topology,
                                       support::Calendar& calendar, RouterClock* clock,
                                       const MeshPlace& place) {
  const FlowControl& flow_control = find_flow_control(config.flow_control.value());
  std::vector<MeshFault> faults = plan_faults(config, topology, place.meshes);
  check_external(config, clock);
  if (flow_control.has_schedule && !faults.empty()) {
    throw Fault(FaultKind::kDescription, "mesh.faults",
                "a static schedule has no way around faults: expected none");
  }
  check_parts(config, flow_control.has_channels, clock);
  if (flow_control.holds) check_deadlock(config, topology, flow_control.has_channels);
  std::unique_ptr<MeshNetwork> network = flow_control.make(config, topology, calendar, clock);
  network->break_later(std::move(faults), place);
  return network;
}

}  // namespace tvp::mesh
