#pragma once

#include <optional>
#include <string>

namespace tvp::cli {

/// The platform's library beside this program, unless another one is named.
std::string library_path(const std::optional<std::string>& named);

}  // namespace tvp::cli
