#include "sw/workloads/collective/message_cost_fit.h"

#include <algorithm>
#include <cmath>

namespace tvp::workloads::collective {

MessageCost fit_message_cost(const std::vector<double>& bytes, const std::vector<double>& ns) {
  // Normal equations of sum ((a + b x - t) / t)^2.
  double w = 0, wx = 0, wxx = 0, wt = 0, wxt = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double weight = 1 / (ns[i] * ns[i]);
    w += weight;
    wx += weight * bytes[i];
    wxx += weight * bytes[i] * bytes[i];
    wt += weight * ns[i];
    wxt += weight * bytes[i] * ns[i];
  }
  const double determinant = w * wxx - wx * wx;
  MessageCost cost;
  cost.alpha_ns = (wxx * wt - wx * wxt) / determinant;
  const double slope = (w * wxt - wx * wt) / determinant;
  cost.bytes_per_ns = 1 / slope;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    cost.worst_deviation =
        std::max(cost.worst_deviation, std::fabs(cost.alpha_ns + slope * bytes[i] - ns[i]) / ns[i]);
  return cost;
}

}  // namespace tvp::workloads::collective
