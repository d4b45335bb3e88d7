#include "models/rtl/router_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "models/rtl/refuse.h"

namespace tvp::rtl {

using tensix_vp::rtl::MeshRouterModule;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> candidates(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const std::string file = name.ends_with(".so") ? name : "lib" + name + ".so";
  std::vector<fs::path> list{fs::path(".") / file};
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&router_library), &info) != 0)
    list.push_back(fs::path(info.dli_fname).parent_path() / file);
  list.emplace_back(file);  // in the folders of the dynamic linker
  return list;
}

/// Null if there is no such file.
void* open(const fs::path& file) {
  std::error_code error;
  if (file.has_parent_path() && !fs::exists(file, error)) return nullptr;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && file.has_parent_path()) {
    refuse("mesh.router", "'" + file.string() + "' cannot be loaded: " + dlerror());
  }
  return library;
}

}  // namespace

const MeshRouterModule& router_library(const std::string& name) {
  std::string tried;
  for (const fs::path& file : candidates(name)) {
    tried += (tried.empty() ? "" : ", ") + file.string();
    void* const library = open(file);
    if (library == nullptr) continue;
    void* const entry = dlsym(library, MeshRouterModule::kEntry);
    const MeshRouterModule* const module =
        entry != nullptr ? reinterpret_cast<MeshRouterModule::Entry>(entry)() : nullptr;
    if (module != nullptr && module->version == MeshRouterModule::kVersion) return *module;
    refuse("mesh.router", "'" + file.string() + "' " +
                              (module == nullptr ? "holds no mesh router"
                                                 : "was built for another version of the pins") +
                              ": expected a library of tensix_vp_add_rtl(KIND mesh_router)");
  }
  refuse("mesh.router", "no library '" + name + "', tried " + tried +
                            ": expected a library of tensix_vp_add_rtl(KIND mesh_router)");
}

}  // namespace tvp::rtl
