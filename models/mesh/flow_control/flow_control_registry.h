#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

class RouterClock;

/// A flow control as `mesh.flow_control` names it, and what it goes together with.
struct FlowControl {
  const char* name;
  bool holds = false;         ///< packets hold a buffer while they wait for the next one
  bool has_channels = false;  ///< virtual ones
  bool has_schedule = false;  ///< a static one, which has no way around faults
  std::unique_ptr<MeshNetwork> (*make)(const MeshConfig& config, const MeshTopology& topology,
                                       support::Calendar& calendar, RouterClock* clock);
};

/// Another one: a file pair of its own, and a line in flow_control_registry.cpp.
std::vector<std::string> flow_control_names();
/// Throws Fault(kDescription) for a name that is none of these.
const FlowControl& find_flow_control(const std::string& name);

}  // namespace tvp::mesh
