#include "models/mesh/routing/west_first.h"

namespace tvp::mesh {

PortMask WestFirst::outputs(const Hop& hop) const {
  return hop.dx < 0 ? mask_of(Port::kWest) : minimal_outputs(hop);
}

}  // namespace tvp::mesh
