#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// The transfer that drives each link in each cycle, fixed in advance as in PIMnet. Stops have no
/// buffers, arbitration or back-pressure. Two transfers on one link in one cycle are an error.
class StaticSchedule {
 public:
  StaticSchedule(const MeshTopology& topology, const RoutingTable& table);

  struct Transfer {
    unsigned source = 0;       ///< endpoint
    unsigned destination = 0;  ///< endpoint
    unsigned flits = 1;
    support::Cycle start = 0;  ///< cycle in which the first flit is on the source's link
    std::uint64_t tag = 0;     ///< for messages
  };
  /// Reserves the links of the table's route (the first output if there are several). The source's
  /// link is taken from cycle start to start + flits - 1, each following link one cycle later.
  /// Returns the cycle at which the last flit is at the destination. Throws Fault(kFirmware) that
  /// names link, cycle and both transfers if a link is taken.
  support::Cycle add(const Transfer& transfer);
  /// Discards reservations that end before `now`.
  void forget(support::Cycle now);

  /// Channels (node * kPorts + output port) on the route of a transfer, in order.
  const std::vector<std::uint32_t>& route(unsigned source, unsigned destination);

 private:
  struct Use {
    support::Cycle first;
    support::Cycle end;  ///< first cycle after the use
    Transfer transfer;
  };
  void take(std::size_t link, const Use& use);
  [[noreturn]] void conflict(std::size_t link, const Use& a, const Use& b) const;
  std::string name_of(const Transfer& transfer) const;

  const MeshTopology& topology_;
  const RoutingTable& table_;
  /// Uses of each link (node * kPorts + port), then of each endpoint's link into the mesh, sorted.
  std::vector<std::vector<Use>> uses_;
  std::vector<std::uint32_t> route_;
};

}  // namespace tvp::mesh
