#pragma once

#include <string>
#include <vector>

namespace tvp::support {

/// The parts of "a.b.c" without the last one.
std::vector<std::string> scopes_of(const std::string& path);
/// The last part of "a.b.c".
std::string name_of(const std::string& path);
/// Number of equal leading elements.
std::size_t common_prefix(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace tvp::support
