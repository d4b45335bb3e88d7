#pragma once

#include <map>
#include <string>

namespace tvp::runtime {

/// Headers that only forward, generated from firmware/api/compat/headers.txt below `root`: text by
/// path below a folder. This folder is searched like `root`, after it. Some forward to the tree in
/// TT_METAL_HOME or state why there is none (firmware/api/compat/README.md). Throws
/// Fault(kDescription) with file and line for errors in the list.
std::map<std::string, std::string> forwarding_headers(const std::string& root);

}  // namespace tvp::runtime
