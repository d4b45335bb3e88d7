#include "models/rtl/user_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "models/rtl/refuse.h"

namespace tvp::rtl {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> candidates(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const std::string file = name.ends_with(".so") ? name : "lib" + name + ".so";
  std::vector<fs::path> list{fs::path(".") / file};
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&load_user_library), &info) != 0)
    list.push_back(fs::path(info.dli_fname).parent_path() / file);
  list.emplace_back(file);  // in the folders of the dynamic linker
  return list;
}

/// Null if there is no such file.
void* open(const char* key, const fs::path& file) {
  std::error_code error;
  if (file.has_parent_path() && !fs::exists(file, error)) return nullptr;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && file.has_parent_path())
    refuse(key, "'" + file.string() + "' cannot be loaded: " + dlerror());
  return library;
}

/// "mesh router"
std::string in_words(std::string kind) {
  for (char& c : kind) {
    if (c == '_') c = ' ';
  }
  return kind;
}

}  // namespace

const void* load_user_library(const UserLibrary& library, std::uint32_t version) {
  const std::string expected =
      std::string(": expected a library of tensix_vp_add_rtl(KIND ") + library.kind + ")";
  std::string tried;
  for (const fs::path& file : candidates(library.name)) {
    tried += (tried.empty() ? "" : ", ") + file.string();
    void* const opened = open(library.key, file);
    if (opened == nullptr) continue;
    void* const entry = dlsym(opened, library.entry);
    // Each description begins with the version of its header.
    const void* const module =
        entry != nullptr ? reinterpret_cast<const void* (*)()>(entry)() : nullptr;
    if (module == nullptr)
      refuse(library.key, "'" + file.string() + "' holds no " + in_words(library.kind) + expected);
    if (*static_cast<const std::uint32_t*>(module) == version) return module;
    refuse(library.key,
           "'" + file.string() + "' was built for another version of the pins" + expected);
  }
  refuse(library.key, "no library '" + library.name + "', tried " + tried + expected);
}

}  // namespace tvp::rtl
