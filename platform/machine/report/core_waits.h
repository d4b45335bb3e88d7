#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "platform/checks/chip_checks.h"
#include "platform/machine/chip.h"
#include "platform/machine/report/poll_condition.h"
#include "platform/machine/report/wait_graph.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// A core with its names for symbols and reports.
struct CoreView {
  riscv::Core* core;
  unsigned chip;
  unsigned x;
  unsigned y;
  unsigned kind;              ///< tensix_vp_core
  std::uint32_t local_bytes;  ///< bytes in the digest: what all cores of the chip have

  checks::CodeOwner owner() const { return {chip, x, y, kind}; }
};

std::vector<CoreView> all_cores(const std::vector<std::unique_ptr<Chip>>& chips);

/// Builds the graph of the cores and coprocessor threads that wait in kernels: the condition of
/// each wait with its current value, and the agents that can end it. Cores whose firmware waits for
/// a launch are left out.
class CoreWaits {
 public:
  CoreWaits(const std::vector<std::unique_ptr<Chip>>& chips,
            const std::vector<std::unique_ptr<checks::ChipChecks>>& checks,
            const SymbolTable& symbols, support::Cycle now);

  const WaitGraph& graph() const { return graph_; }
  /// Lines for the cores that wait in their firmware.
  const std::vector<std::string>& of_firmware() const { return of_firmware_; }

 private:
  using Wait = WaitGraph::Wait;

  /// The place of a core in its program.
  struct Place {
    std::string text{};    ///< "kernel_main (reader.cpp:31)"
    std::string called{};  ///< "cb_wait_front"
    std::string full{};    ///< with inlined functions
    bool is_of_firmware = false;
    bool is_of_service = false;  ///< firmware that serves others, as a router of the fabric
  };
  enum class State : std::uint8_t { kRuns, kWaits, kEnded };
  struct Agent {
    CoreView view;
    Place place{};
    State state = State::kRuns;
    std::size_t wait = 0;  ///< number in the graph; of kWaits
    /// Its thread of the coprocessor has work that waits.
    bool has_thread = false;
    std::size_t thread_wait = 0;
    std::vector<PollCondition> conditions{};
    // The first use finds these two.
    mutable std::optional<std::string> kernel{};  ///< file; empty: none
    mutable std::optional<bool> signals{};        ///< the kernel signals semaphores
  };

  void locate(Agent& agent) const;
  std::string mop_text(const Agent& agent, std::uint32_t pc) const;
  /// Starts a kernel in this program, as far as is known.
  bool in_kernel(const Agent& agent) const;
  const std::string& kernel_of(const Agent& agent) const;
  /// The kernel signals semaphores of other tiles.
  bool signals(const Agent& agent) const;
  /// The kernel sets semaphores of its own tile.
  bool stores_signals(const Agent& agent) const;
  /// The core pushes (else pops) pages of some circular buffer.
  bool has_role(const Agent& agent, bool pushes) const;
  std::optional<riscv::SourceLocation> caller_of(const Agent& agent) const;
  void add_waits(Agent& agent, support::Cycle now);
  void add_thread(Agent& agent);
  void explain(const Agent& agent);
  bool explain_buffer(const Agent& agent, const PollCondition& condition, Wait& wait);
  void explain_word(const Agent& agent, const PollCondition& compared, Wait& wait);
  void explain_blocked(const Agent& agent, Wait& wait);
  void explain_thread(const Agent& agent);
  /// The cores of the tile that push (else pop) pages of a circular buffer, or are about to.
  void find_givers(const Agent& agent, unsigned buffer, bool pushes, std::uint32_t missing,
                   Wait& wait);
  void find_signallers(const Agent& agent, const PollCondition& condition, Wait& wait);
  std::string strayed_signal(const Agent& agent, const PollCondition& condition) const;
  /// Adds the waits of an agent on which others wait; false if it does not wait.
  bool add_giver(const Agent& giver, std::vector<std::size_t>& givers) const;
  std::string own_steps(const Agent& agent, unsigned buffer, bool pops) const;
  /// A count of a circular buffer.
  static std::uint32_t core_reads(const Agent& agent, unsigned buffer, unsigned index);
  bool reserves(const Agent& agent, unsigned buffer, bool pushes) const;
  std::string line_of(const CoreView& view, std::uint32_t pc, support::Cycle cycle) const;
  std::string kernel_name(const Agent& agent) const;
  Agent* agent_at(unsigned chip, unsigned x, unsigned y, unsigned kind);
  const checks::TileRecord* record_of(const CoreView& view) const;
  std::string old_text(const Agent& agent, support::Cycle now) const;

  const std::vector<std::unique_ptr<Chip>>& chips_;
  const std::vector<std::unique_ptr<checks::ChipChecks>>& checks_;
  const SymbolTable& symbols_;
  std::vector<Agent> agents_;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, std::size_t> numbers_;
  WaitGraph graph_;
  std::vector<std::string> of_firmware_;
};

}  // namespace tvp::platform
