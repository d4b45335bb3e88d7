#include "models/mesh/routing/negative_first.h"

namespace tvp::mesh {

PortMask NegativeFirst::outputs(const Hop& hop) const {
  const PortMask all = minimal_outputs(hop);
  const PortMask negative = all & (mask_of(Port::kWest) | mask_of(Port::kSouth));
  return negative != 0 ? negative : all;
}

}  // namespace tvp::mesh
