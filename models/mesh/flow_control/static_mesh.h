#pragma once

#include "models/mesh/active_set.h"
#include "models/mesh/flow_control/static_schedule.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// A mesh of stops whose links are driven by a static schedule. Every injection claims its links
/// for their cycles; a conflict stops the run with the names of both transfers.
class StaticMesh : public MeshNetwork {
 public:
  StaticMesh(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar);
  double zero_load_cycles(double routers, unsigned flits) const override {
    return routers + 1 + flits - 1;
  }
  bool is_scheduled() const override { return true; }

 private:
  void step(support::Cycle now) override;
  support::Cycle next_step(support::Cycle now) const override;
  void source_ready(unsigned endpoint) override { active_sources_.insert(endpoint); }
  void flush() override {}
  void send(unsigned endpoint, support::Cycle now);

  StaticSchedule schedule_;
  ActiveSet active_sources_;
  /// For each endpoint: first free cycle of its link into the mesh.
  std::vector<support::Cycle> free_at_;
  support::Cycle forgot_at_ = 0;
};

}  // namespace tvp::mesh
