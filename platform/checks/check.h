#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "models/support/probe.h"
#include "platform/checks/tile_context.h"

namespace tvp::checks {

/// Judges what the firmware of one tile does, by the events of the tile's models alone, and never
/// changes a time. There is one object for each tile.
class Check {
 public:
  /// `tile` outlives it.
  explicit Check(const TileContext& tile) : tile_(tile) {}
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;
  virtual ~Check() = default;

  virtual const char* name() const = 0;
  /// One line: which mistake it finds.
  virtual const char* summary() const = 0;
  /// The events that on() gets.
  virtual Probe::Kinds kinds() const = 0;
  virtual void on(const ProbeEvent& event) = 0;
  /// All words that the kernel which core `number` (tensix_vp_core) starts next is given.
  virtual void given(unsigned /*number*/, std::span<const std::uint32_t> /*words*/) {}
  /// The tile's program is over, as far as the host knows.
  virtual void program_ends() {}

 protected:
  /// For what calls the check from within the record of its tile: as on(), if the check is on.
  void guarded(const std::function<void()>& call);
  /// The finding stops the run, unless `faults=warn`, or is a warning.
  void report(TileContext::Waits reaction, const std::string& where, const std::string& text) const;
  /// At a core of the tile, or at the tile if it has no such core.
  void warn(BusMaster core, const std::string& text) const;
  /// "\n  in kernel_main (reader.cpp:42)", or ", at pc 0x5120" where nothing is known of the code.
  std::string at(BusMaster core, std::uint32_t pc) const;

  const TileContext& tile_;
};

}  // namespace tvp::checks
