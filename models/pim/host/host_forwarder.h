#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/dram/timing/timing.h"
#include "models/pim/pim_config.h"

namespace tvp::pim {

/// The host forwards packets between memory channels, which no wires join. A packet for another
/// channel is queued in the host's memory. Each channel has a thread that copies its packets one by
/// one to the controller of the destination channel.
class HostForwarder {
 public:
  struct Stats {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  ///< including headers
    dram::MemCycle busy = 0;
    dram::MemCycle waited = 0;  ///< sum of the packets' waits for the thread
    std::size_t most_queued = 0;
  };

  HostForwarder(const PimConfig& config, dram::Period tck, unsigned channels);

  /// A packet of `channel` reaches its controller at `arrived`; calls come in order of `arrived`.
  /// Returns the cycle at which the controller of the other channel may send it. `levels` (at least
  /// 1) is the distance in levels of the hierarchy.
  dram::MemCycle forward(unsigned channel, unsigned levels, std::uint64_t bytes,
                         dram::MemCycle arrived);

  unsigned channels() const { return static_cast<unsigned>(queues_.size()); }
  const Stats& stats(unsigned channel) const { return queues_[channel].stats; }
  double gb_s() const { return config_.forward_gb_s; }

 private:
  struct Queue {
    dram::MemCycle free = 0;            ///< cycle at which its thread is free
    std::deque<dram::MemCycle> starts;  ///< starts of packets that can be in the future
    Stats stats;
  };

  const PimConfig& config_;
  const double tck_ns_;
  std::vector<Queue> queues_;
};

}  // namespace tvp::pim
