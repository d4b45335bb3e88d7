#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

PortMask minimal_outputs(const Hop& hop) {
  PortMask mask = 0;
  if (hop.dx > 0) mask |= mask_of(Port::kEast);
  if (hop.dx < 0) mask |= mask_of(Port::kWest);
  if (hop.dy > 0) mask |= mask_of(Port::kNorth);
  if (hop.dy < 0) mask |= mask_of(Port::kSouth);
  return mask;
}

}  // namespace tvp::mesh
