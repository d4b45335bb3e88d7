#pragma once

#include <string>
#include <vector>

#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

/// FINDINGS.md: each claim with its measurement and verdict. `about` selects the rows whose names
/// contain it. Throws Fault(kDescription) if there are none. Without `run` the last chapters, about
/// modelled machines, are omitted.
std::string findings_page(const std::string& about = "", const RunCommand& run = nullptr);

/// The rows of a page that differ from those of an older page: changed decisions first, then rows
/// with other text or figures, and rows that only one page has. Empty if there are none. With
/// `about` only rows whose names contain it count.
std::string stale_rows(const std::string& page, const std::string& older,
                       const std::string& about = "");

/// `vp collectives findings [about=TEXT] [out=FILE | against=FILE]`. With `against` it throws
/// Fault(kDescription) that lists the stale rows of the file.
std::string findings_command(const std::vector<std::string>& words, const RunCommand& run);

}  // namespace tvp::collectives
