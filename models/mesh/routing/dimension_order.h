#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// All hops of one dimension first, then all of the other. There is one route from each source to
/// each destination.
class DimensionOrder : public RoutingFunction {
 public:
  enum Order { kXFirst, kYFirst };
  explicit DimensionOrder(Order order) : order_(order) {}
  PortMask outputs(const Hop& hop) const override;

 private:
  Order order_;
};

}  // namespace tvp::mesh
