#include "sw/runtime/open_library.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sw/runtime/compiler/kernel_compiler.h"

namespace tvp::runtime {
namespace {

/// "" when the variable is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::unique_ptr<DeviceLibrary> open_library() {
  const std::string named = variable("TENSIX_VP_LIBRARY");
  return DeviceLibrary::open(named.empty() ? "libtensix_vp.so" : named);
}

std::string firmware_root(DeviceLibrary& library) {
  if (!variable("TENSIX_VP_ROOT").empty() || !library.has_system()) {
    return KernelCompiler::default_root();
  }
  library.init();
  const auto system = nlohmann::json::parse(library.system());
  return system.value("root", KernelCompiler::default_root());
}

}  // namespace tvp::runtime
