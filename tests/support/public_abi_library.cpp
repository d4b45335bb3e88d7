// A library that exports the public C ABI only, as another simulator does. Our library implements
// it.

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

#include "foundation/abi/tensix_vp/libttsim.h"

namespace {

template <typename Function>
Function ours(const char* symbol) {
  static void* const library = dlopen(TVP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, symbol) : nullptr;
  if (function == nullptr) std::abort();
  return reinterpret_cast<Function>(function);
}

}  // namespace

#define PUBLIC extern "C" __attribute__((visibility("default")))

PUBLIC void libttsim_init() { ours<void (*)()>("libttsim_init")(); }
PUBLIC void libttsim_exit() { ours<void (*)()>("libttsim_exit")(); }
PUBLIC std::uint32_t libttsim_pci_config_rd32(std::uint32_t device, std::uint32_t offset) {
  return ours<std::uint32_t (*)(std::uint32_t, std::uint32_t)>("libttsim_pci_config_rd32")(device,
                                                                                           offset);
}
PUBLIC void libttsim_pci_mem_rd_bytes(std::uint64_t paddr, void* to, std::uint32_t size) {
  ours<void (*)(std::uint64_t, void*, std::uint32_t)>("libttsim_pci_mem_rd_bytes")(paddr, to, size);
}
PUBLIC void libttsim_pci_mem_wr_bytes(std::uint64_t paddr, const void* from, std::uint32_t size) {
  ours<void (*)(std::uint64_t, const void*, std::uint32_t)>("libttsim_pci_mem_wr_bytes")(
      paddr, from, size);
}
PUBLIC void libttsim_clock(std::uint32_t clocks) {
  ours<void (*)(std::uint32_t)>("libttsim_clock")(clocks);
}
