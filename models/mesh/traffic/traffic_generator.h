#pragma once

#include <vector>

#include "foundation/random.h"
#include "models/mesh/mesh_network.h"
#include "models/mesh/traffic/traffic_pattern.h"

namespace tvp::mesh {

/// Open-loop traffic at all nodes of a mesh. Each node creates packets at random (Bernoulli)
/// cycles, whether the network accepts them or not. The generator also receives and checks the
/// packets.
class TrafficGenerator : public Endpoint, public support::EventTarget {
 public:
  /// Removes the limit of the network's injection queues, in which refused packets wait.
  TrafficGenerator(const MeshTrafficConfig& config, MeshNetwork& mesh, support::Calendar& calendar);

  /// `load` is in flits a node and cycle. Packets are measured that are created before `to` and
  /// begin to leave their source in `from` or later. In a saturated network these include packets
  /// that waited in their source since before `from`, as in BookSim2. None is created from `stop`
  /// on.
  void start(double load, support::Cycle from, support::Cycle to, support::Cycle stop);
  /// Stops creating packets.
  void stop() { stop_ = 0; }

  /// Packets created before `to` that have not arrived.
  std::uint64_t measured_open() const { return measured_open_; }
  const support::LatencyHistogram& latency(unsigned traffic_class) const {
    return latency_[traffic_class];
  }
  /// Flits that left the network in the measured cycles.
  std::uint64_t accepted_flits() const { return accepted_flits_; }
  /// Flits created in the measured cycles and not lost.
  std::uint64_t offered_flits() const { return offered_flits_; }
  std::uint64_t lost_packets() const { return lost_packets_; }

  void deliver(const MeshPacket& packet, support::Cycle when) override;
  void lost(const MeshPacket& packet, const std::string& why, support::Cycle when) override;
  void fire(support::Cycle now, std::uint64_t token) override;

 private:
  void post_next(unsigned node, support::Cycle now);
  bool is_measured_cycle(support::Cycle cycle) const { return cycle >= from_ && cycle < to_; }

  const MeshTrafficConfig& config_;
  MeshNetwork& mesh_;
  support::Calendar& calendar_;
  TrafficPattern pattern_;
  std::vector<foundation::Random> random_;  ///< one for each node, so that nodes are independent
  std::vector<std::uint32_t> made_;
  std::vector<std::uint8_t> bytes_;  ///< payload: byte i of node n's is n + i
  double log_of_quiet_ = 0;          ///< log(probability of no packet in a cycle)
  support::Cycle from_ = 0;
  support::Cycle to_ = 0;
  support::Cycle stop_ = 0;
  std::uint64_t measured_open_ = 0;
  std::uint64_t accepted_flits_ = 0;
  std::uint64_t offered_flits_ = 0;
  std::uint64_t lost_packets_ = 0;
  std::array<support::LatencyHistogram, kTrafficClasses> latency_;
};

}  // namespace tvp::mesh
