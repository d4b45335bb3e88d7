#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// The turn model (Glass, Ni: The turn model for adaptive routing, ISCA 1992) leaves out two of the
/// eight turns of a mesh, one of each cycle that turns could close: no turn into west; every hop
/// west comes first, the others in any order. Minimal.
class WestFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
