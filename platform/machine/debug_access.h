#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/riscv/debug/source_lines.h"
#include "platform/machine/core_site.h"

namespace tvp::platform {

/// Cores that a debugger can hold.
class DebugAccess {
 public:
  virtual ~DebugAccess() = default;
  /// All cores, in an order that never changes.
  virtual std::vector<CoreSite> core_sites() = 0;
  /// Function and source line of an address in a core's code, as it is now.
  virtual std::optional<riscv::SourceLocation> place_of(const CoreSite& site,
                                                        std::uint32_t address) const = 0;
  /// The same as a text; "" if unknown.
  std::string source_of(const CoreSite& site, std::uint32_t address) const {
    const auto place = place_of(site, address);
    return place ? place->text() : "";
  }
  /// True if the address is in the firmware of the core, which starts programs.
  virtual bool is_firmware(const CoreSite& site, std::uint32_t address) const = 0;
  /// The answer to a `monitor` command about the tile of a core, and a line for each such command;
  /// empty if there is no such command.
  virtual std::string monitor(const CoreSite& /*site*/, const std::string& /*command*/) {
    return {};
  }
  virtual std::string monitor_help() const { return {}; }
  /// True if a bare program has not ended: an idle machine then hangs.
  virtual bool has_unfinished_programs() const = 0;
};

}  // namespace tvp::platform
