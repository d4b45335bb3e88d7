#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"

namespace tvp::collectives {

/// A binomial tree. In a broadcast the number of ranks with data doubles in every step; in a
/// reduction it halves. The root has a child for each step, so it sends the whole vector ceil(log2
/// N) times, and segments gain nothing on one port. In gather and scatter messages double and
/// halve.
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
