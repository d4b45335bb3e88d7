#pragma once

namespace tvp::collectives {

/// What an algorithm costs when every rank has one port each way: time = alpha * a + beta * M / BW.
struct Cost {
  double alpha = 0;  ///< messages one behind the other
  double beta = 0;   ///< vectors through the busiest port on the critical path, for long vectors
};

}  // namespace tvp::collectives
