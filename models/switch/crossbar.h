#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/dram/timing/dram_time.h"
#include "models/switch/external_crossbar.h"

namespace tvp::switching {

using dram::MemCycle;

/// An NxN switching matrix without buffers. An input reaches one output (or several, for a
/// multicast), and an output receives from one input at a time. A connection that needs a busy
/// input or output is blocked until both are free.
class Crossbar {
 public:
  struct Stats {
    std::uint64_t connections = 0;
    std::uint64_t blocked = 0;  ///< connections that did not begin at the requested time
    MemCycle blocked_cycles = 0;
  };

  Crossbar(unsigned ports, std::string where, foundation::FaultPolicy& faults);

  /// From now on `external` keeps the ports. No connection may have been made before.
  void replace(ExternalCrossbar& external) { external_ = &external; }

  /// The first cycle from `earliest` on at which input and output are both free.
  MemCycle ready(unsigned input, unsigned output, MemCycle earliest) const;
  /// Connects from `begin` to `end`. Raises a fault if either is in use then: the caller has
  /// scheduled two connections at once.
  void connect(unsigned input, unsigned output, MemCycle begin, MemCycle end);
  /// Connects one input to several outputs.
  void connect(unsigned input, const std::vector<unsigned>& outputs, MemCycle begin, MemCycle end);
  /// Connects several inputs, which are combined, to several outputs.
  void connect(const std::vector<unsigned>& inputs, const std::vector<unsigned>& outputs,
               MemCycle begin, MemCycle end);
  /// Records that a connection requested at `wanted` began at `begin`.
  void note_blocked(MemCycle wanted, MemCycle begin);

  unsigned ports() const { return static_cast<unsigned>(inputs_.size()); }
  const Stats& stats() const { return stats_; }

 private:
  bool known(unsigned port, const char* what) const;
  void connect_external(const std::vector<unsigned>& inputs, const std::vector<unsigned>& outputs,
                        MemCycle begin, MemCycle end);
  [[noreturn]] void conflict(const char* what, unsigned port, MemCycle free, MemCycle begin) const;

  std::string where_;
  foundation::FaultPolicy& faults_;
  ExternalCrossbar* external_ = nullptr;
  std::vector<MemCycle> inputs_;  ///< cycle from which each is free
  std::vector<MemCycle> outputs_;
  Stats stats_;
};

}  // namespace tvp::switching
