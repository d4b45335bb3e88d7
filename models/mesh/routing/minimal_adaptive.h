#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Any route that brings the packet nearer. With an escape channel, x then y on virtual channel 0
/// is always possible too (Duato: A new theory of deadlock-free adaptive routing in wormhole
/// networks, IEEE TPDS 1993). Without one it can deadlock if packets hold channels while they wait.
class MinimalAdaptive : public RoutingFunction {
 public:
  explicit MinimalAdaptive(bool has_escape) : has_escape_(has_escape) {}
  PortMask outputs(const Hop& hop) const override;
  PortMask escape(const Hop& hop) const override;

 private:
  bool has_escape_;
};

}  // namespace tvp::mesh
