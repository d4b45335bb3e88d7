#pragma once

#include <string>
#include <vector>

#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

/// FINDINGS.md: each claim measured and decided. `about`: only the rows whose names have that in
/// them. Throws Fault(kDescription) when there are none. Without `run` the chapters on modelled
/// machines, which are the last ones, are left out.
std::string findings_page(const std::string& about = "", const RunCommand& run = nullptr);

/// `vp collectives findings [about=TEXT] [out=FILE]`.
std::string findings_command(const std::vector<std::string>& words, const RunCommand& run);

}  // namespace tvp::collectives
