#include "models/mesh/routing_function.h"

#include "foundation/fault.h"
#include "models/mesh/dimension_order.h"
#include "models/mesh/minimal_adaptive.h"
#include "models/mesh/odd_even.h"
#include "models/mesh/turn_model.h"

namespace tvp::mesh {

const std::vector<std::string>& routing_names() {
  static const std::vector<std::string> kNames{"xy",
                                               "yx",
                                               "west_first",
                                               "north_last",
                                               "negative_first",
                                               "odd_even",
                                               "minimal_adaptive",
                                               "unrestricted"};
  return kNames;
}

std::unique_ptr<RoutingFunction> make_routing(const std::string& name) {
  if (name == "xy") return std::make_unique<DimensionOrder>(DimensionOrder::kXFirst);
  if (name == "yx") return std::make_unique<DimensionOrder>(DimensionOrder::kYFirst);
  if (name == "west_first") return std::make_unique<WestFirst>();
  if (name == "north_last") return std::make_unique<NorthLast>();
  if (name == "negative_first") return std::make_unique<NegativeFirst>();
  if (name == "odd_even") return std::make_unique<OddEven>();
  if (name == "minimal_adaptive") return std::make_unique<MinimalAdaptive>(true);
  if (name == "unrestricted") return std::make_unique<MinimalAdaptive>(false);
  throw foundation::Fault(foundation::FaultKind::kDescription, "mesh.routing",
                          "unknown routing '" + name + "'");
}

PortMask minimal_outputs(const Hop& hop) {
  PortMask mask = 0;
  if (hop.dx > 0) mask |= mask_of(Port::kEast);
  if (hop.dx < 0) mask |= mask_of(Port::kWest);
  if (hop.dy > 0) mask |= mask_of(Port::kNorth);
  if (hop.dy < 0) mask |= mask_of(Port::kSouth);
  return mask;
}

}  // namespace tvp::mesh
