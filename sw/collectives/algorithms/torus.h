#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Rings along all axes of a torus at once. The vector has a part for each axis and direction, 2 k
/// parts for k axes. Each part goes around the rings of one axis after the other. It begins with
/// its own axis, so at any time each port has another part. Source: Jain and Sabharwal, "Optimal
/// bucket algorithms for large MPI collectives on torus interconnects", 2010. `tiers` has the axes;
/// rank numbers count through the last one first. An axis may have two ranks.
class Torus : public Algorithm {
 public:
  std::string name() const override { return "torus"; }
  std::string summary() const override { return "rings along all axes of a torus at once"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;

  /// The axes of a topology that is named as in IdealTopology: `ring` of that many ranks, or
  /// `torus:4x4`. Empty for other topologies.
  static std::vector<Tier> axes(const std::string& topology, std::uint32_t ranks);

 protected:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
