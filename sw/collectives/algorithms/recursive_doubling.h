#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Exchanges with the partner at distance 1, 2, 4, …: the whole vector for all_reduce, all chunks
/// so far for all_gather.
class RecursiveDoubling : public Algorithm {
 public:
  std::string name() const override { return "recursive_doubling"; }
  std::string summary() const override { return "exchange with rank xor 1, 2, 4, …"; }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void all_reduce(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank);
  static void all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank);
};

}  // namespace tvp::collectives
