#include "models/rtl/rtl_routers.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "models/rtl/rtl_hold_router.h"
#include "models/rtl/rtl_vc_router.h"
#include "models/support/fault.h"

namespace tvp::rtl {

using support::Fault;
using support::FaultKind;

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& text) {
  throw Fault(FaultKind::kDescription, key, text);
}

/// routing_e of mesh_pkg.sv.
unsigned routing_code(const std::string& name) {
  if (name == "xy") return 0;
  if (name == "yx") return 1;
  if (name == "west_first") return 2;
  refuse("mesh.routing", "the RTL router has no " + name + ": expected xy, yx or west_first");
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

std::optional<std::vector<unsigned>> rtl_nodes(const mesh::MeshConfig& config,
                                               const mesh::Topology& topology) {
  const std::string& text = config.router.value();
  if (text == "tlm") return std::nullopt;
  if (text == "rtl") return std::vector<unsigned>{};
  unsigned x = 0;
  unsigned y = 0;
  int end = 0;
  const bool read = std::sscanf(text.c_str(), "rtl:%u:%u%n", &x, &y, &end) == 2 &&
                    static_cast<std::size_t>(end) == text.size();
  if (!read || x >= topology.width() || y >= topology.height()) {
    refuse("mesh.router", "'" + text + "': expected tlm, rtl, or rtl:X:Y with a router of the " +
                              std::to_string(topology.width()) + " x " +
                              std::to_string(topology.height()) + " mesh");
  }
  return std::vector<unsigned>{topology.node_at(x, y)};
}

RtlRouters::RtlRouters(const sc_core::sc_module_name& name, const mesh::MeshConfig& config,
                       const mesh::Topology& topology, std::vector<unsigned> nodes)
    : sc_module(name),
      topology_(topology),
      routing_(routing_code(config.routing.value())),
      nodes_(std::move(nodes)),
      by_node_(topology.nodes()) {
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

RtlRouters::~RtlRouters() = default;

bool RtlRouters::has(unsigned node) const {
  return nodes_.empty() || std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
}

mesh::ExternalHoldRouter& RtlRouters::hold_router(const mesh::Straps& straps) {
  const std::string name = std::string(basename()) + "_router" + std::to_string(straps.node);
  auto router = std::make_unique<RtlHoldRouter>(name.c_str(), topology_, straps, routing_);
  RtlHoldRouter& made = *router;
  by_node_[straps.node] = &made;
  all_.push_back(&made);
  modules_.push_back(std::move(router));
  return made;
}

mesh::ExternalVcRouter& RtlRouters::vc_router(const mesh::Straps& straps) {
  const std::string name = std::string(basename()) + "_router" + std::to_string(straps.node);
  auto router = std::make_unique<RtlVcRouter>(name.c_str(), topology_, straps, routing_);
  RtlVcRouter& made = *router;
  by_node_[straps.node] = &made;
  all_.push_back(&made);
  modules_.push_back(std::move(router));
  return made;
}

void RtlRouters::request_edge(unsigned node, mesh::EdgeListener& listener, support::Cycle cycle) {
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

void RtlRouters::watch(support::WaveRecorder& recorder,
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

void RtlRouters::rethrow() {
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

void RtlRouters::pulse(const std::vector<ClockedRouter*>& routers) {
  for (const bool level : {true, false}) {
    for (ClockedRouter* router : routers) router->set_clock(level);
    // One delta cycle for the level to come, one for the router to see it.
    wait(sc_core::SC_ZERO_TIME);
    wait(sc_core::SC_ZERO_TIME);
  }
}

void RtlRouters::run() {
  for (ClockedRouter* router : all_) router->set_reset(true);
  wait(sc_core::SC_ZERO_TIME);
  pulse(all_);
  for (ClockedRouter* router : all_) router->set_reset(false);
  wait(sc_core::SC_ZERO_TIME);
  while (true) {
    if (waiting_.empty()) wait(go_);
    clocked_.swap(waiting_);
    for (ClockedRouter* router : clocked_) router->drive();
    wait(sc_core::SC_ZERO_TIME);
    pulse(clocked_);
    edges_ += clocked_.size();
    if (watched_) {
      for (ClockedRouter* router : clocked_) router->pin_waves().show(cycle_);
    }
    try {
      for (ClockedRouter* router : clocked_) router->sample(cycle_);
      clocked_.clear();
      listener_->edge_done(cycle_);
    } catch (...) {
      failed_ = std::current_exception();
    }
  }
}

}  // namespace tvp::rtl
