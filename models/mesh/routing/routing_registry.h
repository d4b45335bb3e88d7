#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Names for `mesh.routing`. A new routing function is a file pair and a line in
/// routing_registry.cpp.
std::vector<std::string> routing_names();
/// Throws Fault(kDescription) for an unknown name.
std::unique_ptr<RoutingFunction> make_routing(const std::string& name);

}  // namespace tvp::mesh
