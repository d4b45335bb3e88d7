#pragma once

#include <string>
#include <vector>

namespace tvp::collectives {

/// The work of a schedule with vectors of one size. One core of each worker executes all lanes of a
/// rank (firmware/collectives/schedule_interpreter.h); figures of a core are those of the busiest
/// one.
struct CostWork {
  double messages = 0;  ///< one after the other, and the links that they cross beyond the first
  double lanes = 0;     ///< lanes of a core
  double slices = 0;    ///< slices that a core moves
  double moved = 0;     ///< bytes of these slices
  double combined = 0;  ///< bytes of slices that a core receives and combines
};

/// A measured run.
struct CostSample {
  std::string schedule;
  CostWork work;
  double ns = 0;
};

/// The time of a schedule on a machine: base + messages * (alpha + lanes * poll) + slices * slice +
/// moved * beta + combined * gamma. A message passes several stages, and between two of them the
/// core polls all lanes.
struct CostProfile {
  double base_ns = 0;   ///< once a run: the first slice to arrive, the last result to leave
  double alpha_ns = 0;  ///< latency of a message
  double poll_ns = 0;   ///< additional latency for each lane
  double slice_ns = 0;  ///< the core's time for a slice
  double beta_ns = 0;   ///< additional time for each byte of it
  double gamma_ns = 0;  ///< additional time to combine a byte
  /// The largest factor between a measured time and this profile's.
  double worst_factor = 1;
  std::vector<CostSample> samples = {};

  double time(const CostWork& of) const {
    return base_ns + of.messages * (alpha_ns + of.lanes * poll_ns) + of.slices * slice_ns +
           of.moved * beta_ns + of.combined * gamma_ns;
  }
  /// "alpha 1.2 us, 0.2 us a lane, 0.3 us a slice, beta 0.1 ns/B, gamma 0 ns/B, 3.0 us once"
  std::string text() const;
};

/// Returns the profile without negative costs that has the least sum of squared relative
/// deviations.
CostProfile fit_cost(const std::vector<CostSample>& samples);

}  // namespace tvp::collectives
