#include "models/mesh/routing/dimension_order.h"

namespace tvp::mesh {

PortMask DimensionOrder::outputs(const Hop& hop) const {
  Hop first = hop;
  if (order_ == kXFirst && hop.dx != 0) first.dy = 0;
  if (order_ == kYFirst && hop.dy != 0) first.dx = 0;
  return minimal_outputs(first);
}

}  // namespace tvp::mesh
