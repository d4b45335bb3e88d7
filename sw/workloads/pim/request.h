#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/pim/collectives/arguments.h"
#include "firmware/kernels/pim/collectives/tree.h"
#include "sw/workloads/pim/phase_table.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::workloads::pim {

using Kind = ::pim::collectives::Kind;
using TreeFlow = ::pim::collectives::TreeFlow;

/// What is asked for, as names of settings.
struct Request {
  Kind kind = Kind::kAllReduce;
  std::string name = "pim_allreduce";  ///< of the workload, for messages
  unsigned nodes = 0;                  ///< 0 for all units
  std::uint32_t bytes = 65536;
  std::string type = "fp32";
  std::string op = "sum";
  std::string order = "row_major";
  std::string algorithm = "ring";  ///< ring, exchange, heap, binomial, in_switch or host
  bool hierarchical = false;
  bool as_written = false;
  std::string sync = "auto";  ///< credits, barriers; auto: barriers where links are scheduled
  bool pipelined = true;
  unsigned root = 0;
  std::uint64_t seed = 1;
};

bool reduces(Kind kind);

/// A request on a system: who takes part, in which groups and rings. Ranks are units 0 to N-1, as
/// in the PIM interconnect document.
struct Plan {
  Plan() = default;
  /// Throws Fault(kDescription) when the request does not fit the system.
  Plan(const Request& request, const runtime::PimSystem& system);

  unsigned ranks = 1;
  std::vector<unsigned> levels;  ///< ranks of each, from the inside out
  /// The level that the switch between the chips of a rank does, if it does.
  std::optional<std::size_t> switch_level;
  std::vector<std::vector<unsigned>> rings;  ///< of each level: member at each position
  bool barriers = false;                     ///< instead of credits
  /// Of each level, of a broadcast one for all: who sends in which phase of a step. None where all
  /// may send at once.
  std::vector<Phases> phases;
  TreeFlow tree_flow = TreeFlow::kPipelined;

 private:
  void schedule(const Request& request, const runtime::PimSystem& system);
};

/// A closed way along the links of a mesh through all its routers, which are numbered row by row.
/// Throws Fault(kDescription) naming `where` when there is none.
std::vector<unsigned> hamiltonian_ring(const std::string& where, unsigned width, unsigned height);

}  // namespace tvp::workloads::pim
