#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/destination_sets.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// Checks if packets that hold channels can wait for each other in a cycle.
///
/// A channel is the buffer behind a link, on any virtual channel that packets choose freely.
/// Channel A depends on channel B if a packet can hold A and wait for B. Without an escape channel
/// the dependencies must have no cycle (Dally, Seitz: Deadlock-free message routing in
/// multiprocessor interconnection networks, IEEE ToC 1987).
///
/// With an escape channel only the escape channels must have no cycle, but then dependencies
/// through other channels count too. Every router must offer an escape (Duato, IEEE TPDS 1993).
/// This requires routers that give the other channels to one packet at a time, or only to whole
/// packets.
///
/// If packets change from one part of the channels to the next, each part is checked separately.
/// Endpoints must accept every packet.
class DeadlockCheck {
 public:
  /// `has_escape`: the routers have a virtual channel for the table's escape outputs.
  DeadlockCheck(const MeshTopology& topology, const RoutingTable& table, bool has_escape);

  bool is_free() const { return cycle_.empty() && dead_end_.empty(); }
  /// True if a packet can reach a router without a further route.
  bool has_dead_end() const { return !dead_end_.empty(); }
  /// Channels (node * kPorts + output port) of a dependency cycle: each waits for the next one, the
  /// last one for the first. Empty if there is none.
  const std::vector<unsigned>& cycle() const { return cycle_; }
  /// Description of the problem; empty if there is none.
  std::string problem() const;

 private:
  class Ways;
  struct Between;
  void find_dependencies(const Ways& ways, bool from_all);
  void find_packets(const Ways& ways, bool from_all, DestinationSets& held);
  void check_start(const Ways& ways, unsigned node, Port in);
  void check_way_on(const Ways& ways, unsigned node, Port in, const std::uint64_t* held);
  void add_escapes(const Ways& ways, unsigned channel, const std::uint64_t* held, Between& between);
  void find_cycle();
  void shorten_cycle();

  const MeshTopology& topology_;
  /// For each channel, the channels that it waits for.
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<unsigned> cycle_;
  std::string dead_end_;
};

}  // namespace tvp::mesh
