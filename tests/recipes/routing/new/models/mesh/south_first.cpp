#include "models/mesh/south_first.h"

namespace tvp::mesh {

PortMask SouthFirst::outputs(const Hop& hop) const {
  return hop.dy > 0 ? mask_of(Port::kSouth) : minimal_outputs(hop);
}

}  // namespace tvp::mesh
