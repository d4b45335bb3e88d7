#pragma once

#include <string>
#include <vector>

namespace tvp::test {

/// Names of the functions of the C ABI that a library exports, from the file itself, so that a new
/// one is not forgotten. C++ symbols are left out.
std::vector<std::string> exported_functions(const std::string& library);

}  // namespace tvp::test
