#include "models/mesh/routing/odd_even.h"

namespace tvp::mesh {

PortMask OddEven::outputs(const Hop& hop) const {
  const PortMask all = minimal_outputs(hop);
  if (hop.dx == 0 || hop.dy == 0) return all;
  const auto east_west = static_cast<PortMask>(all & (mask_of(Port::kEast) | mask_of(Port::kWest)));
  const auto north_south = static_cast<PortMask>(all & ~east_west);
  const bool odd = hop.x % 2 != 0;
  PortMask mask = 0;
  if (hop.dx < 0) {
    // The packet must turn west later, which is possible only in even columns.
    mask |= east_west;
    if (!odd) mask |= north_south;
    return mask;
  }
  if (odd || hop.in != Port::kWest) mask |= north_south;
  // An even destination column must not be entered here, since the packet could not turn in it.
  const bool odd_destination = (hop.x + static_cast<unsigned>(hop.dx)) % 2 != 0;
  if (odd_destination || hop.dx != 1) mask |= east_west;
  return mask;
}

}  // namespace tvp::mesh
