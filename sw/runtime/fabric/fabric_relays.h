#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "foundation/contract/fabric/relay.h"
#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Relays of a fabric, one on the same worker of each device, for kernels with unified data
/// movement (firmware/api/fabric/udm_api.h). They are the only clients of plane 0's routers.
class FabricRelays {
 public:
  /// `core` runs the relays. `clients` are the workers, the same on each device, whose
  /// data-movement kernels use them. Throws Fault(kDescription) if they are none or include `core`.
  FabricRelays(MeshDevice& mesh, const FabricMesh& fabric, CoreCoord core,
               std::vector<CoreCoord> clients);

  /// Adds the relays to the programs of all devices, and prepares the clients' L1. Each program
  /// starts with its relay.
  void add_to(std::vector<Program>& programs);
  /// Waits until the kernels of the clients have ended, and ends the relays.
  void finish();

 private:
  MeshDevice& mesh_;
  const FabricMesh& fabric_;
  CoreCoord core_;
  std::vector<CoreCoord> clients_;
  contract::fabric::RelayLayout layout_;
  std::shared_ptr<MeshBuffer> memory_;
};

}  // namespace tvp::runtime
