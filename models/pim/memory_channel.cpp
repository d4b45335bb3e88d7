#include "models/pim/memory_channel.h"

namespace tvp::pim {

namespace {

/// Chip selects have one bit for each rank.
unsigned checked_ranks(unsigned ranks, const std::string& where) {
  constexpr unsigned kMostRanks = 31;
  if (ranks <= kMostRanks) return ranks;
  throw foundation::Fault(foundation::FaultKind::kDescription, "",
                          "pim.hierarchy: " + where + " has " + std::to_string(ranks) +
                              " ranks on its bus: expected at most " + std::to_string(kMostRanks));
}

}  // namespace

MemoryChannel::Rank::Rank(const PimConfig& config, const dram::Preset& preset, unsigned chips,
                          const std::string& where, foundation::FaultPolicy& faults)
    : lanes(preset.timing, config.dq_pins, chips, config.dq_halves, where),
      crossbar(lanes, config.switch_cycles, where + ".switch", faults) {}

MemoryChannel::MemoryChannel(const PimConfig& config, const dram::Preset& preset, unsigned number,
                             unsigned first_rank, unsigned rank_count, unsigned chips_of_rank,
                             foundation::FaultPolicy& faults)
    : timing(preset.timing),
      commands(preset.timing, checked_ranks(rank_count, "channel " + std::to_string(number))),
      control(commands, config.bus_request_cycles, config.mailbox_bytes,
              "pim.channel" + std::to_string(number), faults),
      data(preset.timing, config.dq_pins, 1, false, "pim.channel" + std::to_string(number)) {
  for (unsigned rank = 0; rank < rank_count; ++rank) {
    ranks.push_back(std::make_unique<Rank>(config, preset, chips_of_rank,
                                           "pim.rank" + std::to_string(first_rank + rank), faults));
  }
}

ddr::DqLanes::Span MemoryChannel::take_data(unsigned rank, std::uint64_t bytes,
                                            dram::MemCycle earliest, ddr::Direction direction) {
  dram::MemCycle begin = data.ready(0, direction, earliest);
  if (last_rank != rank) begin += timing.trtrs;
  last_rank = rank;
  return data.take(0, direction, bytes, begin);
}

}  // namespace tvp::pim
