#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Takes ceil(log2 N) rounds for any N. In round k a rank sends to the rank 2^k further. In
/// all_to_all it sends the chunks whose distance has bit k, in all_gather all chunks received so
/// far. Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all
/// communications in multiport message-passing systems", 1997.
class Bruck : public Algorithm {
 public:
  std::string name() const override { return "bruck"; }
  std::string summary() const override {
    return "to rank + 1, + 2, + 4, …, the chunks whose distance has that bit";
  }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void all_to_all(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank);
  static void all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank);
};

}  // namespace tvp::collectives
