#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/dram/timing/dram_time.h"

namespace tvp::switching {

using dram::MemCycle;

/// An NxN switching matrix without buffers: an input reaches one output (or several, for a
/// multicast) and an output hears one input at a time. A connection that needs a busy input or
/// output is blocked until both are free.
class Crossbar {
 public:
  struct Stats {
    std::uint64_t connections = 0;
    std::uint64_t blocked = 0;  ///< connections that did not begin when they were asked for
    MemCycle blocked_cycles = 0;
  };

  Crossbar(unsigned ports, std::string where, foundation::FaultPolicy& faults);

  /// First moment from `earliest` on at which input and output are both free.
  MemCycle ready(unsigned input, unsigned output, MemCycle earliest) const;
  /// Connects from `begin` to `end`. A fault when either is in use then: two connections at once
  /// are a conflict of whoever schedules them.
  void connect(unsigned input, unsigned output, MemCycle begin, MemCycle end);
  /// The same input to several outputs at once.
  void connect(unsigned input, const std::vector<unsigned>& outputs, MemCycle begin, MemCycle end);
  /// Several inputs that are combined, to several outputs.
  void connect(const std::vector<unsigned>& inputs, const std::vector<unsigned>& outputs,
               MemCycle begin, MemCycle end);
  /// A connection asked for at `wanted` began at `begin`.
  void note_blocked(MemCycle wanted, MemCycle begin);

  unsigned ports() const { return static_cast<unsigned>(inputs_.size()); }
  const Stats& stats() const { return stats_; }

 private:
  bool known(unsigned port, const char* what) const;

  std::string where_;
  foundation::FaultPolicy& faults_;
  std::vector<MemCycle> inputs_;  ///< free from
  std::vector<MemCycle> outputs_;
  Stats stats_;
};

}  // namespace tvp::switching
