#pragma once

#include <string>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

/// A router that runs on an ethernet tile.
struct RunningRouter {
  unsigned device = 0;
  unsigned channel = 0;
};

/// Ends the routers of a fabric at a moment at which nothing is under way in any of them: one that
/// went earlier would be missed by those that wait for its credits. Throws HangError that names
/// routers and what they hold when that moment never comes, and TimeLimitError.
void end_routers(MeshDevice& mesh, const contract::fabric::RouterLayout& layout,
                 const std::vector<RunningRouter>& routers);

}  // namespace tvp::runtime
