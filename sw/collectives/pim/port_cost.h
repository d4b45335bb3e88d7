#pragma once

#include "sw/collectives/pim/pim_plan.h"
#include "sw/collectives/pim/pim_request.h"

namespace tvp::collectives {

/// The cost of a collective if every rank has one port in each direction:
/// time = alpha * a + beta * M / BW.
struct PortCost {
  double alpha = 0;  ///< messages one after the other
  double beta = 0;   ///< vectors through the busiest port on the critical path, for long vectors
};
PortCost port_cost(const PimRequest& request, const PimPlan& plan);

}  // namespace tvp::collectives
