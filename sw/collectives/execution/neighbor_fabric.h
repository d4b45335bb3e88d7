#pragma once

#include <cstdint>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/fabric/end_routers.h"
#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::collectives {

/// Routers on the links of a mesh that forward nothing: each packet ends at the next chip. All of a
/// router's memory serves one stream in each direction, so it holds as many bytes as are under way
/// at the full rate of a link. Routers of a whole mesh divide their memory among their channels.
class NeighborFabric {
 public:
  /// The links, directions and planes are those of `mesh`, which is not to be running.
  NeighborFabric(runtime::MeshDevice& devices, const runtime::FabricMesh& mesh);
  void start();
  /// Ends the routers when no packet is in flight (end_routers.h).
  void stop();

  static constexpr std::uint32_t kPayloadBytes = 8192;  ///< most that one NoC request can write
  /// Run-time arguments with which a core of `device` connects to the router in a direction.
  std::vector<std::uint32_t> connection(unsigned device, runtime::Direction direction,
                                        std::uint32_t semaphores, unsigned plane) const;
  const contract::fabric::RouterLayout& layout() const { return layout_; }

 private:
  runtime::MeshDevice& devices_;
  const runtime::FabricMesh& mesh_;
  contract::fabric::RouterLayout layout_;
  std::vector<runtime::RunningRouter> routers_;
};

}  // namespace tvp::collectives
