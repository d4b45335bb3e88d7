#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/dram/timing/timing.h"
#include "models/pim/pim_config.h"

namespace tvp::pim {

/// The host as the way between memory channels, which no wires join: what a channel brings for
/// another one lies in a queue of that channel in the host's memory, from where a thread of its own
/// copies packet after packet to the controller of the other channel.
class HostForwarder {
 public:
  struct Stats {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  ///< headers included
    dram::MemCycle busy = 0;
    dram::MemCycle waited = 0;  ///< until the thread took them up, all packets
    std::size_t most_queued = 0;
  };

  HostForwarder(const PimConfig& config, dram::Period tck, unsigned channels);

  /// A packet of `channel` is with its controller at `arrived`, not before the one of the call
  /// before. Returns when the controller of the other channel may have it, `levels` (at least 1)
  /// levels of the hierarchy away.
  dram::MemCycle forward(unsigned channel, unsigned levels, std::uint64_t bytes,
                         dram::MemCycle arrived);

  unsigned channels() const { return static_cast<unsigned>(queues_.size()); }
  const Stats& stats(unsigned channel) const { return queues_[channel].stats; }
  double gb_s() const { return config_.forward_gb_s; }

 private:
  struct Queue {
    dram::MemCycle free = 0;            ///< when its thread is
    std::deque<dram::MemCycle> starts;  ///< of packets, as long as they may be in the future
    Stats stats;
  };

  const PimConfig& config_;
  const double tck_ns_;
  std::vector<Queue> queues_;
};

}  // namespace tvp::pim
