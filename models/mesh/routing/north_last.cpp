#include "models/mesh/routing/north_last.h"

namespace tvp::mesh {

PortMask NorthLast::outputs(const Hop& hop) const {
  const PortMask all = minimal_outputs(hop);
  const PortMask others = all & static_cast<PortMask>(~mask_of(Port::kNorth));
  return others != 0 ? others : all;
}

}  // namespace tvp::mesh
