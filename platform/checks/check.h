#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/support/huge_pages.h"
#include "models/support/probe.h"
#include "platform/checks/tile_context.h"

namespace tvp::checks {

/// Judges the firmware of one tile by the events of the tile's models, and never changes a
/// simulated time. There is one object for each tile.
class Check : public support::OnHugePages {
 public:
  /// `tile` outlives the check.
  explicit Check(const TileContext& tile) : tile_(tile) {}
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;
  virtual ~Check() = default;

  virtual const char* name() const = 0;
  /// The mistake that the check finds, in one line.
  virtual const char* summary() const = 0;
  /// The events that on() gets.
  virtual Probe::Kinds kinds() const = 0;
  virtual void on(const ProbeEvent& event) = 0;
  /// The kinds at which on() only reports what the record has found at the event. It gets no events
  /// of them at which the record has found nothing.
  virtual Probe::Kinds kinds_of_findings() const { return 0; }
  /// Mistakes of a program that still runs, for the report of a fault or of a run that hangs.
  /// `is_idle`: the system is idle, so no answer can still arrive.
  virtual std::vector<foundation::Fault> found_so_far(bool /*is_idle*/) const { return {}; }

 protected:
  /// The finding stops the run, unless `faults=warn`, or is a warning.
  void report(TileContext::Waits reaction, const std::string& where, const std::string& text) const;
  /// At a core of the tile, or at the tile if it has no such core.
  void warn(BusMaster core, const std::string& text) const;
  /// "\n  in kernel_main (reader.cpp:42)", or "\n  at pc 0x5120" if the code has no debug
  /// information.
  std::string at(BusMaster core, std::uint32_t pc) const;

  const TileContext& tile_;
};

}  // namespace tvp::checks
