#pragma once

#include "models/mesh/routing_function.h"

namespace tvp::mesh {

/// Every hop south comes first, the others in any order.
class SouthFirst : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
