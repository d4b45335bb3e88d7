#pragma once

#include <cstdint>
#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

inline constexpr std::uint32_t kMostRanks = 4096;         ///< schedules grow as N * N
inline constexpr std::uint32_t kMostChannels = 1U << 16;  ///< numbers of 16 bits
/// Limits the memories of all ranks, and the chunks that all steps move. The checker keeps a symbol
/// for each chunk of a memory and executes each move; at the limits it takes seconds.
inline constexpr std::uint32_t kMostChunks = 1U << 22;

/// Compares the counts of a schedule that is being read with the limits, so that nothing of an
/// absurd size is allocated. Each call returns the reason to refuse; empty within the limits.
class ScheduleLimits {
 public:
  static std::string fault_of_memories(const Schedule& schedule);
  /// Adds the chunks of one step to those of the steps before.
  std::string fault_of_step(std::uint32_t chunks);

 private:
  std::uint64_t moves_ = 0;
};

}  // namespace tvp::collectives
