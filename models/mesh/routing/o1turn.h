#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// A random half of the packets goes x first, the others y first. Each half has separate virtual
/// channels (Seo, Ali, Lim, Rafique, Thottethodi: Near-optimal worst-case throughput routing for
/// two-dimensional mesh networks, ISCA 2005).
class O1Turn : public RoutingFunction {
 public:
  unsigned parts() const override { return 2; }
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
