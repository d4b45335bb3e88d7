#include "models/mesh/routing/routing_registry.h"

#include "foundation/fault.h"
#include "models/mesh/routing/dimension_order.h"
#include "models/mesh/routing/minimal_adaptive.h"
#include "models/mesh/routing/negative_first.h"
#include "models/mesh/routing/north_last.h"
#include "models/mesh/routing/o1turn.h"
#include "models/mesh/routing/odd_even.h"
#include "models/mesh/routing/valiant.h"
#include "models/mesh/routing/west_first.h"

namespace tvp::mesh {

namespace {

template <typename Routing, auto... kArguments>
std::unique_ptr<RoutingFunction> make_one() {
  return std::make_unique<Routing>(kArguments...);
}

constexpr struct {
  const char* name;
  std::unique_ptr<RoutingFunction> (*make)();
} kRoutings[] = {
    {"xy", make_one<DimensionOrder, DimensionOrder::kXFirst>},
    {"yx", make_one<DimensionOrder, DimensionOrder::kYFirst>},
    {"west_first", make_one<WestFirst>},
    {"north_last", make_one<NorthLast>},
    {"negative_first", make_one<NegativeFirst>},
    {"odd_even", make_one<OddEven>},
    {"o1turn", make_one<O1Turn>},
    {"valiant", make_one<Valiant>},
    {"minimal_adaptive", make_one<MinimalAdaptive, true>},
    {"unrestricted", make_one<MinimalAdaptive, false>},
};

}  // namespace

std::vector<std::string> routing_names() {
  std::vector<std::string> names;
  for (const auto& routing : kRoutings) names.emplace_back(routing.name);
  return names;
}

std::unique_ptr<RoutingFunction> make_routing(const std::string& name) {
  for (const auto& routing : kRoutings) {
    if (name == routing.name) return routing.make();
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "mesh.routing",
                          "unknown routing '" + name + "'");
}

}  // namespace tvp::mesh
