#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/flow_control/hold_router.h"

namespace tvp::mesh {

/// Pins of a router that a test breaks.
struct Defect {
  unsigned node = 0;
  PortMask not_ready = 0;  ///< inputs that are never ready, or whose credits never come back
  PortMask silent = 0;     ///< outputs that never offer a flit
};

/// Modelled routers behind the interface of external ones, one of them with a defect.
class WrappedRouters : public RouterClock {
 public:
  WrappedRouters(const MeshConfig& config, const MeshTopology& topology, const Defect& defect)
      : table_(topology, *make_routing(config.routing.value())),
        defect_(defect),
        parameters_{.vcs = config.vcs,
                    .buffer_flits = config.buffer_flits,
                    .route_cycles = config.route_cycles,
                    .vc_allocation_cycles = config.vc_allocation_cycles,
                    .arbitration = arbitration_of(config),
                    .class_weights = {1, 1, 1, 1},
                    .vc_groups = 1,
                    .parts = 1},
        hold_(topology.nodes()),
        vc_(topology.nodes()),
        waits_(topology.nodes()) {}

  bool has(unsigned) const override { return true; }
  ExternalHoldRouter& hold_router(unsigned node) override {
    if (!hold_[node]) hold_[node] = std::make_unique<Hold>(broken_ports(node));
    return *hold_[node];
  }
  ExternalVcRouter& vc_router(unsigned node) override {
    if (!vc_[node]) vc_[node] = std::make_unique<Vc>(broken_ports(node));
    return *vc_[node];
  }
  void reset(const Straps& straps, const RoutingTable*) override {
    if (hold_[straps.node])
      hold_[straps.node]->router.init(table_, Arbitration::kOldest, straps.node);
    if (vc_[straps.node])
      vc_[straps.node]->router.init(parameters_, table_, straps.node, straps.endpoints);
  }
  void request_edge(unsigned node, EdgeListener& listener, support::Cycle cycle) override {
    waits_[node] = true;
    listener_ = &listener;
    cycle_ = cycle;
  }
  /// The edge between two steps of the mesh.
  void edge() {
    for (unsigned node = 0; node < waits_.size(); ++node) {
      if (!waits_[node]) continue;
      waits_[node] = false;
      ++edges;
      if (hold_[node]) hold_[node]->edge(cycle_);
      if (vc_[node]) vc_[node]->edge(cycle_);
    }
    if (listener_ != nullptr) listener_->edge_done(cycle_);
    listener_ = nullptr;
  }

  unsigned edges = 0;

 private:
  struct Input {
    Port port;
    Flit flit;
  };
  struct Hold : ExternalHoldRouter {
    explicit Hold(const Defect& ports) : broken(ports) {}
    PortMask valid() const override { return router.valid() & ~unsigned{broken.silent}; }
    PortMask ready() const override { return router.ready() & ~unsigned{broken.not_ready}; }
    const Flit& output(Port port) const override { return router.output(port); }
    void take(Port port) override { router.take(port); }
    void receive(Port port, const Flit& flit) override { inputs.push_back({port, flit}); }
    void edge(support::Cycle cycle) {
      for (const Input& input : inputs) router.receive(input.port, input.flit, cycle + 1);
      inputs.clear();
      router.arbitrate();
    }
    HoldRouter router;
    Defect broken;
    std::vector<Input> inputs;
  };
  struct Vc : ExternalVcRouter {
    explicit Vc(const Defect& ports) : broken(ports) {}
    void receive(Port in, const Flit& flit) override { inputs.push_back({in, flit}); }
    void credit(Port out, unsigned vc) override { router.credit(out, vc); }
    const VcRouter::Outputs& outputs() const override { return now; }
    void edge(support::Cycle cycle) {
      for (const Input& input : inputs) router.receive(input.port, input.flit, cycle);
      inputs.clear();
      router.step(cycle, now);
      now.flits &= static_cast<PortMask>(~broken.silent);
      now.credits &= static_cast<PortMask>(~broken.not_ready);
    }
    VcRouter router;
    Defect broken;
    VcRouter::Outputs now;
    std::vector<Input> inputs;
  };
  Defect broken_ports(unsigned node) const { return node == defect_.node ? defect_ : Defect{}; }

  const RoutingTable table_;
  const Defect defect_;
  const VcRouter::Parameters parameters_;
  std::vector<std::unique_ptr<Hold>> hold_;
  std::vector<std::unique_ptr<Vc>> vc_;
  std::vector<bool> waits_;
  EdgeListener* listener_ = nullptr;
  support::Cycle cycle_ = 0;
};

}  // namespace tvp::mesh
