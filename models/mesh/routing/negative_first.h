#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Turn model (Glass, Ni: The turn model for adaptive routing, ISCA 1992): it forbids two of the
/// eight turns of a mesh, one in each possible cycle of turns. This variant forbids turns from a
/// positive direction into a negative one, so west and south come first. Minimal.
class NegativeFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
