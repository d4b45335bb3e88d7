#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/collectives/collective.h"

namespace tvp::collectives {

/// One object of every collective in the list of sw/collectives/CMakeLists.txt.
std::vector<std::unique_ptr<Collective>> make_collectives();

/// The one of a name; there for the rest of the run. Throws Fault(kDescription) when there is none.
const Collective& find_collective(const std::string& name);

}  // namespace tvp::collectives
