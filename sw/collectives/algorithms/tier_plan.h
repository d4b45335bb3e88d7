#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/collectives/algorithms/embedding.h"
#include "sw/collectives/algorithms/schedule_request.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

/// The numbering of ranks in tiers, and phases that run in all groups of a tier in parallel.
class TierPlan {
 public:
  TierPlan(ProgramBuilder& builder, const ScheduleRequest& request)
      : builder_(builder), request_(request) {}

  const ScheduleRequest& request() const { return request_; }
  ProgramBuilder& builder() { return builder_; }
  std::size_t tiers() const { return request_.tiers.size(); }
  std::uint32_t size(std::size_t tier) const { return request_.tiers[tier].size; }
  /// Place of a rank in its group of a tier.
  std::uint32_t digit(std::uint32_t rank, std::size_t tier) const;
  /// The rank with another place in a tier.
  std::uint32_t moved(std::uint32_t rank, std::size_t tier, std::uint32_t digit) const;
  /// Place of a rank's chunks when the last tier counts slowest.
  std::uint32_t turned(std::uint32_t rank) const;

  /// Begins a segment, which has scratch memory of its own and shares its lanes with other
  /// segments.
  void begin_segment();
  Place take_scratch(std::uint32_t chunks);

  /// True for the ranks whose groups take part.
  using Filter = std::function<bool(std::uint32_t rank)>;
  /// Memory of a rank for input and output of the phase.
  using Where = std::function<Place(std::uint32_t rank)>;
  /// A primitive in the groups of a tier; `chunks` are those of the smaller of input and output.
  void phase(std::size_t tier, Primitive primitive, std::uint32_t chunks, const Where& input,
             const Where& output, const Filter& takes_part = {});
  /// Local steps of all ranks, in a lane of this phase.
  void local(const std::function<void(ProgramBuilder::LaneOfRank&, std::uint32_t rank)>& steps);

 private:
  ProgramBuilder& builder_;
  const ScheduleRequest& request_;
  std::uint32_t scratch_ = 0;
  std::uint32_t lane_ = 0;
  std::uint16_t channel_ = 0;
};

/// The algorithm of a tier for a primitive: the two recursive ones stand in for each other.
const class Algorithm& algorithm_of_tier(const Tier& tier, Primitive primitive);

}  // namespace tvp::collectives
