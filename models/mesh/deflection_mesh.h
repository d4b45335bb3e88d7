#pragma once

#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/deflection_router.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of routers that deflect what they cannot send the right way. Flits of a packet move on
/// their own, and their destination puts them together; a hop takes one cycle.
class DeflectionMesh : public MeshNetwork {
 public:
  DeflectionMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar);
  double zero_load_cycles(double routers, unsigned flits) const override {
    return routers + 1 + flits - 1;
  }

 private:
  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void flush() final;
  void move_from(unsigned node, support::Cycle now);

  struct Move {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };

  std::vector<DeflectionRouter> routers_;
  ActiveSet active_routers_;
  ActiveSet active_sources_;
  std::vector<Move> moves_;
  DeflectionRouter::Outputs outputs_;
};

}  // namespace tvp::mesh
