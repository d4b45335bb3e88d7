#pragma once

#include <array>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/flow_control/hold_router.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {

/// Pins of a router that a test breaks.
struct Defect {
  unsigned node = 0;
  PortMask not_ready = 0;  ///< inputs that are never ready, or whose credits never come back
  PortMask silent = 0;     ///< outputs that never offer a flit
  PortMask altering = 0;   ///< outputs that flip a bit of each payload
  unsigned bit = 0;
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
        vc_(topology.nodes()) {}

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
  void clock(unsigned node, support::Cycle cycle) override {
    ++edges;
    if (hold_[node]) hold_[node]->edge(cycle);
    if (vc_[node]) vc_[node]->edge(cycle);
  }

  unsigned edges = 0;

 private:
  struct Input {
    Port port;
    Flit flit;
  };
  /// The payloads of the flits inside, which leave in the order of their packet.
  struct Payloads {
    void put(const Flit& flit, std::uint64_t payload) { of[flit.packet].push_back(payload); }
    std::uint64_t next(const Flit& flit, Port out, const Defect& broken) const {
      const std::uint64_t flipped =
          (broken.altering & mask_of(out)) != 0 ? std::uint64_t{1} << broken.bit : 0;
      return of.at(flit.packet).front() ^ flipped;
    }
    void pop(const Flit& flit) {
      of[flit.packet].pop_front();
      if (flit.tail) of.erase(flit.packet);
    }
    std::map<std::uint32_t, std::deque<std::uint64_t>> of;
  };
  struct Hold : ExternalHoldRouter {
    explicit Hold(const Defect& ports) : broken(ports) {}
    PortMask valid() const override { return router.valid() & ~unsigned{broken.silent}; }
    PortMask ready() const override { return router.ready() & ~unsigned{broken.not_ready}; }
    const Flit& output(Port port) const override { return router.output(port); }
    std::uint64_t payload(Port port) const override {
      return payloads.next(router.output(port), port, broken);
    }
    void take(Port port) override { payloads.pop(router.take(port)); }
    void receive(Port port, const Flit& flit, std::uint64_t payload) override {
      inputs.push_back({port, flit});
      payloads.put(flit, payload);
    }
    void edge(support::Cycle cycle) {
      for (const Input& input : inputs) router.receive(input.port, input.flit, cycle + 1);
      inputs.clear();
      router.arbitrate();
    }
    HoldRouter router;
    Defect broken;
    std::vector<Input> inputs;
    Payloads payloads;
  };
  struct Vc : ExternalVcRouter {
    explicit Vc(const Defect& ports) : broken(ports) {}
    void receive(Port in, const Flit& flit, std::uint64_t payload) override {
      inputs.push_back({in, flit});
      payloads.put(flit, payload);
    }
    void credit(Port out, unsigned vc) override { router.credit(out, vc); }
    const VcRouter::Outputs& outputs() const override { return now; }
    std::uint64_t payload(Port out) const override { return sent[index(out)]; }
    void edge(support::Cycle cycle) {
      for (const Input& input : inputs) router.receive(input.port, input.flit, cycle);
      inputs.clear();
      router.step(cycle, now);
      for (unsigned bits = now.flits; bits != 0; bits &= bits - 1) {
        const auto out = static_cast<Port>(std::countr_zero(bits));
        const Flit& flit = now.flit[index(out)];
        sent[index(out)] = payloads.next(flit, out, broken);
        payloads.pop(flit);
      }
      now.flits &= static_cast<PortMask>(~broken.silent);
      now.credits &= static_cast<PortMask>(~broken.not_ready);
    }
    VcRouter router;
    Defect broken;
    VcRouter::Outputs now;
    std::vector<Input> inputs;
    Payloads payloads;
    std::array<std::uint64_t, kPorts> sent{};
  };
  Defect broken_ports(unsigned node) const { return node == defect_.node ? defect_ : Defect{}; }

  const RoutingTable table_;
  const Defect defect_;
  const VcRouter::Parameters parameters_;
  std::vector<std::unique_ptr<Hold>> hold_;
  std::vector<std::unique_ptr<Vc>> vc_;
};

}  // namespace tvp::mesh
