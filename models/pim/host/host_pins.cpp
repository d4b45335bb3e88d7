#include "models/pim/host/host_pins.h"

namespace tvp::pim {

using dram::MemCycle;

MemCycle HostPins::data_ready(ddr::Direction direction, unsigned rank, MemCycle earliest) const {
  MemCycle begin = channel_.data.burst_ready(direction, earliest);
  if (rank != channel_.last_rank) {
    begin = std::max(begin, channel_.data.burst_ready(direction, 0) + channel_.timing.trtrs);
  }
  if (rank < channel_.ranks.size())
    begin = channel_.ranks[rank]->lanes.burst_ready(direction, begin);
  return begin;
}

MemCycle HostPins::take(dram::DramCommand command, unsigned rank, MemCycle earliest) {
  using enum dram::DramCommand;
  const bool read = command == kRead || command == kReadAuto;
  const bool write = command == kWrite || command == kWriteAuto;
  const std::uint32_t chip_selects = rank < 32 ? 1U << rank : 0;
  if (!read && !write)
    return channel_.commands.issue(ddr::ca_command(command), earliest, chip_selects);
  const auto direction = read ? ddr::Direction::kFromChip : ddr::Direction::kToChip;
  const MemCycle latency = read ? channel_.timing.cl : channel_.timing.cwl;
  const MemCycle wanted = data_ready(direction, rank, earliest + latency) - latency;
  const MemCycle issued = channel_.commands.issue(ddr::ca_command(command), wanted, chip_selects);
  channel_.data.take_burst(direction, issued + latency);
  if (rank < channel_.ranks.size())
    channel_.ranks[rank]->lanes.take_burst(direction, issued + latency);
  channel_.last_rank = rank;
  return issued;
}

}  // namespace tvp::pim
