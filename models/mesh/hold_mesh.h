#pragma once

#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/external_router.h"
#include "models/mesh/hold_router.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of routers that hold one flit where it is until the next router is ready: what the PIM
/// interconnect document calls bufferless. A hop takes one cycle.
class HoldMesh : public MeshNetwork, private EdgeListener {
 public:
  /// `clock`: null, or who has some of the routers.
  HoldMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar,
           RouterClock* clock = nullptr);
  double zero_load_cycles(double routers, unsigned flits) const override {
    return routers + 1 + flits - 1;
  }

 private:
  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void flush() final;
  bool packets_wait() const override { return true; }
  void move_from(unsigned node, support::Cycle now);
  void move_from_source(unsigned endpoint, support::Cycle now);
  bool takes(Target target) const;
  void move(unsigned node, Port port, Target target, const Flit& flit, bool blocked,
            support::Cycle now);
  ExternalHoldRouter* external(unsigned node) const {
    return external_.empty() ? nullptr : external_[node];
  }
  PortMask ready(unsigned node) const;
  void edge_done(support::Cycle) override {}

  struct Move {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };

  std::vector<HoldRouter> routers_;
  RouterClock* clock_;
  std::vector<ExternalHoldRouter*> external_;  ///< by node, null for ours; empty without a clock
  ActiveSet active_routers_;
  ActiveSet active_sources_;
  std::vector<Move> moves_;
};

}  // namespace tvp::mesh
