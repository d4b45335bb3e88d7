#include "platform/ranks/ranks.h"

#include <dlfcn.h>

#include <filesystem>

#include "foundation/fault.h"

namespace tvp::platform {

std::unique_ptr<Ranks> Ranks::open() {
  using foundation::Fault, foundation::FaultKind;
  Dl_info self{};
  static const char place = 0;
  dladdr(&place, &self);
  const std::filesystem::path file = std::filesystem::path(self.dli_fname).parent_path() / kLibrary;
  if (!std::filesystem::exists(file))
    throw Fault(FaultKind::kDescription, file.string(),
                "is missing, so mpirun cannot share a simulation: expected a build with MPI. "
                "Install libopenmpi-dev and openmpi-bin, and build again");
  // Plugins of OpenMPI look for its symbols among the global ones.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (library == nullptr) throw Fault(FaultKind::kDescription, file.string(), dlerror());
  auto* const make = reinterpret_cast<Ranks* (*)()>(dlsym(library, "tensix_vp_make_ranks"));
  if (make == nullptr)
    throw Fault(FaultKind::kDescription, file.string(), "is of another version: build again");
  return std::unique_ptr<Ranks>(make());
}

}  // namespace tvp::platform
