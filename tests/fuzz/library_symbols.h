#pragma once

#include <string>
#include <vector>

namespace tvp::test {

/// Names of the functions of the C ABI that a library exports, read from its file so that a new
/// function is tested. C++ symbols are left out.
std::vector<std::string> exported_functions(const std::string& library);

}  // namespace tvp::test
