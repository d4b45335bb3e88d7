#pragma once

#include <vector>

namespace tvp::workloads::collective {

/// Time over size as a line (Hockney): time = alpha + bytes / rate.
struct MessageCost {
  double alpha_ns = 0;
  double bytes_per_ns = 0;
  double worst_deviation = 0;  ///< largest relative deviation of a measured time from the line
};

/// Fits the line with the least sum of squared relative deviations, so that small sizes count as
/// much as large ones. Needs two sizes or more.
MessageCost fit_message_cost(const std::vector<double>& bytes, const std::vector<double>& ns);

}  // namespace tvp::workloads::collective
