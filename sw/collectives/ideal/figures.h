#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/ideal/ideal_machine.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The cost of a proved schedule. M is its whole vector.
struct Figures {
  std::uint64_t chain = 0;          ///< most messages one after the other, ports no limit
  std::array<double, 3> n_alpha{};  ///< on 1, 2, 3 ports
  std::array<double, 3> n_beta{};   ///< coefficient of M / BW on 1, 2, 3 ports, alpha = 0
  double busiest_port = 0;          ///< in units of M, sent or received by one rank
  std::uint32_t scratch = 0;        ///< chunks
  std::uint32_t peak_slots = 0;     ///< chunks in connection buffers of one rank
  std::string busiest_link;         ///< link of the topology, if there is one
  double busiest_link_load = 0;     ///< of M
  double all_links = 0;             ///< of M
  double n_beta_on_links = 0;       ///< with links alone as limit
};

/// `slots`: IdealMachine::slots; the topology may be none.
Figures figures_of(const Schedule& schedule, std::shared_ptr<const IdealTopology> topology,
                   std::uint32_t slots = 8);
std::string text(const Figures& figures);

/// Coefficients of one machine.
double n_alpha(const Schedule& schedule, IdealMachine machine);
double n_beta(const Schedule& schedule, IdealMachine machine);
/// The most vectors that a rank sends or receives.
double busiest_port(const Schedule& schedule);
/// The coefficient of what receivers combine.
double n_gamma(const Schedule& schedule, IdealMachine machine);

}  // namespace tvp::collectives
