#include "models/pim/host/host_forwarder.h"

#include <algorithm>
#include <cmath>

namespace tvp::pim {

using dram::MemCycle;

HostForwarder::HostForwarder(const PimConfig& config, dram::Period tck, unsigned channels)
    : config_(config), tck_ns_(tck.ns()), queues_(channels) {}

MemCycle HostForwarder::forward(unsigned channel, unsigned levels, std::uint64_t bytes,
                                MemCycle arrived) {
  Queue& queue = queues_[channel];
  const MemCycle start = std::max(arrived, queue.free);
  // GB/s equal bytes/ns.
  const auto takes =
      static_cast<MemCycle>(std::ceil(static_cast<double>(bytes) / config_.forward_gb_s / tck_ns_));
  queue.free = start + takes;

  while (!queue.starts.empty() && queue.starts.front() <= arrived) queue.starts.pop_front();
  queue.starts.push_back(start);
  ++queue.stats.packets;
  queue.stats.bytes += bytes;
  queue.stats.busy += takes;
  queue.stats.waited += start - arrived;
  queue.stats.most_queued = std::max(queue.stats.most_queued, queue.starts.size());
  return queue.free + MemCycle{levels} * config_.host_sync_cycles;
}

}  // namespace tvp::pim
