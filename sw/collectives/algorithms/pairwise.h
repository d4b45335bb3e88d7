#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Sends each chunk directly to its destination, partner after partner.
class Pairwise : public Algorithm {
 public:
  std::string name() const override { return "pairwise"; }
  std::string summary() const override { return "directly to each partner in turn"; }
  std::vector<Primitive> primitives() const override;
  /// Partners of all_to_all: rank + 1, + 2, …; rank xor 1, xor 2, …; or + 1, + 3, + 6, … modulo a
  /// power of two, the order of NCCL's point-to-point scheduler.
  std::vector<std::string> variants() const override { return {"offset", "xor", "quadratic"}; }
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static std::vector<std::uint32_t> offsets(const ScheduleRequest& request);
  static void all_to_all(ProgramBuilder& builder, const ScheduleRequest& request);
  static void rooted(ProgramBuilder& builder, const ScheduleRequest& request);
};

}  // namespace tvp::collectives
