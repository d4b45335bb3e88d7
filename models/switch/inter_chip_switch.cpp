#include "models/switch/inter_chip_switch.h"

#include <algorithm>
#include <utility>

namespace tvp::switching {

using ddr::Direction;

InterChipSwitch::InterChipSwitch(ddr::DqLanes& lanes, MemCycle latency, std::string where,
                                 support::FaultPolicy& faults)
    : lanes_(lanes),
      latency_(latency),
      where_(std::move(where)),
      faults_(faults),
      crossbar_(lanes.channels(), where_, faults) {}

InterChipSwitch::Transfer InterChipSwitch::transfer(unsigned source, unsigned destination,
                                                    std::uint64_t bytes, MemCycle earliest) {
  return multicast(source, {destination}, bytes, earliest);
}

InterChipSwitch::Transfer InterChipSwitch::multicast(unsigned source,
                                                     const std::vector<unsigned>& destinations,
                                                     std::uint64_t bytes, MemCycle earliest) {
  bool good = source < chips() && !destinations.empty();
  for (const unsigned d : destinations) good = good && d < chips() && d != source;
  if (!good) {
    std::string to;
    for (const unsigned d : destinations) to += " " + std::to_string(d);
    faults_.raise(support::Fault(support::FaultKind::kFirmware, where_,
                                 "transfer from chip " + std::to_string(source) + " to" + to +
                                     ": expected other chips among 0 to " +
                                     std::to_string(chips() - 1)));
    return {earliest, earliest};
  }
  // What one of them waits for may make another one wait again (turn-around): until all agree.
  MemCycle begin = earliest;
  for (MemCycle before = begin + 1; before != begin;) {
    before = begin;
    begin = lanes_.ready(source, Direction::kFromChip, begin);
    for (const unsigned d : destinations) {
      begin = crossbar_.ready(source, d, begin);
      // The beats pass the destination's pins a latency later.
      begin = lanes_.ready(d, Direction::kToChip, begin + latency_) - latency_;
    }
  }
  const MemCycle end = lanes_.take(source, Direction::kFromChip, bytes, begin).end;
  for (const unsigned d : destinations) {
    lanes_.take(d, Direction::kToChip, bytes, begin + latency_);
  }
  crossbar_.connect(source, destinations, begin, end);
  crossbar_.note_blocked(earliest, begin);
  bytes_ += bytes * destinations.size();
  return {begin, end + latency_};
}

}  // namespace tvp::switching
