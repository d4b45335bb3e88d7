#pragma once

#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/hold_router.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of routers that hold one flit where it is until the next router is ready: what the PIM
/// interconnect document calls bufferless. A hop takes one cycle.
class HoldMesh : public MeshNetwork {
 public:
  HoldMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar);
  double zero_load_cycles(double routers, unsigned flits) const override {
    return routers + 1 + flits - 1;
  }

 private:
  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void move_from(unsigned node, support::Cycle now);
  void move_from_source(unsigned endpoint, support::Cycle now);

  struct Move {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };

  std::vector<HoldRouter> routers_;
  ActiveSet active_routers_;
  ActiveSet active_sources_;
  std::vector<Move> moves_;
};

}  // namespace tvp::mesh
