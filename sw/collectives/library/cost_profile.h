#pragma once

#include <string>
#include <vector>

namespace tvp::collectives {

/// A measured run.
struct CostSample {
  std::string schedule;
  double n_alpha = 0;
  double n_beta = 0;
  double n_gamma = 0;
  double bytes = 0;
  double ns = 0;
};

/// The time of a schedule on a machine: base + n_alpha * alpha + n_beta * bytes * beta + n_gamma *
/// bytes * gamma.
struct CostProfile {
  double base_ns = 0;  ///< once a run: the first slice to arrive, the last result to leave
  double alpha_ns = 0;
  double beta_ns = 0;          ///< time to move a byte
  double gamma_ns = 0;         ///< additional time to combine a byte
  double worst_deviation = 0;  ///< largest relative deviation of a measured time from this profile
  std::vector<CostSample> samples = {};

  double time(const CostSample& of) const {
    return base_ns + of.n_alpha * alpha_ns +
           of.bytes * (of.n_beta * beta_ns + of.n_gamma * gamma_ns);
  }
  std::string text() const;  ///< "alpha 1.2 us, beta 0.1 ns/B, gamma 0.2 ns/B, 3.0 us once"
};

/// Returns the profile without negative costs that has the least sum of squared relative
/// deviations.
CostProfile fit_cost(const std::vector<CostSample>& samples);

}  // namespace tvp::collectives
