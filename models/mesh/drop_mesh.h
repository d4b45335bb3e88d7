#pragma once

#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/drop_router.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of routers that drop packets; a negative acknowledgement runs back as many hops as the
/// packet had come, on wires of its own, and the source sends again. A hop takes one cycle.
class DropMesh : public MeshNetwork {
 public:
  DropMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar);
  double zero_load_cycles(double routers, unsigned flits) const override {
    return routers + 1 + flits - 1;
  }

 private:
  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void flush() final;
  void move_from(unsigned node, support::Cycle now);
  void drop(const Flit& flit, support::Cycle now);

  struct Move {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };

  std::vector<DropRouter> routers_;
  ActiveSet active_routers_;
  ActiveSet active_sources_;
  std::vector<Move> moves_;
  DropRouter::Outputs outputs_;
};

}  // namespace tvp::mesh
