#pragma once

#include <map>
#include <string>

namespace tvp::runtime {

/// Headers that only forward, made from firmware/api/compat/headers.txt below `root`: text by path
/// below a folder that is searched like `root` itself, after it. Some forward into the tree that
/// TT_METAL_HOME names or say why there is nothing (firmware/api/compat/README.md). Throws
/// Fault(kDescription) naming file and line when the list is wrong.
std::map<std::string, std::string> forwarding_headers(const std::string& root);

}  // namespace tvp::runtime
