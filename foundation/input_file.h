#pragma once

#include <filesystem>
#include <string>

namespace tvp::foundation {

/// The whole content of a file that a user names. Throws Fault(kDescription) with its name and the
/// reason when it cannot be read, is a folder or has no end.
std::string read_input_file(const std::filesystem::path& path);

/// Why read_input_file would refuse it, or a reader of its own that opened it in vain.
std::string why_unreadable(const std::filesystem::path& path);

}  // namespace tvp::foundation
