#pragma once

#include <cstdint>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"

namespace tvp::collectives {

/// Ranks in the order of a ring, by position; positions may run over either end.
class RankOrder {
 public:
  RankOrder(const ScheduleRequest& request, bool backwards);
  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint32_t at(std::int64_t position) const;
  /// The position of a rank.
  std::uint32_t position(std::uint32_t rank) const;

 private:
  std::vector<std::uint32_t> ranks_;
};

/// Segments of one of the channels of a request: each `channels`-th from the channel's own on.
std::vector<std::uint32_t> segments_of_channel(const ScheduleRequest& request,
                                               std::uint32_t channel);

}  // namespace tvp::collectives
