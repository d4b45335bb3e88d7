#include "models/rtl/rtl_router_array.h"

#include <algorithm>
#include <utility>

#include "foundation/fault.h"
#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/routing/routing_registry.h"
#include "models/rtl/refuse.h"

namespace tvp::rtl {

using foundation::Fault;
using foundation::FaultKind;

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
                   unsigned meshes) {
  const std::string& name = config.routing.value();
  if (name == "minimal_adaptive") {
    refuse("mesh.routing", name + " with mesh.router=" + config.router.value() +
                               ": the RTL router has no escape channel");
  }
  if (fits_table(topology)) return;
  const auto refuse_size = [&](const char* key, const std::string& value) {
    refuse(key, value + " with mesh.router=" + config.router.value() +
                    ": the routing table of the RTL router has " + std::to_string(kTableSide) +
                    " x " + std::to_string(kTableSide) + " rows, the mesh " +
                    std::to_string(topology.width()) + " x " + std::to_string(topology.height()) +
                    " routers");
  };
  if (routing_code(name) == kRouteTable) refuse_size("mesh.routing", name);
  for (const mesh::MeshFault& fault : mesh::plan_faults(config, topology, meshes)) {
    if (fault.is_permanent()) refuse_size("mesh.faults", "a permanent fault");
  }
}

void check_buffered(const mesh::MeshConfig& config) {
  if (config.vcs != RtlVcRouter::kVcs || config.buffer_flits != RtlVcRouter::kBufferFlits) {
    refuse("mesh.vcs", "the RTL router has " + std::to_string(RtlVcRouter::kVcs) +
                           " virtual channels of " + std::to_string(RtlVcRouter::kBufferFlits) +
                           " flits: expected mesh.vcs and mesh.buffer_flits to say so");
  }
  if (config.route_cycles != 0 || config.vc_allocation_cycles != 1) {
    refuse("mesh.route_cycles",
           "the RTL router routes ahead and allocates channels in a cycle of its own: expected "
           "mesh.route_cycles=0 and mesh.vc_allocation_cycles=1");
  }
}

}  // namespace

RtlRouterArray::RtlRouterArray(const sc_core::sc_module_name& name, const mesh::MeshConfig& config,
                               const mesh::MeshTopology& topology, std::vector<unsigned> nodes,
                               unsigned meshes)
    : sc_module(name),
      topology_(topology),
      routing_(config.routing.value()),
      nodes_(std::move(nodes)),
      by_node_(topology.nodes()) {
  check_routing(config, topology, meshes);
  if (config.flow_control == "buffered") {
    check_buffered(config);
  } else if (config.flow_control != "hold") {
    refuse("mesh.flow_control",
           "the RTL router has no " + config.flow_control.value() + ": expected hold or buffered");
  }
  for (const unsigned node : nodes_) {
    if (node >= topology.nodes()) {
      refuse("mesh.router", "router " + std::to_string(node) + ": there are 0 to " +
                                std::to_string(topology.nodes() - 1));
    }
  }
  SC_THREAD(run);
}

RtlRouterArray::~RtlRouterArray() = default;

bool RtlRouterArray::has(unsigned node) const {
  return nodes_.empty() || std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
}

template <typename Router>
Router& RtlRouterArray::router(std::vector<std::unique_ptr<Router>>& routers, unsigned node) {
  if (routers.empty()) routers.resize(topology_.nodes());
  if (routers[node] == nullptr) {
    const std::string name = std::string(basename()) + "_router" + std::to_string(node);
    routers[node] = std::make_unique<Router>(name.c_str(), topology_);
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
  Reset reset{by_node_[straps.node], straps, routing_code(routing_), {}};
  if (table != nullptr) {
    reset.routing = kRouteTable;
    reset.rows = rows_of(straps.node, *table);
  } else if (reset.routing == kRouteTable) {
    const mesh::RoutingTable own(topology_, *mesh::make_routing(routing_));
    reset.rows = rows_of(straps.node, own);
  }
  reset.router->empty();
  resets_.push_back(std::move(reset));
  go_.notify(sc_core::SC_ZERO_TIME);
}

void RtlRouterArray::request_edge(unsigned node, mesh::EdgeListener& listener,
                                  support::Cycle cycle) {
  rethrow();
  if (!waiting_.empty() && cycle != cycle_) {
    throw Fault(FaultKind::kInternal, name(),
                "cycle " + std::to_string(cycle) + " begins before the edge of cycle " +
                    std::to_string(cycle_));
  }
  waiting_.push_back(by_node_[node]);
  listener_ = &listener;
  cycle_ = cycle;
  go_.notify(sc_core::SC_ZERO_TIME);
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

void RtlRouterArray::rethrow() {
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

void RtlRouterArray::pulse(const std::vector<RtlRouter*>& routers) {
  for (const bool level : {true, false}) {
    for (RtlRouter* router : routers) router->set_clock(level);
    // One delta cycle for the level to change, one for the router to see it.
    wait(sc_core::SC_ZERO_TIME);
    wait(sc_core::SC_ZERO_TIME);
  }
}

/// Resets all routers in parallel and writes one table row with each edge. On a chip's wires this
/// time is part of mesh.fault_detect_cycles.
void RtlRouterArray::reset_routers() {
  std::vector<Reset> resets;
  resets.swap(resets_);
  std::vector<RtlRouter*> routers;
  std::size_t rows = 1;
  for (const Reset& reset : resets) {
    reset.router->set_reset(true);
    reset.router->set_straps(reset.straps, reset.routing);
    routers.push_back(reset.router);
    rows = std::max(rows, reset.rows.size());
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (const Reset& reset : resets) {
      reset.router->set_row(row < reset.rows.size() ? std::optional(reset.rows[row])
                                                    : std::nullopt);
    }
    wait(sc_core::SC_ZERO_TIME);
    pulse(routers);
  }
  for (const Reset& reset : resets) {
    reset.router->set_reset(false);
    reset.router->set_row(std::nullopt);
  }
  wait(sc_core::SC_ZERO_TIME);
}

void RtlRouterArray::run() {
  while (true) {
    if (waiting_.empty() && resets_.empty()) wait(go_);
    if (!resets_.empty()) reset_routers();
    if (waiting_.empty()) continue;
    clocked_.swap(waiting_);
    for (RtlRouter* router : clocked_) router->drive();
    wait(sc_core::SC_ZERO_TIME);
    pulse(clocked_);
    edges_ += clocked_.size();
    if (watched_) {
      for (RtlRouter* router : clocked_) router->pin_waves().show(cycle_);
    }
    try {
      for (RtlRouter* router : clocked_) router->sample(cycle_);
      clocked_.clear();
      listener_->edge_done(cycle_);
    } catch (...) {
      failed_ = std::current_exception();
    }
  }
}

}  // namespace tvp::rtl
