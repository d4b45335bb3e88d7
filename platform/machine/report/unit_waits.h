#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/pim/pim_hierarchy.h"
#include "models/pim/unit/bank_unit.h"
#include "platform/checks/chip_checks.h"
#include "platform/machine/report/poll_condition.h"
#include "platform/machine/report/wait_graph.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Builds the graph of the units of a PIM system that wait: for a barrier, for messages, or for
/// their own engines. Units of tasklets are left out.
class UnitWaits {
 public:
  using Units = std::vector<std::unique_ptr<pim::BankUnit>>;
  UnitWaits(const Units& units, const pim::PimHierarchy& hierarchy,
            const checks::ChipChecks& checks, const SymbolTable& symbols, support::Cycle now);

  const WaitGraph& graph() const { return graph_; }

 private:
  struct Agent {
    unsigned unit = 0;
    std::size_t wait = 0;  ///< number in the graph
    bool is_at_barrier = false;
    std::vector<PollCondition> conditions{};
  };

  void add(pim::BankUnit& unit, support::Cycle now);
  std::string name_of(unsigned unit) const;
  std::string sent_to_others(unsigned channel) const;
  std::string last_transfer_of(unsigned unit) const;
  std::string line_of(unsigned unit, std::uint32_t pc) const;
  void explain_barrier(WaitGraph::Wait& wait) const;
  /// The wait for a number of messages of a channel: the units that have sent them.
  void explain_arrivals(const Agent& agent, unsigned channel);
  /// "unit 3 (chip0.bank3), unit 4 (chip0.bank4) and 7 more"
  std::string names_of(const std::vector<unsigned>& units) const;

  const Units& units_;
  const pim::PimHierarchy& hierarchy_;
  const checks::ChipChecks& checks_;
  const SymbolTable& symbols_;
  std::vector<Agent> agents_;
  std::vector<unsigned> ended_;
  WaitGraph graph_;
};

}  // namespace tvp::platform
