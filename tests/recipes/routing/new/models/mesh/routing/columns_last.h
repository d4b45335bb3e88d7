#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Hops along a row come first.
class ColumnsLast : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
