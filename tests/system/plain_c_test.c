/* A plain C program that opens the library by its ABI only: finds the chip, writes and reads L1 of
 * a Tensix tile through a TLB window, lets time pass. Prints what it saw; exits with 0 if all is
 * right. */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platform/include/tensix_vp/libttsim.h"

#define RESOLVE(handle, name)               \
  *(void**)&name##_ = dlsym(handle, #name); \
  if (name##_ == NULL) return fprintf(stderr, "no symbol %s\n", #name), 2

int main(int argc, char** argv) {
  void (*libttsim_init_)(void);
  void (*libttsim_exit_)(void);
  uint32_t (*libttsim_pci_config_rd32_)(uint32_t, uint32_t);
  void (*libttsim_pci_mem_rd_bytes_)(uint64_t, void*, uint32_t);
  void (*libttsim_pci_mem_wr_bytes_)(uint64_t, const void*, uint32_t);
  void (*libttsim_clock_)(uint32_t);
  if (argc != 2) return fprintf(stderr, "usage: %s LIBRARY\n", argv[0]), 2;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 2;
  RESOLVE(library, libttsim_init);
  RESOLVE(library, libttsim_exit);
  RESOLVE(library, libttsim_pci_config_rd32);
  RESOLVE(library, libttsim_pci_mem_rd_bytes);
  RESOLVE(library, libttsim_pci_mem_wr_bytes);
  RESOLVE(library, libttsim_clock);

  libttsim_init_();
  const uint32_t id = libttsim_pci_config_rd32_(0, 0);
  const uint64_t bar0 = (libttsim_pci_config_rd32_(0, 0x10) & ~0xFu) |
                        (uint64_t)libttsim_pci_config_rd32_(0, 0x14) << 32;
  printf("vendor and device 0x%08" PRIx32 ", BAR 0 at 0x%" PRIx64 "\n", id, bar0);
  if (id != 0x401E1E52u || libttsim_pci_config_rd32_(31 << 3, 0) != 0xFFFFFFFFu) return 1;

  /* Window 0, of 1 MiB, at address 0x100000 of the tile (1, 1) on NoC 0: 16 bits of address, x, y.
   */
  const uint64_t window = 0x1 | (uint64_t)1 << 16 | (uint64_t)1 << 22;
  libttsim_pci_mem_wr_bytes_(bar0 + 0x1FC00000, &window, sizeof window);
  const char text[] = "through BAR 0 into L1";
  char back[sizeof text] = {0};
  libttsim_pci_mem_wr_bytes_(bar0 + 0x40, text, sizeof text);
  libttsim_clock_(1000);
  libttsim_pci_mem_rd_bytes_(bar0 + 0x40, back, sizeof back);
  printf("L1 of tile (1, 1) at 0x100040: \"%s\"\n", back);
  libttsim_exit_();
  return memcmp(text, back, sizeof text) == 0 ? 0 : 1;
}
