#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/tier_plan.h"

namespace tvp::collectives {

/// Tiers of ranks, each with an algorithm of its own: columns of a mesh of rows; channels of DIMMs
/// of ranks of chips. Ranks are counted through the last tier first. all_reduce is reduce_scatter
/// within the last tier, all_reduce of the parts over the others, all_gather within the last: what
/// crosses an outer tier is the vector divided by the sizes of those inside it. Segments overlap:
/// each is in another tier.
class Hierarchy : public Algorithm {
 public:
  std::string name() const override { return "hierarchy"; }
  std::string summary() const override { return "tier by tier, with an algorithm for each"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void all_reduce(TierPlan& plan, std::size_t tier, Place from, Place to,
                         std::uint32_t chunks);
  static void reduce_scatter(TierPlan& plan, Place from, Place to);
  static void all_gather(TierPlan& plan, Place from, Place to);
  static void broadcast(TierPlan& plan, Place from, Place to);
  static void reduce(TierPlan& plan, Place from, Place to);
  static void all_to_all(TierPlan& plan, Place from, Place to);
};

}  // namespace tvp::collectives
