#include "sw/collectives/algorithms/rank_order.h"

#include <algorithm>
#include <numeric>

namespace tvp::collectives {

RankOrder::RankOrder(const ScheduleRequest& request, bool backwards) : ranks_(request.order) {
  if (ranks_.empty()) {
    ranks_.resize(request.ranks);
    std::iota(ranks_.begin(), ranks_.end(), 0U);
  }
  if (backwards) std::ranges::reverse(ranks_);
}

std::uint32_t RankOrder::at(std::int64_t position) const {
  const auto count = static_cast<std::int64_t>(ranks_.size());
  return ranks_[static_cast<std::size_t>((position % count + count) % count)];
}

std::uint32_t RankOrder::position(std::uint32_t rank) const {
  return static_cast<std::uint32_t>(std::ranges::find(ranks_, rank) - ranks_.begin());
}

std::vector<std::uint32_t> segments_of_channel(const ScheduleRequest& request,
                                               std::uint32_t channel) {
  std::vector<std::uint32_t> mine;
  for (std::uint32_t segment = channel; segment < request.segments; segment += request.channels)
    mine.push_back(segment);
  return mine;
}

}  // namespace tvp::collectives
