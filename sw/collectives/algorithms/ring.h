#pragma once

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/rank_order.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// Each rank sends to the next rank of a ring and receives from the previous one. all_reduce is
/// reduce_scatter, then all_gather (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms
/// for clusters of workstations", 2009). broadcast and reduce leave one edge of the ring idle.
class Ring : public Algorithm {
 public:
  std::string name() const override { return "ring"; }
  std::string summary() const override { return "around a ring, to the next rank only"; }
  std::vector<Primitive> primitives() const override;
  std::uint32_t depth(const ScheduleRequest& request) const override;

 protected:
  Schedule build(const ScheduleRequest& request) const override;

 private:
  /// One channel of one ring, as seen by the builders below.
  struct Lap {
    ProgramBuilder& builder;
    const ScheduleRequest& request;
    std::uint32_t channel;
    RankOrder order;
    std::vector<std::uint32_t> segments;
    std::uint32_t chunk(std::int64_t position, std::uint32_t segment) const;
  };
  static void gather_others(const Lap& lap, std::uint32_t position, std::uint32_t segment,
                            ProgramBuilder::LaneOfRank& lane);
  static void reduce_scatter(const Lap& lap, std::uint32_t position);
  static void all_reduce(const Lap& lap, std::uint32_t position);
  static void all_gather(const Lap& lap, std::uint32_t position);
  static void broadcast(const Lap& lap, std::uint32_t position);
  static void reduce(const Lap& lap, std::uint32_t position);
};

}  // namespace tvp::collectives
