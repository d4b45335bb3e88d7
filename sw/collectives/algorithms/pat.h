#pragma once

#include <vector>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Parallel aggregated trees (Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter
/// operations at scale", 2025). The chunk of every rank goes down its own binomial tree, the
/// farthest partner first; all trees have one shape. A message carries up to `buffer` chunks: with
/// N/2 there are ceil(log2 N) rounds, with 1 there are N - 1. A reduce_scatter runs in reverse.
class Pat : public Algorithm {
 public:
  std::string name() const override { return "pat"; }
  std::string summary() const override {
    return "a tree for each chunk, all at once, few chunks in a message";
  }
  std::vector<Primitive> primitives() const override;
  std::string refusal(const ScheduleRequest& request) const override;

  /// Each rank sends the chunks of the ranks `nodes` behind it to the rank `offset` further.
  struct Round {
    std::uint32_t offset;
    std::vector<std::uint32_t> nodes;
  };
  static std::vector<Round> rounds(std::uint32_t ranks, std::uint32_t buffer);

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  static void all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank);
  static void reduce_scatter(ProgramBuilder& builder, const ScheduleRequest& request,
                             std::uint32_t rank);
};

}  // namespace tvp::collectives
