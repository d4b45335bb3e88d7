#include "models/rtl/rtl_module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <utility>
#include <vector>

#include "foundation/fault.h"
#include "foundation/source_root.h"

namespace tvp::rtl {

using foundation::Fault;
using foundation::FaultKind;

namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libtensix_vp_rtl.so";
constexpr const char* kVariable = "TENSIX_VP_RTL";  // names the file, wherever it is
constexpr const char* kEntry = "tensix_vp_rtl_module";

/// Possible places: beside the library (or program) with this code, in the library folder of an
/// installation, or in the build folder.
std::vector<fs::path> candidates() {
  if (const char* const file = std::getenv(kVariable)) return {file};
  std::vector<fs::path> list;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&rtl_layout), &info) != 0) {
    list.push_back(fs::path(info.dli_fname).parent_path() / kFile);
  }
  const fs::path prefix = fs::path(foundation::source_root()).parent_path().parent_path();
  list.push_back(prefix / TVP_INSTALLED_LIBRARIES / kFile);
  list.push_back(fs::path(TVP_BUILD_FOLDER) / "platform" / kFile);
  return list;
}

const RtlModule& load(const std::string& key) {
  std::error_code error;
  const std::vector<fs::path> list = candidates();
  for (const fs::path& file : list) {
    if (!fs::exists(file, error)) continue;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const entry = library != nullptr ? dlsym(library, kEntry) : nullptr;
    if (entry == nullptr) {
      throw Fault(FaultKind::kDescription, key,
                  std::string("rtl: ") + dlerror() + ": expected the RTL as a library");
    }
    const RtlModule& module = *reinterpret_cast<const RtlModule* (*)()>(entry)();
    if (module.layout == rtl_layout()) return module;
    throw Fault(FaultKind::kDescription, key,
                "rtl: " + file.string() + " was built from other sources than this program: " +
                    "build the target tvp_rtl_module again");
  }
  throw Fault(FaultKind::kDescription, key,
              "rtl needs " + (list.size() == 1 ? list.front().string() : std::string(kFile)) +
                  ", which is not there: cmake --build " + TVP_BUILD_FOLDER +
                  " --target tvp_rtl_module builds it");
}

}  // namespace

std::uint64_t rtl_layout() {
  std::uint64_t layout = 0;
  for (const std::size_t size :
       {sizeof(RtlModule), sizeof(RouterSelection), sizeof(mesh::MeshConfig),
        sizeof(mesh::MeshTopology), sizeof(mesh::RoutingTable), sizeof(mesh::VcRouter::Outputs),
        sizeof(mesh::Flit), sizeof(ddr::CaBus), sizeof(support::Calendar),
        sizeof(support::WaveRecorder), sizeof(support::Signal)}) {
    layout = layout * 1'000'003 + size;
  }
  return layout;
}

const RtlModule& rtl_module(const std::string& key) {
  static const RtlModule& module = load(key);
  return module;
}

std::unique_ptr<RouterArray> make_rtl_routers(const char* name, const mesh::MeshConfig& config,
                                              const mesh::MeshTopology& topology,
                                              const mesh::MeshPlace& place) {
  auto selection = select_routers(config, topology, place);
  if (!selection) return nullptr;
  return rtl_module("mesh.router")
      .make_routers(name, config, topology, std::move(*selection), place.meshes);
}

}  // namespace tvp::rtl
