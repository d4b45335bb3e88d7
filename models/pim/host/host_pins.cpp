#include "models/pim/host/host_pins.h"

namespace tvp::pim {

using dram::MemCycle;

namespace {

ddr::Command on_pins(dram::Command command) {
  switch (command) {
    case dram::Command::kActivate:
      return ddr::Command::kActivate;
    case dram::Command::kPrecharge:
      return ddr::Command::kPrecharge;
    case dram::Command::kPrechargeAll:
      return ddr::Command::kPrechargeAll;
    case dram::Command::kRead:
      return ddr::Command::kRead;
    case dram::Command::kWrite:
      return ddr::Command::kWrite;
    case dram::Command::kReadAuto:
      return ddr::Command::kReadAutoPrecharge;
    case dram::Command::kWriteAuto:
      return ddr::Command::kWriteAutoPrecharge;
    case dram::Command::kRefresh:
    case dram::Command::kRefreshBank:
      break;
  }
  return ddr::Command::kRefresh;
}

}  // namespace

MemCycle HostPins::data_ready(ddr::Direction direction, unsigned rank, MemCycle earliest) const {
  MemCycle begin = channel_.data.burst_ready(direction, earliest);
  if (rank != channel_.last_rank) {
    begin = std::max(begin, channel_.data.burst_ready(direction, 0) + channel_.timing.trtrs);
  }
  if (rank < channel_.ranks.size())
    begin = channel_.ranks[rank]->lanes.burst_ready(direction, begin);
  return begin;
}

MemCycle HostPins::take(dram::Command command, unsigned rank, MemCycle earliest) {
  using enum dram::Command;
  const bool read = command == kRead || command == kReadAuto;
  const bool write = command == kWrite || command == kWriteAuto;
  if (!read && !write) return channel_.commands.issue(on_pins(command), earliest);
  const auto direction = read ? ddr::Direction::kFromChip : ddr::Direction::kToChip;
  const MemCycle latency = read ? channel_.timing.cl : channel_.timing.cwl;
  const MemCycle wanted = data_ready(direction, rank, earliest + latency) - latency;
  const MemCycle issued = channel_.commands.issue(on_pins(command), wanted);
  channel_.data.take_burst(direction, issued + latency);
  if (rank < channel_.ranks.size())
    channel_.ranks[rank]->lanes.take_burst(direction, issued + latency);
  channel_.last_rank = rank;
  return issued;
}

}  // namespace tvp::pim
