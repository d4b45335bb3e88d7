#include "sw/collectives/schedule/schedule_limits.h"

namespace tvp::collectives {

std::string ScheduleLimits::fault_of_memories(const Schedule& schedule) {
  std::uint64_t chunks = std::uint64_t{schedule.share} + schedule.scratch;
  // Every memory has `share` chunks or more; products of larger shares exceed 32 bits.
  if (chunks * schedule.size() <= kMostChunks)
    chunks = std::uint64_t{schedule.input_chunks()} + schedule.output_chunks() + schedule.scratch;
  if (chunks * schedule.size() <= kMostChunks) return {};
  return std::to_string(schedule.size()) + " ranks need " + std::to_string(chunks) +
         " chunks or more each: expected at most " + std::to_string(kMostChunks) + " of all ranks";
}

std::string ScheduleLimits::fault_of_step(std::uint32_t chunks) {
  moves_ += chunks;
  if (moves_ <= kMostChunks) return {};
  return "the steps up to here move " + std::to_string(moves_) + " chunks: expected at most " +
         std::to_string(kMostChunks);
}

}  // namespace tvp::collectives
