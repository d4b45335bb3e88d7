#include "platform/cli/run/library_path.h"

#include <filesystem>

namespace tvp::cli {

std::string library_path(const std::optional<std::string>& named) {
  if (named) return *named;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto installed = folder.parent_path() / TVP_LIBRARY_FOLDER / "libtensix_vp.so";
  if (std::error_code error; std::filesystem::exists(installed, error)) return installed.string();
  return (folder / "libtensix_vp.so").string();
}

}  // namespace tvp::cli
