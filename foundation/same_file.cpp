#include "foundation/same_file.h"

#include <sys/stat.h>

#include <filesystem>

namespace tvp::foundation {

namespace fs = std::filesystem;

namespace {

/// The path at which opening `path` would create a file. It follows links whose target does not
/// exist yet.
fs::path place_of(fs::path path) {
  constexpr unsigned kMostLinks = 40;  // the limit of Linux
  std::error_code error;
  path = fs::absolute(path, error);
  for (unsigned i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  const fs::path folder = fs::weakly_canonical(path.parent_path(), error);
  return error ? path.lexically_normal() : folder / path.filename();
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  const bool both = stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0;
  if (both && first.st_dev == second.st_dev && first.st_ino == second.st_ino) {
    return S_ISREG(first.st_mode);
  }
  return !both && place_of(a) == place_of(b);
}

}  // namespace tvp::foundation
