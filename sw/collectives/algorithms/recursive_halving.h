#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Exchanges half of the remaining data with the partner at distance N/2, N/4, … 1, so that rank r
/// ends with chunk r.
class RecursiveHalving : public Algorithm {
 public:
  std::string name() const override { return "recursive_halving"; }
  std::string summary() const override {
    return "exchange half of the vector with rank xor N/2, … 2, 1";
  }
  std::vector<Primitive> primitives() const override { return {Primitive::kReduceScatter}; }
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
