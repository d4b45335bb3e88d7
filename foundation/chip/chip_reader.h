#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// A number that a system or a caller gives instead of the description's: "columns", "rows",
/// "dram_channels", "ethernet_channels" of a pattern, or "l1_kib" of any chip.
struct ChipOverride {
  unsigned value = 0;
  std::string where;  ///< "file:line" or "--set", for error messages
};
using ChipOverrides = std::map<std::string, ChipOverride>;

/// Reads and checks a description. `name_or_file` is a path if it contains a '/' or ends in
/// ".toml", else a description in `folder`. Throws Fault(kDescription) with file, line, key and
/// what was expected.
ChipSpec load_chip(const std::string& name_or_file, const std::string& folder,
                   const ChipOverrides& overrides = {});

/// Parses the text of chip_text().
ChipSpec parse_chip(const std::string& text);

/// A complete description as text, in the format of the files.
std::string chip_text(const ChipSpec& spec);

/// Names of all descriptions in `folder`, sorted.
std::vector<std::string> list_chips(const std::string& folder);

/// The folder platform/chips of the source root.
std::string chip_folder();

}  // namespace tvp::foundation
