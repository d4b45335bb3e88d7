#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// reduce_scatter by recursive halving, then all_gather by recursive doubling along the same
/// partners (Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
/// MPICH", 2005).
class Rabenseifner : public Algorithm {
 public:
  std::string name() const override { return "rabenseifner"; }
  std::string summary() const override { return "recursive halving, then recursive doubling"; }
  std::vector<Primitive> primitives() const override { return {Primitive::kAllReduce}; }
  std::vector<std::string> variants() const override { return {"far_first", "near_first"}; }
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
