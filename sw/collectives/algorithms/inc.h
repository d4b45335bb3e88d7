#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// The switch that joins all ranks combines their data and multicasts the result (in-network
/// collectives).
class Inc : public Algorithm {
 public:
  std::string name() const override { return "inc"; }
  std::string summary() const override { return "combined and multicast by the switch"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void rooted(ProgramBuilder& builder, const ScheduleRequest& request);
  static void all_reduce(ProgramBuilder& builder, const ScheduleRequest& request);
  static void all_gather(ProgramBuilder& builder, const ScheduleRequest& request);
  static void reduce_scatter(ProgramBuilder& builder, const ScheduleRequest& request);
  static void all_to_all(ProgramBuilder& builder, const ScheduleRequest& request);
};

}  // namespace tvp::collectives
