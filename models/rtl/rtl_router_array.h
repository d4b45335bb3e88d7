#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"
#include "models/rtl/router_array.h"
#include "models/rtl/rtl_hold_router.h"
#include "models/rtl/rtl_vc_router.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The RTL routers of a mesh, and their clock. A cycle of the mesh takes a few delta cycles of
/// SystemC: inputs, rising edge, falling edge, outputs.
class RtlRouterArray : public sc_core::sc_module, public RouterArray {
 public:
  /// `nodes`: routers to make; empty for all. Throws Fault(kDescription) for features that the RTL
  /// lacks. `meshes`: number of meshes with the same settings, this one included.
  RtlRouterArray(const sc_core::sc_module_name& name, const mesh::MeshConfig& config,
                 const mesh::MeshTopology& topology, std::vector<unsigned> nodes,
                 unsigned meshes = 1);
  ~RtlRouterArray() override;

  bool has(unsigned node) const override;
  mesh::ExternalHoldRouter& hold_router(unsigned node) override;
  mesh::ExternalVcRouter& vc_router(unsigned node) override;
  void reset(const mesh::Straps& straps, const mesh::RoutingTable* table) override;
  void request_edge(unsigned node, mesh::EdgeListener& listener, support::Cycle cycle) override;

  std::uint64_t edges() const override { return edges_; }
  void watch(support::WaveRecorder& recorder,
             const std::function<std::string(unsigned node)>& path_of) override;
  void rethrow() override;

  SC_HAS_PROCESS(RtlRouterArray);

 private:
  struct Reset {
    RtlRouter* router;
    mesh::Straps straps;
    unsigned routing;
    std::vector<TableRow> rows;
  };
  template <typename Router>
  Router& router(std::vector<std::unique_ptr<Router>>& routers, unsigned node);
  std::vector<TableRow> rows_of(unsigned node, const mesh::RoutingTable& table) const;
  void run();
  void reset_routers();
  void pulse(const std::vector<RtlRouter*>& routers);

  const mesh::MeshTopology& topology_;
  const std::string routing_;
  std::vector<unsigned> nodes_;
  // Routers by node. Only one of these kinds exists, selected by the mesh's flow control.
  std::vector<std::unique_ptr<RtlHoldRouter>> hold_routers_;
  std::vector<std::unique_ptr<RtlVcRouter>> vc_routers_;
  std::vector<RtlRouter*> by_node_;
  std::vector<Reset> resets_;        ///< to be done before the next edge
  std::vector<RtlRouter*> waiting_;  ///< routers that wait for this cycle's edge
  std::vector<RtlRouter*> clocked_;
  mesh::EdgeListener* listener_ = nullptr;
  support::Cycle cycle_ = 0;
  sc_core::sc_event go_;
  std::exception_ptr failed_;  ///< error in the process, which SystemC would turn into a report
  std::uint64_t edges_ = 0;
  bool watched_ = false;
};

}  // namespace tvp::rtl
