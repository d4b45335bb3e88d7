#pragma once

#include <optional>

#include "sw/collectives/execution/collective_executor.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// The time of a run beside that of the same schedule on an ideal machine, t = n_alpha * alpha +
/// n_beta * M / BW. BW is the rate of a rank's port; alpha is the time of the run's shortest
/// message beyond its bytes / BW.
struct Contention {
  double alpha_ns = 0;
  double bytes_per_ns = 0;  ///< BW
  /// The factor of alpha that explains the time, with bytes at the rate BW. It is below 1 if
  /// messages overlap that follow each other on the ideal machine.
  double eta_alpha = 0;
  /// The factor of BW that explains the time, with messages that take alpha. None if n_alpha *
  /// alpha alone is longer than the run.
  std::optional<double> eta_beta;
};

Contention contention(const collectives::Schedule& schedule,
                      const collectives::CollectiveExecutor::Outcome& outcome, double n_alpha,
                      double n_beta, double bytes_per_ns);

/// BW from the settings of the system: a switch's port, a link in a mesh of units, or the links of
/// an edge that a rank of chips uses. The result is 0 if the library has no settings.
double port_rate(const runtime::DeviceLibrary& library, unsigned workers);

}  // namespace tvp::workloads::collective
