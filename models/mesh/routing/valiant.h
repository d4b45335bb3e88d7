#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// First to a random router, then to the destination, both x first on separate virtual channels.
/// Any pattern becomes uniform traffic over twice the distance (Valiant, Brebner: Universal schemes
/// for parallel communication, STOC 1981).
class Valiant : public RoutingFunction {
 public:
  unsigned parts() const override { return 2; }
  bool goes_via() const override { return true; }
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
