#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// A key of `vp sweep --vary` and the values that it takes, in the order of the runs.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// Reads `key=a,b,c` (a value that holds a comma is quoted with "), `key=from:to:step` and
/// `key=from:to:*factor`, both with `to` included when a step meets it. Throws
/// foundation::Fault(kDescription) on anything else.
SweepAxis parse_axis(const std::string& argument);

}  // namespace tvp::cli
