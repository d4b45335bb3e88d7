#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_config.h"
#include "models/mesh/topology.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// Something that breaks. While it is broken, every flit that leaves by the link, or by any port of
/// the router, is damaged.
struct MeshFault {
  bool is_router = false;
  unsigned node = 0;
  Port port = Port::kLocal;  ///< of a link
  support::Cycle at = 0;     ///< from this cycle on
  support::Cycle lasts = 0;  ///< cycles; 0 for ever
  bool is_permanent() const { return lasts == 0; }
};

/// What `mesh.faults` lists and what the random ones come to, in the order of their cycles. Throws
/// Fault(kDescription) when the list cannot be read or names what is not there.
std::vector<MeshFault> plan_faults(const MeshConfig& config, const Topology& topology);

std::string name_of(const MeshFault& fault, const Topology& topology);

}  // namespace tvp::mesh
