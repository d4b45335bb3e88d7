#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/tier_plan.h"

namespace tvp::collectives {

/// Composes tiers of ranks, each with its own algorithm: columns of a mesh of rows; channels of
/// DIMMs of ranks of chips. Rank numbers count through the last tier first. An all_reduce is a
/// reduce_scatter in the last tier, an all_reduce of the parts over the other tiers, and an
/// all_gather in the last tier. So an outer tier carries the vector divided by the sizes of the
/// inner tiers. Segments overlap: each is in another tier.
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
