#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/machine/report/buffer_waits.h"
#include "platform/machine/report/core_agents.h"
#include "platform/machine/report/wait_graph.h"
#include "platform/machine/report/word_waits.h"

namespace tvp::platform {

/// Builds the graph of the cores and coprocessor threads that wait in kernels: the condition of
/// each wait with its current value, and the agents that can end it. Cores whose firmware waits for
/// a launch are left out.
class CoreWaits {
 public:
  CoreWaits(const std::vector<std::unique_ptr<Chip>>& chips,
            const std::vector<std::unique_ptr<checks::ChipChecks>>& checks,
            const SymbolTable& symbols, support::Cycle now);

  const WaitGraph& graph() const { return graph_; }
  /// Lines for the cores that wait in their firmware, by the place of the chip.
  const std::vector<std::vector<std::string>>& of_firmware() const { return of_firmware_; }

 private:
  using Wait = WaitGraph::Wait;

  std::string mop_text(const CoreAgent& agent, std::uint32_t pc) const;
  void add_waits(CoreAgent& agent, support::Cycle now);
  void add_thread(CoreAgent& agent);
  void explain(const CoreAgent& agent);
  void explain_blocked(const CoreAgent& agent, Wait& wait);
  void explain_thread(const CoreAgent& agent);
  std::string old_text(const CoreAgent& agent, support::Cycle now) const;

  CoreAgents cores_;
  BufferWaits buffers_;
  WordWaits words_;
  WaitGraph graph_;
  std::vector<std::vector<std::string>> of_firmware_;
};

}  // namespace tvp::platform
