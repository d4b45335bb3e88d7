#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"

namespace tvp::collectives {

/// Twice as many ranks have it after every step, or half as many have something to give. A rank has
/// as many children as there are steps after its own, so that segments gain nothing on one port:
/// the root sends all of it ceil(log2 N) times. gather and scatter halve and double what they
/// carry.
class Binomial : public Algorithm {
 public:
  std::string name() const override { return "binomial"; }
  std::string summary() const override {
    return "a binomial tree: the ranks with data double in every step";
  }
  std::vector<Primitive> primitives() const override;
  /// Partners at distance 1, 2, 4, … in time, or the other way round.
  std::vector<std::string> variants() const override { return {"near_first", "far_first"}; }
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void gather(ProgramBuilder& builder, const ScheduleRequest& request);
  static void scatter(ProgramBuilder& builder, const ScheduleRequest& request);
};

}  // namespace tvp::collectives
