#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ddr/dq_lanes.h"
#include "models/switch/crossbar.h"

namespace tvp::switching {

/// The switch in the buffer of a DIMM. It connects the chips of a rank over the pins of normal
/// reads and writes. Chip c uses channel c of the partitioned DQ pins. The switch stores nothing. A
/// transfer holds the source's pins, its path through the crossbar and the destination's pins for
/// the same beats, and waits at its source until all of them are free.
///
/// Transfers get their resources in the order in which they ask.
class InterChipSwitch {
 public:
  struct Transfer {
    MemCycle begin = 0;    ///< first beat leaves the source
    MemCycle arrived = 0;  ///< last beat is at the destination
  };

  /// `latency`: cycles of CK from the pins of one chip through the buffer to those of another.
  InterChipSwitch(ddr::DqLanes& lanes, MemCycle latency, std::string where,
                  foundation::FaultPolicy& faults);

  Transfer transfer(unsigned source, unsigned destination, std::uint64_t bytes, MemCycle earliest);
  /// Sends from one source to several destinations in the same beats.
  Transfer multicast(unsigned source, const std::vector<unsigned>& destinations,
                     std::uint64_t bytes, MemCycle earliest);

  /// Several sources send at once. The switch combines their data beat by beat (Reducer) and passes
  /// the result to one or several chips, `reduce_cycles` later than a transfer. Data cannot wait,
  /// since nothing is stored. A chip that is source and destination therefore needs transmit and
  /// receive halves.
  Transfer reduce(const std::vector<unsigned>& sources, const std::vector<unsigned>& destinations,
                  std::uint64_t bytes, MemCycle reduce_cycles, MemCycle earliest);

  /// From now on `external` is the crossbar.
  void replace(ExternalCrossbar& external) { crossbar_.replace(external); }

  unsigned chips() const { return crossbar_.ports(); }
  const Crossbar::Stats& stats() const { return crossbar_.stats(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void refuse(const std::string& what, const std::vector<unsigned>& sources,
              const std::vector<unsigned>& destinations, const std::string& expected);
  Transfer move(const std::vector<unsigned>& sources, const std::vector<unsigned>& destinations,
                std::uint64_t bytes, MemCycle latency, MemCycle earliest);

  ddr::DqLanes& lanes_;
  const MemCycle latency_;
  std::string where_;
  foundation::FaultPolicy& faults_;
  Crossbar crossbar_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tvp::switching
