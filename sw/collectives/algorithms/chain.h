#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/rank_order.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Sends along a line of ranks that is not closed: away from the root or towards it, to both sides
/// if the root is in the middle. Segments follow each other.
class Chain : public Algorithm {
 public:
  std::string name() const override { return "chain"; }
  std::string summary() const override { return "along a line, segment after segment"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  /// One side of the root: its ranks from the neighbor outwards.
  struct Arm {
    std::vector<std::uint32_t> ranks;
    std::uint32_t lane;  ///< lane of the root
  };
  static std::vector<Arm> arms_of(const ScheduleRequest& request);
  static void spread(ProgramBuilder& builder, const ScheduleRequest& request, const Arm& arm);
  static void collect(ProgramBuilder& builder, const ScheduleRequest& request, const Arm& arm);
};

}  // namespace tvp::collectives
