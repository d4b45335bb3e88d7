#include "models/mesh/routing/columns_last.h"

namespace tvp::mesh {

PortMask ColumnsLast::outputs(const Hop& hop) const {
  if (hop.dx == 0) return minimal_outputs(hop);
  return mask_of(hop.dx < 0 ? Port::kWest : Port::kEast);
}

}  // namespace tvp::mesh
