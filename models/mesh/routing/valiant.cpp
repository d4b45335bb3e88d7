#include "models/mesh/routing/valiant.h"

#include "models/mesh/routing/dimension_order.h"

namespace tvp::mesh {

PortMask Valiant::outputs(const Hop& hop) const {
  return DimensionOrder(DimensionOrder::kXFirst).outputs(hop);
}

}  // namespace tvp::mesh
