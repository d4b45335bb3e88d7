#pragma once

#include <optional>
#include <string>

namespace tvp::cli {

/// The library beside this program, unless `named` names another one.
std::string library_path(const std::optional<std::string>& named);

}  // namespace tvp::cli
