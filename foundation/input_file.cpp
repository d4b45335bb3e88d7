#include "foundation/input_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/read_file.h"

namespace tvp::foundation {

std::string read_input_file(const std::filesystem::path& path) {
  auto text = try_read_file(path);
  if (!text) {
    throw Fault(FaultKind::kDescription, path.string(), "cannot be read: " + why_unreadable(path));
  }
  return *std::move(text);
}

std::string why_unreadable(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return "it is a folder";
  errno = 0;
  const std::ifstream in(path, std::ios::binary);
  return in.is_open() ? "it has no end" : std::strerror(errno);
}

}  // namespace tvp::foundation
