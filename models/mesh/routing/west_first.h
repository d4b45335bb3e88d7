#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Turn model (Glass, Ni: The turn model for adaptive routing, ISCA 1992): it forbids two of the
/// eight turns of a mesh, one in each possible cycle of turns. This variant forbids turns into
/// west, so every hop west comes first and the others follow in any order. Minimal.
class WestFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
