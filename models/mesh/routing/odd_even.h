#pragma once

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// The odd-even turn model (Chiu: The odd-even turn model for adaptive routing, IEEE TPDS 2000). It
/// forbids turns from east to north or south in even columns, and turns from north or south to west
/// in odd ones. Minimal.
class OddEven : public RoutingFunction {
 public:
  PortMask outputs(const Hop& hop) const override;
};

}  // namespace tvp::mesh
