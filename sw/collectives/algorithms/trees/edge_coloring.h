#pragma once

#include <cstdint>
#include <vector>

namespace tvp::collectives {

/// A message of every period of a pipeline.
struct PeriodicMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// Returns a turn in the period for each message, such that no rank sends two or receives two
/// messages in one turn. There are as few turns as the busiest rank has messages in one direction
/// (König's theorem, by alternating paths).
std::vector<std::uint32_t> turns(const std::vector<PeriodicMessage>& messages, std::uint32_t ranks);

}  // namespace tvp::collectives
