#include "sw/collectives/schedule/schedule_limits.h"

namespace tvp::collectives {

std::string ScheduleLimits::fault_of_memories(const Schedule& schedule, std::uint32_t parked) {
  const std::uint64_t scratch = std::uint64_t{schedule.scratch} + parked;
  std::uint64_t chunks = schedule.share + scratch;
  // Every memory has `share` chunks or more; products of larger shares exceed 32 bits.
  if (chunks * schedule.size() <= kMostChunks)
    chunks = std::uint64_t{schedule.input_chunks()} + schedule.output_chunks() + scratch;
  if (chunks * schedule.size() <= kMostChunks) return {};
  return std::to_string(schedule.size()) + " ranks need " + std::to_string(chunks) +
         " chunks or more each: expected at most " + std::to_string(kMostChunks) + " of all ranks";
}

std::string ScheduleLimits::fault_of_step(const Step& step) {
  if (step.kind != StepKind::kNothing) moves_ += step.count;
  if (moves_ <= kMostChunks) return {};
  return "the steps up to here move " + std::to_string(moves_) + " chunks: expected at most " +
         std::to_string(kMostChunks);
}

std::string ScheduleLimits::fault_of(const Schedule& schedule, std::uint32_t parked) {
  if (schedule.size() > kMostRanks)
    return std::to_string(schedule.size()) + " ranks: expected at most " +
           std::to_string(kMostRanks);
  std::string fault = fault_of_memories(schedule, parked);
  ScheduleLimits limits;
  for (const RankProgram& rank : schedule.ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (fault.empty()) fault = limits.fault_of_step(step);
  return fault;
}

}  // namespace tvp::collectives
