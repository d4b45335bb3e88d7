#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "platform/checks/chip_checks.h"
#include "platform/machine/chip.h"
#include "platform/machine/report/core_view.h"
#include "platform/machine/report/poll_condition.h"
#include "platform/machine/report/wait_graph.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// A core in the report of a hang.
struct CoreAgent {
  /// The place of a core in its program.
  struct Place {
    std::string text{};    ///< "kernel_main (reader.cpp:31)"
    std::string called{};  ///< "cb_wait_front"
    std::string full{};    ///< with inlined functions
    bool is_of_firmware = false;
    bool is_of_service = false;  ///< firmware that serves others, as a router of the fabric
  };
  enum class State : std::uint8_t { kRuns, kWaits, kEnded };

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

/// The cores that are out of reset, with their places, kernels and records.
class CoreAgents {
 public:
  CoreAgents(const std::vector<std::unique_ptr<Chip>>& chips,
             const std::vector<std::unique_ptr<checks::ChipChecks>>& checks,
             const SymbolTable& symbols, support::Cycle now);

  std::vector<CoreAgent>& all() { return agents_; }
  const std::vector<CoreAgent>& all() const { return agents_; }
  /// Null if there is no such core out of reset.
  const CoreAgent* at(unsigned chip, unsigned x, unsigned y, unsigned kind) const;
  Chip& chip(unsigned id) const { return *chips_[place_of(id)]; }
  const SymbolTable& symbols() const { return symbols_; }
  const checks::TileRecord* record_of(const CoreView& view) const {
    return record_at(view.chip, view.x, view.y);
  }
  /// Null for a tile that is no Tensix tile.
  const checks::TileRecord* record_at(unsigned chip, unsigned x, unsigned y) const;
  /// Place of a chip among those of this process.
  std::size_t place_of(unsigned chip) const;

  /// Starts a kernel in this program, as far as is known.
  bool in_kernel(const CoreAgent& agent) const;
  const std::string& kernel_of(const CoreAgent& agent) const;
  /// "chip0.tensix(1,1).BRISC (writer.cpp)".
  std::string kernel_name(const CoreAgent& agent) const;
  /// The kernel signals semaphores of other tiles.
  bool signals(const CoreAgent& agent) const;
  /// The kernel sets semaphores of its own tile.
  bool stores_signals(const CoreAgent& agent) const;
  /// " in kernel_main (writer.cpp:31)", or "".
  std::string line_of(const CoreView& view, std::uint32_t pc, support::Cycle cycle) const;
  /// Adds the waits of an agent on which others wait; false if it does not wait.
  bool add_giver(const CoreAgent& giver, std::vector<std::size_t>& givers) const;

 private:
  void locate(CoreAgent& agent) const;

  const std::vector<std::unique_ptr<Chip>>& chips_;
  const std::vector<std::unique_ptr<checks::ChipChecks>>& checks_;
  const SymbolTable& symbols_;
  std::vector<CoreAgent> agents_;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, std::size_t> numbers_;
};

}  // namespace tvp::platform
