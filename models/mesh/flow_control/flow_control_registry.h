#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

class RouterClock;

/// A flow control with its name in `mesh.flow_control` and its properties.
struct FlowControl {
  const char* name;
  bool holds = false;         ///< packets hold a buffer while they wait for the next one
  bool has_channels = false;  ///< has virtual channels
  bool has_schedule = false;  ///< has a static schedule and so cannot route around faults
  std::unique_ptr<MeshNetwork> (*make)(const MeshConfig& config, const MeshTopology& topology,
                                       support::Calendar& calendar, RouterClock* clock);
};

/// A new flow control is a file pair and a line in flow_control_registry.cpp.
std::vector<std::string> flow_control_names();
/// Throws Fault(kDescription) for an unknown name.
const FlowControl& find_flow_control(const std::string& name);

}  // namespace tvp::mesh
