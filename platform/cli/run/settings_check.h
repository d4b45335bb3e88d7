#pragma once

#include <string>

namespace tvp::cli {

/// Throws what the library of the platform says of settings, "key=value" a line, that it refuses:
/// before a run that would end with it, and of a system that only somebody else will run.
void check_settings(const std::string& text);

}  // namespace tvp::cli
