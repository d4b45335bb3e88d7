#pragma once

#include <string>

namespace tvp::cli {

/// Writes a message with the program's name to standard error.
void complain(const std::string& text);
/// Writes to standard output.
void print(const std::string& text);

}  // namespace tvp::cli
