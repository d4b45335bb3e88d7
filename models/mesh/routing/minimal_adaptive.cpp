#include "models/mesh/routing/minimal_adaptive.h"

#include "models/mesh/routing/dimension_order.h"

namespace tvp::mesh {

PortMask MinimalAdaptive::outputs(const Hop& hop) const { return minimal_outputs(hop); }

PortMask MinimalAdaptive::escape(const Hop& hop) const {
  return has_escape_ ? DimensionOrder(DimensionOrder::kXFirst).outputs(hop) : PortMask{0};
}

}  // namespace tvp::mesh
