#include "models/mesh/routing/o1turn.h"

#include "models/mesh/routing/dimension_order.h"

namespace tvp::mesh {

PortMask O1Turn::outputs(const Hop& hop) const {
  return DimensionOrder(hop.part == 0 ? DimensionOrder::kXFirst : DimensionOrder::kYFirst)
      .outputs(hop);
}

}  // namespace tvp::mesh
