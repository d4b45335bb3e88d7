#pragma once

#include <filesystem>
#include <string>

namespace tvp::foundation {

/// The content of a file that the user named. Throws Fault(kDescription) with the name and the
/// reason if the file cannot be read, is a folder, or is endless.
std::string read_input_file(const std::filesystem::path& path);

/// The reason why read_input_file would refuse the file.
std::string why_unreadable(const std::filesystem::path& path);

}  // namespace tvp::foundation
