#include "models/mesh/valiant.h"

#include "models/mesh/dimension_order.h"

namespace tvp::mesh {

PortMask Valiant::outputs(const Hop& hop) const {
  return DimensionOrder(DimensionOrder::kXFirst).outputs(hop);
}

}  // namespace tvp::mesh
