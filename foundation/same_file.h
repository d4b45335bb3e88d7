#pragma once

#include <string>

namespace tvp::foundation {

/// True if both names lead to one file: by another path, a hard link or a symbolic link, even if
/// the file does not exist yet. Devices, pipes and terminals never count, since two writers can
/// share them.
bool same_file(const std::string& a, const std::string& b);

}  // namespace tvp::foundation
