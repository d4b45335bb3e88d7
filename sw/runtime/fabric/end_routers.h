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

/// Ends the routers of a fabric when no packet is in flight in any of them. A router that ended
/// earlier would return no credits, and its neighbors would wait forever. If that moment never
/// comes, throws HangError, which names the routers and their packets, or TimeLimitError.
void end_routers(MeshDevice& mesh, const contract::fabric::RouterLayout& layout,
                 const std::vector<RunningRouter>& routers);

}  // namespace tvp::runtime
