#pragma once

#include "models/mesh/arbitration.h"
#include "models/support/calendar.h"
#include "models/support/settings.h"

namespace tvp::mesh {

/// Settings of a mesh network.
struct MeshConfig : support::SettingGroup {
  MeshConfig();

  support::Setting<unsigned> width;
  support::Setting<unsigned> height;
  support::Setting<unsigned> clock_mhz;
  support::Text router;
  support::Choice routing;
  support::Choice flow_control;
  support::Setting<unsigned> vcs;
  support::Setting<unsigned> buffer_flits;
  support::Setting<unsigned> route_cycles;
  support::Setting<unsigned> vc_allocation_cycles;
  support::Setting<unsigned> switch_allocation_cycles;
  support::Setting<unsigned> switch_traversal_cycles;
  support::Setting<unsigned> link_cycles;
  support::Setting<unsigned> credit_cycles;
  support::Setting<unsigned> injection_cycles;
  support::Setting<unsigned> injection_queue_packets;
  support::Choice arbitration;
  support::Text class_weights;
  support::Setting<unsigned> vc_groups;
  support::Setting<unsigned> throttle_flits;
  support::Text faults;
  support::Setting<unsigned> random_link_faults;
  support::Setting<unsigned> random_router_faults;
  support::Setting<unsigned> random_fault_until;
  support::Setting<unsigned> random_fault_cycles;
  support::Setting<std::uint64_t> fault_seed;
  support::Setting<unsigned> fault_detect_cycles;
  support::Setting<unsigned> max_retries;
};

/// What `mesh.arbitration` means with `mesh.flow_control`. Throws Fault(kDescription) when the two
/// do not go together.
Arbitration arbitration_of(const MeshConfig& config);

/// How far tiles may run ahead of each other when a mesh joins them; for the Calendar of the tiles.
support::Calendar::Lookahead lookahead(const MeshConfig& config);

}  // namespace tvp::mesh
