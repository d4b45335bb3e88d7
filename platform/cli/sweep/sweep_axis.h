#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// A key of `vp sweep --vary` and its values, in the order of the runs.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// Reads `key=a,b,c` (a value with a comma is quoted with "), `key=from:to:step` and
/// `key=from:to:*factor`. `to` is included if a step reaches it. Throws
/// foundation::Fault(kDescription) for anything else.
SweepAxis parse_axis(const std::string& argument);

}  // namespace tvp::cli
