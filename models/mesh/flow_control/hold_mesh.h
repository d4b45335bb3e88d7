#pragma once

#include <vector>

#include "models/mesh/external_router_set.h"
#include "models/mesh/flow_control/hold_router.h"
#include "models/mesh/flow_control/single_cycle_mesh.h"

namespace tvp::mesh {

/// A mesh of routers that hold one flit until the next router is ready; the PIM interconnect
/// document calls this bufferless. A hop takes one cycle.
class HoldMesh : public SingleCycleMesh, private EdgeListener {
 public:
  /// `clock` provides external routers, or is null.
  HoldMesh(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar,
           RouterClock* clock = nullptr);

 private:
  void step(support::Cycle now) override;
  void flush() final;
  bool packets_wait() const override { return true; }
  void move_from(unsigned node, support::Cycle now);
  void move_from_source(unsigned endpoint, support::Cycle now);
  bool takes(Target to) const;
  PortMask ready(unsigned node) const;
  void edge_done(support::Cycle) override {}

  std::vector<HoldRouter> routers_;
  ExternalRouterSet<ExternalHoldRouter> external_;
};

}  // namespace tvp::mesh
