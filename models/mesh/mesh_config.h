#pragma once

#include "foundation/settings.h"
#include "models/mesh/flow_control/arbitration.h"
#include "models/support/calendar.h"

namespace tvp::mesh {

/// Settings of a mesh network.
struct MeshConfig : foundation::SettingGroup {
  MeshConfig();

  foundation::Setting<unsigned> width;
  foundation::Setting<unsigned> height;
  foundation::Setting<unsigned> clock_mhz;
  foundation::Text router;
  foundation::Choice routing;
  foundation::Setting<std::uint64_t> routing_seed;
  foundation::Choice flow_control;
  foundation::Setting<unsigned> vcs;
  foundation::Setting<unsigned> buffer_flits;
  foundation::Choice vc_selection;
  foundation::Setting<unsigned> route_cycles;
  foundation::Setting<unsigned> vc_allocation_cycles;
  foundation::Setting<unsigned> switch_allocation_cycles;
  foundation::Setting<unsigned> switch_traversal_cycles;
  foundation::Setting<unsigned> link_cycles;
  foundation::Setting<unsigned> credit_cycles;
  foundation::Setting<unsigned> injection_cycles;
  foundation::Setting<unsigned> injection_credit_cycles;
  foundation::Setting<unsigned> injection_queue_packets;
  foundation::Choice arbitration;
  foundation::Text class_weights;
  foundation::Setting<unsigned> vc_groups;
  foundation::Setting<unsigned> throttle_flits;
  foundation::Text faults;
  foundation::Setting<unsigned> random_link_faults;
  foundation::Setting<unsigned> random_router_faults;
  foundation::Setting<unsigned> random_fault_until;
  foundation::Setting<unsigned> random_fault_cycles;
  foundation::Setting<std::uint64_t> fault_seed;
  foundation::Setting<unsigned> fault_detect_cycles;
  foundation::Setting<unsigned> max_retries;
};

/// The arbitration that `mesh.arbitration` selects with `mesh.flow_control`. Throws
/// Fault(kDescription) if the two do not go together.
Arbitration arbitration_of(const MeshConfig& config);

/// Limits how far tiles that a mesh connects may run ahead of each other; for their Calendar.
support::Calendar::Lookahead lookahead(const MeshConfig& config);

}  // namespace tvp::mesh
