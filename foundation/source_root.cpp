#include "foundation/source_root.h"

#include <dlfcn.h>

#include <filesystem>

namespace tvp::foundation {

namespace {

namespace fs = std::filesystem;

/// The installation prefix, ended by a line feed. cmake --install patches it into the library
/// (cmake/TvpInstallPrefix.cmake), so it is volatile: the compiler must not assume the value it
/// sees.
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

/// Folder of the program or shared library that contains this function. A host may load a copy of
/// the library without a file; then the folder of the host program.
fs::path own_folder() {
  Dl_info info{};
  std::error_code error;
  fs::path file;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) != 0) file = info.dli_fname;
  // For a program the loader reports argv[0], which is a path only if the user called it by path.
  if (!file.has_parent_path() || !fs::exists(file, error)) file = "/proc/self/exe";
  return fs::canonical(file, error).parent_path();
}

}  // namespace

std::string source_root() {
  std::error_code error;
  // bin/, lib/ and Debian's lib/<machine>/ are one or two levels below the prefix.
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
