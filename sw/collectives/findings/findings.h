#pragma once

#include <string>
#include <vector>

#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

/// FINDINGS.md: each claim with its measurement and verdict. `about` selects the rows whose names
/// contain it. Throws Fault(kDescription) if there are none. Without `run` the last chapters, about
/// modelled machines, are omitted.
std::string findings_page(const std::string& about = "", const RunCommand& run = nullptr);

/// `vp collectives findings [about=TEXT] [out=FILE]`.
std::string findings_command(const std::vector<std::string>& words, const RunCommand& run);

}  // namespace tvp::collectives
