#pragma once

#include <string>

namespace tvp::cli {

/// Checks settings, one "key=value" per line, with the library of the platform, and throws its
/// error. So an error is reported before the run starts.
void check_settings(const std::string& text);

}  // namespace tvp::cli
