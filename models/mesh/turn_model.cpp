#include "models/mesh/turn_model.h"

namespace tvp::mesh {

PortMask WestFirst::outputs(const Hop& hop) const {
  return hop.dx < 0 ? mask_of(Port::kWest) : minimal_outputs(hop);
}

PortMask NorthLast::outputs(const Hop& hop) const {
  const PortMask all = minimal_outputs(hop);
  const PortMask others = all & static_cast<PortMask>(~mask_of(Port::kNorth));
  return others != 0 ? others : all;
}

PortMask NegativeFirst::outputs(const Hop& hop) const {
  const PortMask all = minimal_outputs(hop);
  const PortMask negative = all & (mask_of(Port::kWest) | mask_of(Port::kSouth));
  return negative != 0 ? negative : all;
}

}  // namespace tvp::mesh
