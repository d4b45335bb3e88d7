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
/// Without an escape channel there must be no cycle among the channels of which a packet can hold
/// one and want the next (Dally, Seitz: Deadlock-free message routing in multiprocessor
/// interconnection networks, IEEE ToC 1987). With one, the same must hold of the escape channels
/// alone, where one depends on the next also by way of any channels between, and every place must
/// have one (Duato, IEEE TPDS 1993); that takes routers that give the other channels to one packet
/// at a time, or only whole packets. Where packets change from one part of the channels to the
/// next, each part is looked at alone. Endpoints must take what arrives.
class DeadlockCheck {
 public:
  /// `has_escape`: the routers have a virtual channel for the table's escape outputs.
  DeadlockCheck(const MeshTopology& topology, const RoutingTable& table, bool has_escape);

  bool is_free() const { return cycle_.empty() && dead_end_.empty(); }
  /// A packet can come to where no way leads on.
  bool has_dead_end() const { return !dead_end_.empty(); }
  /// Channels (node * kPorts + output port) each of which waits for the next one, and the last one
  /// for the first. Empty when there is no cycle.
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
  std::vector<std::vector<std::uint32_t>> next_;  ///< by channel: those that it waits for
  std::vector<unsigned> cycle_;
  std::string dead_end_;
};

}  // namespace tvp::mesh
