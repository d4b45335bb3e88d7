#pragma once

#include <cstdint>
#include <vector>

namespace tvp::collectives {

/// A message of every period of a pipeline.
struct PeriodicMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// For each message a turn in the period such that nobody sends two or receives two at a turn: as
/// few turns as the busiest rank has messages of either kind (König's theorem, by alternating
/// paths).
std::vector<std::uint32_t> turns(const std::vector<PeriodicMessage>& messages, std::uint32_t ranks);

}  // namespace tvp::collectives
