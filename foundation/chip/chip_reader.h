#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// A number of a description that a system or a caller gives instead: "columns", "rows",
/// "dram_channels", "ethernet_channels" of a pattern, "l1_kib" of any chip.
struct ChipOverride {
  unsigned value = 0;
  std::string where;  ///< "file:line" or "--set", for complaints
};
using ChipOverrides = std::map<std::string, ChipOverride>;

/// Reads `name_or_file`: a path when it contains a '/' or ends in ".toml", else a description of
/// `folder`. The chip is possible; throws Fault(kDescription) with file, line, key and what was
/// expected otherwise.
ChipSpec load_chip(const std::string& name_or_file, const std::string& folder,
                   const ChipOverrides& overrides = {});

/// From text that chip_text() wrote.
ChipSpec parse_chip(const std::string& text);

/// A description by tables, complete, in the format of the files.
std::string chip_text(const ChipSpec& spec);

/// Names of all descriptions in `folder`, sorted.
std::vector<std::string> list_chips(const std::string& folder);

/// platform/chips of the source root.
std::string chip_folder();

}  // namespace tvp::foundation
