#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/rank_order.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// all_to_all along a ring. Each chunk goes the shorter way round, from rank to rank. A chunk for a
/// rank at distance d takes d turns, in which every edge of the ring carries one chunk.
class RingRelay : public Algorithm {
 public:
  std::string name() const override { return "ring_relay"; }
  std::string summary() const override { return "the shorter way round a ring, rank by rank"; }
  std::vector<Primitive> primitives() const override { return {Primitive::kAllToAll}; }
  /// Variants. With an even number of ranks the farthest chunk goes to the right (`tie_right`), or
  /// half of it each way (`tie_split`). The nearest chunks go first, except in `farthest_first`.
  std::vector<std::string> variants() const override {
    return {"tie_right", "tie_split", "farthest_first"};
  }
  std::string refusal(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  /// Data in one direction to the rank at `distance`: `pieces` of a chunk from piece `first` on.
  struct Wave {
    std::uint32_t distance;
    std::uint32_t first;
    std::uint32_t pieces;
  };
  struct Neighbors {
    std::uint32_t before;
    std::uint32_t rank;
    std::uint32_t next;
    bool to_the_right;
  };
  static std::vector<Wave> waves(const ScheduleRequest& request, bool to_the_right);
  static void one_way(ProgramBuilder& builder, const ScheduleRequest& request, std::uint32_t share,
                      bool to_the_right);
  static void pass_on(ProgramBuilder& builder, const Neighbors& around, std::uint32_t distance,
                      Place mine, Place for_me);
  static void store_and_send(ProgramBuilder& builder, const Neighbors& around,
                             std::uint32_t distance, Place mine, Place for_me,
                             std::uint32_t pieces);
  static std::uint32_t share_of(const ScheduleRequest& request);
};

}  // namespace tvp::collectives
