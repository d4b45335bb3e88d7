#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"
#include "models/rtl/router_array.h"
#include "models/rtl/router_selection.h"
#include "models/rtl/rtl_hold_router.h"
#include "models/rtl/rtl_vc_router.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The RTL routers of a mesh, and their clock.
class RtlRouterArray : public RouterArray {
 public:
  /// `meshes`: number of meshes with the same settings, this one included. Throws
  /// Fault(kDescription) for features that the RTL lacks.
  RtlRouterArray(std::string name, const mesh::MeshConfig& config,
                 const mesh::MeshTopology& topology, RouterSelection selection,
                 unsigned meshes = 1);

  bool has(unsigned node) const override;
  mesh::ExternalHoldRouter& hold_router(unsigned node) override;
  mesh::ExternalVcRouter& vc_router(unsigned node) override;
  void reset(const mesh::Straps& straps, const mesh::RoutingTable* table) override;
  void clock(unsigned node, support::Cycle cycle) override;

  std::uint64_t edges() const override { return edges_; }
  void watch(support::WaveRecorder& recorder,
             const std::function<std::string(unsigned node)>& path_of) override;

 private:
  template <typename Router>
  Router& router(std::vector<std::unique_ptr<Router>>& routers, unsigned node);
  std::vector<TableRow> rows_of(unsigned node, const mesh::RoutingTable& table) const;

  const std::string name_;
  const mesh::MeshTopology& topology_;
  const std::string routing_;
  const std::vector<unsigned> nodes_;
  const RtlRouter::Module& module_;
  // Routers by node. Only one of these kinds exists, selected by the mesh's flow control.
  std::vector<std::unique_ptr<RtlHoldRouter>> hold_routers_;
  std::vector<std::unique_ptr<RtlVcRouter>> vc_routers_;
  std::vector<RtlRouter*> by_node_;
  std::uint64_t edges_ = 0;
  bool watched_ = false;
};

}  // namespace tvp::rtl
