#include "models/rtl/rtl_router_array.h"

#include <algorithm>
#include <utility>

#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/routing/routing_registry.h"
#include "models/rtl/refuse.h"
#include "models/rtl/user_library.h"
#include "models/rtl/verilated_routers.h"

namespace tvp::rtl {

namespace {

// routing_e of mesh_pkg.sv. Routings that are not in logic use the table.
constexpr unsigned kRouteTable = 3;
unsigned routing_code(const std::string& name) {
  if (name == "xy") return 0;
  if (name == "yx") return 1;
  if (name == "west_first") return 2;
  return kRouteTable;
}

// The table has slots for meshes up to this side length.
constexpr unsigned kTableSide = 16;

bool fits_table(const mesh::MeshTopology& topology) {
  return topology.width() <= kTableSide && topology.height() <= kTableSide;
}

void check_routing(const mesh::MeshConfig& config, const mesh::MeshTopology& topology,
                   const RtlRouter::Module& module, unsigned meshes) {
  const std::string& name = config.routing.value();
  const std::string with = " with mesh.router=" + config.router.value() + ": ";
  if (name == "minimal_adaptive") {
    refuse("mesh.routing", name + with + "the RTL router has no escape channel");
  }
  const bool fits = fits_table(topology);
  if (fits && module.has_table) return;
  const std::string why =
      module.has_table
          ? "the routing table of the RTL router has " + std::to_string(kTableSide) + " x " +
                std::to_string(kTableSide) + " rows, the mesh " + std::to_string(topology.width()) +
                " x " + std::to_string(topology.height()) + " routers"
          : "the RTL router has no pins row_write, row_index and row";
  if (routing_code(name) == kRouteTable) refuse("mesh.routing", name + with + why);
  for (const mesh::MeshFault& fault : mesh::plan_faults(config, topology, meshes)) {
    if (fault.is_permanent()) refuse("mesh.faults", "a permanent fault" + with + why);
  }
}

/// A user's router has the channels and stages that its author gives it.
void check_buffered(const mesh::MeshConfig& config) {
  if (config.vcs != kVcs || config.buffer_flits != kBufferFlits) {
    refuse("mesh.vcs", "the RTL router has " + std::to_string(kVcs) + " virtual channels of " +
                           std::to_string(kBufferFlits) +
                           " flits: expected mesh.vcs and mesh.buffer_flits to say so");
  }
  if (config.route_cycles != 0 || config.vc_allocation_cycles != 1) {
    refuse("mesh.route_cycles",
           "the RTL router routes ahead and allocates channels in a cycle of its own: expected "
           "mesh.route_cycles=0 and mesh.vc_allocation_cycles=1");
  }
}

const RtlRouter::Module& module_of(const mesh::MeshConfig& config, const std::string& library) {
  const std::string& flow_control = config.flow_control.value();
  const bool has_credits = flow_control == "buffered";
  if (!has_credits && flow_control != "hold") {
    refuse("mesh.flow_control",
           "the RTL router has no " + flow_control + ": expected hold or buffered");
  }
  if (library.empty()) return has_credits ? verilated_vc_router() : verilated_hold_router();
  const auto& module = user_module<RtlRouter::Module>("mesh.router", library, "mesh_router");
  if (module.has_credits == has_credits) return module;
  refuse("mesh.flow_control", "the router " + std::string(module.name) + " of '" + library +
                                  "' has pins for " + (module.has_credits ? "credits" : "ready") +
                                  ": expected " + (module.has_credits ? "buffered" : "hold"));
}

}  // namespace

RtlRouterArray::RtlRouterArray(std::string name, const mesh::MeshConfig& config,
                               const mesh::MeshTopology& topology, RouterSelection selection,
                               unsigned meshes)
    : name_(std::move(name)),
      topology_(topology),
      routing_(config.routing.value()),
      nodes_(std::move(selection.nodes)),
      module_(module_of(config, selection.library)),
      by_node_(topology.nodes()) {
  check_routing(config, topology, module_, meshes);
  if (module_.has_credits && selection.library.empty()) check_buffered(config);
  for (const unsigned node : nodes_) {
    if (node >= topology.nodes()) {
      refuse("mesh.router", "router " + std::to_string(node) + ": there are 0 to " +
                                std::to_string(topology.nodes() - 1));
    }
  }
}

bool RtlRouterArray::has(unsigned node) const {
  return nodes_.empty() || std::ranges::find(nodes_, node) != nodes_.end();
}

template <typename Router>
Router& RtlRouterArray::router(std::vector<std::unique_ptr<Router>>& routers, unsigned node) {
  if (routers.empty()) routers.resize(topology_.nodes());
  if (routers[node] == nullptr) {
    routers[node] =
        std::make_unique<Router>(module_, name_ + "_router" + std::to_string(node), topology_);
    by_node_[node] = routers[node].get();
  }
  return *routers[node];
}

mesh::ExternalHoldRouter& RtlRouterArray::hold_router(unsigned node) {
  return router(hold_routers_, node);
}

mesh::ExternalVcRouter& RtlRouterArray::vc_router(unsigned node) {
  return router(vc_routers_, node);
}

std::vector<TableRow> RtlRouterArray::rows_of(unsigned node,
                                              const mesh::RoutingTable& table) const {
  std::vector<TableRow> rows;
  for (unsigned target = 0; target < topology_.nodes(); ++target) {
    TableRow row{.index = topology_.y_of(target) * kTableSide + topology_.x_of(target)};
    for (unsigned in = 0; in < mesh::kPorts; ++in) {
      const std::uint32_t outputs = table.outputs(node, static_cast<mesh::Port>(in), target);
      row.outputs |= outputs << in * mesh::kPorts;
    }
    rows.push_back(row);
  }
  return rows;
}

void RtlRouterArray::reset(const mesh::Straps& straps, const mesh::RoutingTable* table) {
  const unsigned code = table != nullptr ? kRouteTable : routing_code(routing_);
  std::vector<TableRow> rows;
  if (table != nullptr) {
    rows = rows_of(straps.node, *table);
  } else if (code == kRouteTable) {
    rows = rows_of(straps.node, mesh::RoutingTable(topology_, *mesh::make_routing(routing_)));
  }
  by_node_[straps.node]->reset(straps, code, rows);
}

void RtlRouterArray::clock(unsigned node, support::Cycle cycle) {
  by_node_[node]->clock(cycle, watched_);
  ++edges_;
}

void RtlRouterArray::watch(support::WaveRecorder& recorder,
                           const std::function<std::string(unsigned node)>& path_of) {
  watched_ = true;
  for (unsigned node = 0; node < by_node_.size(); ++node) {
    if (by_node_[node] == nullptr) continue;
    const std::string path = path_of(node) + ".";
    const auto attach = [&](auto& signal, const PinWaves::Row& row) {
      recorder.watch(signal, {.path = path + row.name, .width = row.width});
    };
    by_node_[node]->pin_waves().watch(attach, attach);
  }
}

}  // namespace tvp::rtl
