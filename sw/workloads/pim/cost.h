#pragma once

#include "sw/workloads/pim/request.h"

namespace tvp::workloads::pim {

/// What an algorithm costs when every rank has one port each way: time = alpha * a + beta * M / BW.
struct Cost {
  double alpha = 0;  ///< messages one behind the other
  double beta = 0;   ///< vectors through the busiest port on the critical path, for long vectors
};
Cost cost(const Request& request, const Plan& plan);

/// busbw = algbw * factor, as nccl-tests define it.
double bus_factor(Kind kind, unsigned ranks);

/// Steps between routers, from each rank to the next of a flat ring.
struct RingHops {
  unsigned longest = 0;
  unsigned sum = 0;
};
RingHops ring_hops(const Plan& plan, unsigned mesh_width);

}  // namespace tvp::workloads::pim
