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
/// absurd size is allocated. Writers refuse what readers would refuse. Each call returns the reason
/// to refuse; empty within the limits.
class ScheduleLimits {
 public:
  /// `parked` is scratch of each rank that a file format adds.
  static std::string fault_of_memories(const Schedule& schedule, std::uint32_t parked = 0);
  /// Adds the chunks of one step to those of the steps before.
  std::string fault_of_step(const Step& step);
  /// The first fault of a whole schedule.
  static std::string fault_of(const Schedule& schedule, std::uint32_t parked = 0);

 private:
  std::uint64_t moves_ = 0;
};

}  // namespace tvp::collectives
