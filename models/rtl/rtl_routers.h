#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/topology.h"
#include "models/rtl/clocked_router.h"
#include "models/support/waves/wave_recorder.h"

namespace tvp::rtl {

/// Which routers of a mesh `config.router` wants in RTL: absent for none, empty for all. `place`:
/// which of several meshes it is. Throws Fault(kDescription) when it cannot be read.
std::optional<std::vector<unsigned>> rtl_nodes(const mesh::MeshConfig& config,
                                               const mesh::Topology& topology,
                                               const mesh::MeshPlace& place = {});

/// The routers of a mesh that are RTL, and their clock. A cycle of the mesh's is a few delta cycles
/// of SystemC: inputs, rising edge, falling edge, outputs.
class RtlRouters : public sc_core::sc_module, public mesh::RouterClock {
 public:
  /// `nodes`: which ones; empty for all. Throws Fault(kDescription) for what the RTL does not have.
  /// `meshes`: with the same settings, this one included.
  RtlRouters(const sc_core::sc_module_name& name, const mesh::MeshConfig& config,
             const mesh::Topology& topology, std::vector<unsigned> nodes, unsigned meshes = 1);
  ~RtlRouters() override;

  bool has(unsigned node) const override;
  mesh::ExternalHoldRouter& hold_router(unsigned node) override;
  mesh::ExternalVcRouter& vc_router(unsigned node) override;
  void reset(const mesh::Straps& straps, const mesh::RoutingTable* table) override;
  void request_edge(unsigned node, mesh::EdgeListener& listener, support::Cycle cycle) override;

  std::uint64_t edges() const { return edges_; }
  /// Attaches the pins of all routers to rows; `path_of` says where those of a node belong.
  void watch(support::WaveRecorder& recorder,
             const std::function<std::string(unsigned node)>& path_of);
  /// Throws what an edge has thrown, if nobody has heard of it yet.
  void rethrow();

  SC_HAS_PROCESS(RtlRouters);

 private:
  struct Reset {
    ClockedRouter* router;
    mesh::Straps straps;
    unsigned routing;
    std::vector<TableRow> rows;
  };
  template <typename Router>
  Router& router(unsigned node);
  std::vector<TableRow> rows_of(unsigned node, const mesh::RoutingTable& table) const;
  void run();
  void reset_routers();
  void pulse(const std::vector<ClockedRouter*>& routers);

  const mesh::Topology& topology_;
  const std::string routing_;
  std::vector<unsigned> nodes_;
  std::vector<std::unique_ptr<sc_core::sc_module>> modules_;
  std::vector<ClockedRouter*> by_node_;
  std::vector<Reset> resets_;            ///< to be done before the next edge
  std::vector<ClockedRouter*> waiting_;  ///< for this cycle's edge
  std::vector<ClockedRouter*> clocked_;
  mesh::EdgeListener* listener_ = nullptr;
  support::Cycle cycle_ = 0;
  sc_core::sc_event go_;
  std::exception_ptr failed_;  ///< in the process; SystemC would make a report of it
  std::uint64_t edges_ = 0;
  bool watched_ = false;
};

/// Those that `config.router` wants, null for none.
std::unique_ptr<RtlRouters> make_rtl_routers(const char* name, const mesh::MeshConfig& config,
                                             const mesh::Topology& topology,
                                             const mesh::MeshPlace& place = {});

}  // namespace tvp::rtl
