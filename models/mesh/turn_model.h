#pragma once

#include "models/mesh/routing_function.h"

namespace tvp::mesh {

// The turn model (Glass, Ni: The turn model for adaptive routing, ISCA 1992) leaves out two of the
// eight turns of a mesh, one of each cycle that turns could close. All minimal.

/// No turn into west: every hop west comes first, the others in any order.
class WestFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

/// No turn out of north: hops north come last.
class NorthLast : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

/// No turn from a positive direction into a negative one: west and south come first.
class NegativeFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
