#pragma once

#include <memory>
#include <string>

#include "platform/library/configuration.h"
#include "platform/library/kernel.h"
#include "platform/machine/machine.h"
#include "platform/ranks/ranks.h"

namespace tvp::platform {

/// The work of ranks other than 0: they build the machine of each simulation of rank 0 with their
/// own chips, and serve it.
class RankServer {
 public:
  explicit RankServer(Ranks& ranks) : ranks_(ranks) {}

  /// Returns after the end of rank 0's host program.
  void serve();

  /// Asks all ranks for a simulation with these settings. `launcher`: see
  /// Configuration::apply_launcher; empty: none.
  static void start_others(Ranks& ranks, const std::string& launcher,
                           const std::vector<std::string>& texts);
  /// Waits for them. Throws Fault if a rank refuses, or has another build or description than
  /// `mine`.
  static void await_others(Ranks& ranks, const Configuration& mine);

 private:
  void start(Message& call);

  Ranks& ranks_;
  std::unique_ptr<Configuration> configuration_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace tvp::platform
