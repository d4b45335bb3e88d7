#pragma once

#include <string_view>

#include "firmware/contract/fabric/router.h"
#include "sw/runtime/programs/core_coord.h"
#include "sw/runtime/programs/kernel_types.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// The two routers: this platform's, and one that issues as tt-metal's does, for times of programs
/// that will run with that one. All routers of a fabric are of one kind.
enum class FabricRouterKernel { kOurs, kPublishedOrder };

/// Spelt ours and published_order.
FabricRouterKernel fabric_router_kernel(std::string_view name);

struct FabricRouterConfig {
  contract::fabric::RouterLayout layout;
  std::uint32_t max_payload_bytes = 0;
  contract::fabric::Direction direction = contract::fabric::kNoDirection;
  bool on_ring = false;  ///< its link is one of a ring
  NOC noc = NOC::NOC_0;  ///< that it writes packets over
  FabricRouterKernel kernel = FabricRouterKernel::kOurs;
};

/// Routers on the ethernet cores `cores`. The neighbors of each
/// (contract::fabric::RouterNeighborArg) are for SetRuntimeArgs.
KernelHandle CreateFabricRouter(Program& program, const CoreRangeSet& cores,
                                const FabricRouterConfig& router);

}  // namespace tvp::runtime
