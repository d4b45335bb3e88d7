#pragma once

#include <vector>

#include "models/mesh/external_router_set.h"
#include "models/mesh/flow_control/hold_router.h"
#include "models/mesh/flow_control/single_cycle_mesh.h"

namespace tvp::mesh {

/// A mesh of routers that hold one flit until the next router is ready; the PIM interconnect
/// document calls this bufferless. A hop takes one cycle.
class HoldMesh : public SingleCycleMesh {
 public:
  /// `clock` provides external routers, or is null.
  HoldMesh(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar,
           RouterClock* clock = nullptr);

 private:
  void step(support::Cycle now) override;
  void flush() final;
  bool packets_wait() const override { return true; }
  void find_waits(std::vector<FlitWait>& waits) const override;
  void find_waits_of(unsigned node, const ExternalHoldRouter& router,
                     std::vector<FlitWait>& waits) const;
  void add_wait(unsigned node, Port out, const Flit& flit, std::vector<FlitWait>& waits) const;
  FlitWait::Why why_not_ready(unsigned node, Port in) const;
  void move_from(unsigned node, support::Cycle now);
  void move_from(unsigned node, ExternalHoldRouter& router, support::Cycle now);
  void move_from_source(unsigned endpoint, support::Cycle now);
  bool takes(unsigned node, Port out);
  PortMask ready(unsigned node) const;

  std::vector<HoldRouter> routers_;
  ExternalRouterSet<ExternalHoldRouter> external_;
  /// External routers that took a flit's place or refused a flit, and therefore need an edge.
  std::vector<unsigned> to_clock_;
};

}  // namespace tvp::mesh
