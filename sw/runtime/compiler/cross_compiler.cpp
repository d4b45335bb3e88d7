#include "sw/runtime/compiler/cross_compiler.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "foundation/host_error.h"
#include "foundation/process.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualDriver = "riscv64-unknown-elf-g++";
constexpr const char* kDriverVariable = "TENSIX_VP_CXX";
constexpr const char* kLibrarySpecs = "picolibc.specs";

const char* variable(const char* name) {
  const char* set = std::getenv(name);
  return set == nullptr ? "" : set;
}

/// Finds a program like the shell does; "" if there is none.
std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (runs(path)) return path;
  }
  return "";
}

/// Identifies the version: a package upgrade changes the time or the size of its files.
std::string identity_of(const std::string& program) {
  std::error_code error;
  const std::string path = fs::canonical(program, error).string();
  struct stat status = {};
  if (error || stat(path.c_str(), &status) != 0) return "";
  return path + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) +
         "." + std::to_string(status.st_mtim.tv_nsec);
}

/// Answer of the compiler to a query option.
foundation::Process ask(std::vector<std::string> command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
  try {
    return foundation::Process::run({.command = command, .environment = {"LC_ALL=C"}});
  } catch (const std::system_error& error) {
    throw foundation::HostError(
        command[0], "cannot be started: " + foundation::reason_of(error.code().value()));
  }
}

/// True if the compiler comes with picolibc, as Debian's does. Others have their own C library.
bool knows_library_specs(const std::string& driver) {
  const foundation::Process asked =
      ask({driver}, {std::string("-print-file-name=") + kLibrarySpecs});
  if (asked.exit_code() != 0)
    bad_use(kDriverVariable, "'" + driver + "' is no g++: " + asked.said());
  return asked.said().find('/') != std::string::npos;
}

bool has_cxx_headers(const std::vector<std::string>& command) {
  return ask(command, {"-x", "c++", "-std=c++20", "-fsyntax-only", "-include", "array", "-include",
                       "type_traits", "/dev/null"})
             .exit_code() == 0;
}

/// Debian stores them with the compiler for another core.
std::vector<std::string> find_cxx_headers() {
  const char* const base = "/usr/include/newlib/c++";
  std::error_code error;
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator(base, error))
    versions.push_back(entry.path().string());
  if (error && error != std::errc::no_such_file_or_directory)
    throw foundation::HostError(base, "cannot be read: " + foundation::reason_of(error.value()));
  if (versions.empty())
    bad_use("cross compiler", "has no C++ headers; install Debian's libstdc++-arm-none-eabi-dev");
  const std::string newest = *std::max_element(versions.begin(), versions.end());
  return {newest, newest + "/arm-none-eabi"};
}

}  // namespace

CrossCompiler CrossCompiler::from_environment() {
  std::vector<std::string> flags;
  std::istringstream words(variable("TENSIX_VP_CXXFLAGS"));
  for (std::string word; words >> word;) flags.push_back(word);

  const std::string driver = variable(kDriverVariable);
  if (driver.empty()) return CrossCompiler(kUsualDriver, true, std::move(flags));
  const std::string expected = "; expected a g++ for RISC-V, such as " + std::string(kUsualDriver);
  if (!driver.ends_with("g++"))
    bad_use(kDriverVariable, "'" + driver + "' is not named as one" + expected);
  if (find_program(driver).empty())
    bad_use(kDriverVariable, "'" + driver + "' is no program here" + expected);
  CrossCompiler cross(driver, false, std::move(flags));
  if (find_program(cross.objcopy()).empty())
    bad_use(kDriverVariable, "'" + driver + "' has no '" + cross.objcopy() + "' beside it");
  return cross;
}

CrossCompiler::CrossCompiler(const std::string& driver, bool usual, std::vector<std::string> flags)
    : command_{driver, "-march=rv32im", "-mabi=ilp32", "-nostartfiles", "-nostdlib"},
      objcopy_(driver.substr(0, driver.size() - 3) + "objcopy"),
      flags_(std::move(flags)),
      identity_(identity_of(find_program(driver))) {
  if (usual || knows_library_specs(driver))
    command_.push_back(std::string("--specs=") + kLibrarySpecs);
  if (usual || !has_cxx_headers(command_)) header_folders_ = find_cxx_headers();
}

}  // namespace tvp::runtime
