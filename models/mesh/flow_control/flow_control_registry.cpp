#include "models/mesh/flow_control/flow_control_registry.h"

#include "foundation/fault.h"
#include "models/mesh/flow_control/buffered_mesh.h"
#include "models/mesh/flow_control/deflection_mesh.h"
#include "models/mesh/flow_control/drop_mesh.h"
#include "models/mesh/flow_control/hold_mesh.h"
#include "models/mesh/flow_control/static_mesh.h"

namespace tvp::mesh {

namespace {

/// Makes a mesh whose routers can be external (RouterClock) or not.
template <typename Mesh>
std::unique_ptr<MeshNetwork> make_network(const MeshConfig& config, const MeshTopology& topology,
                                          support::Calendar& calendar, RouterClock* clock) {
  if constexpr (std::is_constructible_v<Mesh, const MeshConfig&, const MeshTopology&,
                                        support::Calendar&, RouterClock*>) {
    return std::make_unique<Mesh>(config, topology, calendar, clock);
  } else {
    static_cast<void>(clock);
    return std::make_unique<Mesh>(config, topology, calendar);
  }
}

constexpr FlowControl kFlowControls[] = {
    {.name = "hold", .holds = true, .make = make_network<HoldMesh>},
    {.name = "deflection", .make = make_network<DeflectionMesh>},
    {.name = "drop", .make = make_network<DropMesh>},
    {.name = "buffered", .holds = true, .has_channels = true, .make = make_network<BufferedMesh>},
    {.name = "static", .has_schedule = true, .make = make_network<StaticMesh>},
};

}  // namespace

std::vector<std::string> flow_control_names() {
  std::vector<std::string> names;
  for (const FlowControl& flow_control : kFlowControls) names.emplace_back(flow_control.name);
  return names;
}

const FlowControl& find_flow_control(const std::string& name) {
  for (const FlowControl& flow_control : kFlowControls) {
    if (name == flow_control.name) return flow_control;
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "mesh.flow_control",
                          "unknown flow control '" + name + "'");
}

}  // namespace tvp::mesh
