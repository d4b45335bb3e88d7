#include "foundation/input_file.h"

#include <cerrno>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"

namespace tvp::foundation {

std::string read_input_file(const std::filesystem::path& path) {
  if (auto text = try_read_file(path)) return *std::move(text);
  const std::string text = "cannot be read: " + why_unreadable(path);
  if (is_of_the_host(errno)) throw HostError(path.string(), text);
  throw Fault(FaultKind::kDescription, path.string(), text);
}

std::string why_unreadable(const std::filesystem::path& path) {
  std::error_code error;
  errno = 0;
  if (std::filesystem::is_directory(path, error)) return "it is a folder";
  const std::ifstream in(path, std::ios::binary);
  return in.is_open() ? "it has no end" : reason_of(errno);
}

}  // namespace tvp::foundation
