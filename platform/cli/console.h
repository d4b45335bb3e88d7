#pragma once

#include <string>

namespace tvp::cli {

/// Writes a message to standard error, behind the program's name.
void complain(const std::string& text);
/// Writes to standard output.
void print(const std::string& text);

}  // namespace tvp::cli
