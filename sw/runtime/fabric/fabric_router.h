#pragma once

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/programs/core_coord.h"
#include "sw/runtime/programs/kernel_types.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

struct FabricRouterConfig {
  contract::fabric::RouterLayout layout;
  std::uint32_t max_payload_bytes = 0;
  contract::fabric::Direction direction = contract::fabric::kNoDirection;
  bool on_ring = false;  ///< true if its link belongs to a ring
  NOC noc = NOC::NOC_0;  ///< NoC of its writes
};

/// Creates routers on the ethernet cores `cores`. The caller sets the neighbors of each
/// (contract::fabric::RouterNeighborArg) with SetRuntimeArgs.
KernelHandle CreateFabricRouter(Program& program, const CoreRangeSet& cores,
                                const FabricRouterConfig& router);

}  // namespace tvp::runtime
