#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// The transfer that drives each link in each cycle, fixed ahead of time as in PIMnet. Stops have
/// no buffers, arbitration or back-pressure. Two transfers on one link in one cycle are an error.
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
  /// Takes the links of the route that the table gives (the first output of several): the source's
  /// in cycles start to start + flits - 1, each next one a cycle later. Returns the cycle at which
  /// the last flit is at the destination. Throws Fault(kFirmware) that names link, cycle and both
  /// transfers when one of them is taken.
  support::Cycle add(const Transfer& transfer);
  /// Forgets what is over before `now`.
  void forget(support::Cycle now);

  /// Channels (node * kPorts + output port) on the route of a transfer, in order.
  const std::vector<std::uint32_t>& route(unsigned source, unsigned destination);

 private:
  struct Use {
    support::Cycle first;
    support::Cycle end;  ///< first cycle after it
    Transfer transfer;
  };
  void take(std::size_t link, const Use& use);
  [[noreturn]] void conflict(std::size_t link, const Use& a, const Use& b) const;
  std::string name_of(const Transfer& transfer) const;

  const MeshTopology& topology_;
  const RoutingTable& table_;
  /// Uses by node * kPorts + port, then by endpoint for the links into the mesh; each sorted.
  std::vector<std::vector<Use>> uses_;
  std::vector<std::uint32_t> route_;
};

}  // namespace tvp::mesh
