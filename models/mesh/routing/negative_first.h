#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// The turn model (Glass, Ni: The turn model for adaptive routing, ISCA 1992) leaves out two of the
/// eight turns of a mesh, one of each cycle that turns could close: no turn from a positive
/// direction into a negative one; west and south come first. Minimal.
class NegativeFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
