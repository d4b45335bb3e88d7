#include "foundation/source_root.h"

#include <dlfcn.h>

#include <filesystem>

namespace tvp::foundation {

namespace {

namespace fs = std::filesystem;

/// The prefix of the installation, which cmake --install writes into the library
/// (cmake/TvpInstallPrefix.cmake); ends at a line feed. Volatile: it is not what the compiler sees.
constexpr std::size_t kLongestPrefix = 1024;
__attribute__((section(".tvp_prefix"), used))  //
const volatile char kInstalledPrefix[kLongestPrefix] = {'\n'};

std::string installed_prefix() {
  std::string prefix;
  for (const volatile char& c : kInstalledPrefix) {
    if (c == '\n') break;
    prefix += c;
  }
  return prefix;
}

/// Folder of the program, or of the shared library, that this function is linked into. Some hosts
/// load a copy of the library that has no folder: then that of the host program.
fs::path own_folder() {
  Dl_info info{};
  std::error_code error;
  fs::path file;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) != 0) file = info.dli_fname;
  // For a program this is its argv[0], which names a file only if it was called by path.
  if (!file.has_parent_path() || !fs::exists(file, error)) file = "/proc/self/exe";
  return fs::canonical(file, error).parent_path();
}

}  // namespace

std::string source_root() {
  std::error_code error;
  // bin/, lib/ and Debian's lib/<machine>/ lie one or two levels under the prefix.
  const fs::path folder = own_folder();
  for (const fs::path& prefix : {folder.parent_path(), folder.parent_path().parent_path()}) {
    const fs::path installed = prefix / TVP_INSTALLED_ROOT;
    if (fs::is_directory(installed / "firmware", error)) return installed.string();
  }
  if (const std::string prefix = installed_prefix(); !prefix.empty()) {
    return (fs::path(prefix) / TVP_INSTALLED_ROOT).string();
  }
  return TVP_SOURCE_ROOT;
}

bool is_installed() { return source_root() != TVP_SOURCE_ROOT; }

std::string program_name() { return is_installed() ? "tensix-vp" : "./vp"; }

}  // namespace tvp::foundation
