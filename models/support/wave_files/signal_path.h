#pragma once

#include <string>
#include <vector>

namespace tvp::support {

/// "a.b.c" without its last part, as a list.
std::vector<std::string> scopes_of(const std::string& path);
/// The last part of "a.b.c".
std::string name_of(const std::string& path);
/// How many leading elements two lists share.
std::size_t common_prefix(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace tvp::support
