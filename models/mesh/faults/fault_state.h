#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/packet_pool.h"
#include "models/mesh/routing/rerouting.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// The broken parts of a mesh: links that damage flits now, parts out of service, the destinations
/// that each source still reaches, and the texts that report them.
class FaultState {
 public:
  /// `topology` is that of the mesh; parts taken out of service are marked as broken there.
  explicit FaultState(MeshTopology& topology);

  /// Sets the number of the mesh among several, and the faults that will break it.
  void plan(std::vector<MeshFault> faults, const MeshPlace& place);
  const std::vector<MeshFault>& faults() const { return faults_; }

  /// True if a flit that leaves by link node * kPorts + port now is damaged.
  bool damages(std::size_t link) const { return damaging_ != 0 && damages_[link] != 0; }
  bool reaches(const MeshPacket& packet) const {
    return connectivity_.reaches(topology_.router_of(packet.source),
                                 topology_.router_of(packet.destination));
  }

  void begin(const MeshFault& fault, support::Cycle now);
  void end(const MeshFault& fault) { change_damage(fault, -1); }
  /// Takes a link out of service in both directions. It no longer damages flits.
  void take_out(const MeshFault& fault, support::Cycle now);
  void log_rerouting(const MeshFault& fault, const std::string& method, support::Cycle now);

  const std::string& prefix() const { return prefix_; }
  const std::vector<std::string>& log() const { return log_; }
  std::string partition() const { return connectivity_.partition(topology_); }
  std::string why_unreachable() const;
  /// The youngest fault of the last link that damaged the packet.
  std::string why_damaged(const PacketState& packet, support::Cycle now,
                          unsigned max_retries) const;

 private:
  void change_damage(const MeshFault& fault, int change);

  MeshTopology& topology_;
  MeshPlace place_;
  std::string prefix_;  ///< prefix of names if there are several meshes
  std::vector<MeshFault> faults_;
  unsigned damaging_ = 0;              ///< number of faults that damage flits now
  std::vector<std::uint8_t> damages_;  ///< number of faults, indexed by node * kPorts + port
  Connectivity connectivity_;
  std::vector<std::string> log_;
  std::string out_of_service_;  ///< names and cycles
};

}  // namespace tvp::mesh
