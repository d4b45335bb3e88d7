#pragma once

#include <string>
#include <vector>

namespace tvp::collectives {

/// FINDINGS.md: each claim measured and decided. `about`: only the rows whose names have that in
/// them. Throws Fault(kDescription) when there are none.
std::string findings_page(const std::string& about = "");

/// `vp collectives findings [about=TEXT] [out=FILE]`.
std::string findings_command(const std::vector<std::string>& words);

}  // namespace tvp::collectives
