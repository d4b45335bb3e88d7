#include "models/switch/inter_chip_switch.h"

#include <algorithm>
#include <utility>

namespace tvp::switching {

using ddr::Direction;

InterChipSwitch::InterChipSwitch(ddr::DqLanes& lanes, MemCycle latency, std::string where,
                                 foundation::FaultPolicy& faults)
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
    refuse("transfer from chip", {source}, destinations, "other chips");
    return {earliest, earliest};
  }
  return move({source}, destinations, bytes, latency_, earliest);
}

InterChipSwitch::Transfer InterChipSwitch::reduce(const std::vector<unsigned>& sources,
                                                  const std::vector<unsigned>& destinations,
                                                  std::uint64_t bytes, MemCycle reduce_cycles,
                                                  MemCycle earliest) {
  const auto twice_or_unknown = [&](const std::vector<unsigned>& list) {
    return std::ranges::any_of(
        list, [&](unsigned c) { return c >= chips() || std::ranges::count(list, c) != 1; });
  };
  const bool both = std::ranges::any_of(
      sources, [&](unsigned s) { return std::ranges::count(destinations, s) != 0; });
  if (sources.empty() || destinations.empty() || twice_or_unknown(sources) ||
      twice_or_unknown(destinations)) {
    refuse("reduction from chips", sources, destinations, "chips, each once,");
    return {earliest, earliest};
  }
  if (both && !lanes_.split()) {
    refuse("reduction from chips", sources, destinations,
           "transmit and receive halves of the pins, or destinations that are no sources,");
    return {earliest, earliest};
  }
  return move(sources, destinations, bytes, latency_ + reduce_cycles, earliest);
}

void InterChipSwitch::refuse(const std::string& what, const std::vector<unsigned>& sources,
                             const std::vector<unsigned>& destinations,
                             const std::string& expected) {
  std::string text = what;
  for (const unsigned s : sources) text += " " + std::to_string(s);
  text += " to";
  for (const unsigned d : destinations) text += " " + std::to_string(d);
  faults_.raise(foundation::Fault(
      foundation::FaultKind::kFirmware, where_,
      text + ": expected " + expected + " among 0 to " + std::to_string(chips() - 1)));
}

/// A wait for one pin may delay another one again (turn-around), so the loop repeats until all
/// agree.
InterChipSwitch::Transfer InterChipSwitch::move(const std::vector<unsigned>& sources,
                                                const std::vector<unsigned>& destinations,
                                                std::uint64_t bytes, MemCycle latency,
                                                MemCycle earliest) {
  MemCycle begin = earliest;
  for (MemCycle before = begin + 1; before != begin;) {
    before = begin;
    for (const unsigned s : sources) {
      begin = lanes_.ready(s, Direction::kFromChip, begin);
      for (const unsigned d : destinations) begin = crossbar_.ready(s, d, begin);
    }
    // The beats are on the destination's pins a latency later.
    for (const unsigned d : destinations)
      begin = lanes_.ready(d, Direction::kToChip, begin + latency) - latency;
  }
  MemCycle end = begin;
  for (const unsigned s : sources) end = lanes_.take(s, Direction::kFromChip, bytes, begin).end;
  for (const unsigned d : destinations) lanes_.take(d, Direction::kToChip, bytes, begin + latency);
  crossbar_.connect(sources, destinations, begin, end);
  crossbar_.note_blocked(earliest, begin);
  bytes_ += bytes * destinations.size();
  return {begin, end + latency};
}

}  // namespace tvp::switching
