/* A plain C program that uses the library by its ABI only, like tt-umd. It tests if the file can be
 * loaded, unloads it, and loads a sealed copy in memory. It finds the chip, writes and reads L1 of
 * a Tensix tile through a TLB window and directly, and advances time. It prints the results and
 * exits with 0 if all are right. */

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "sw/c_api/tensix_vp/host.h" /* is C, too */

#define RESOLVE(handle, name)               \
  *(void**)&name##_ = dlsym(handle, #name); \
  if (name##_ == NULL) return fprintf(stderr, "no symbol %s\n", #name), 2

/* A copy of the library in memory; null if that fails. */
static void* open_copy(const char* path) {
  static char name[32];
  struct stat status;
  const int from = open(path, O_RDONLY | O_CLOEXEC);
  const int to = memfd_create("simulator", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (from < 0 || to < 0 || fstat(from, &status) != 0) return NULL;
  for (off_t done = 0; done < status.st_size;) {
    if (sendfile(to, from, &done, (size_t)(status.st_size - done)) <= 0) return NULL;
  }
  if (fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return NULL;
  snprintf(name, sizeof name, "/proc/self/fd/%d", to);
  return dlopen(name, RTLD_LAZY);
}

int main(int argc, char** argv) {
  void (*libttsim_init_)(void);
  void (*libttsim_exit_)(void);
  uint32_t (*libttsim_pci_config_rd32_)(uint32_t, uint32_t);
  void (*libttsim_pci_mem_rd_bytes_)(uint64_t, void*, uint32_t);
  void (*libttsim_pci_mem_wr_bytes_)(uint64_t, const void*, uint32_t);
  void (*libttsim_tile_rd_bytes_)(uint32_t, uint32_t, uint64_t, void*, uint32_t);
  void (*libttsim_tile_wr_bytes_)(uint32_t, uint32_t, uint64_t, const void*, uint32_t);
  void (*libttsim_clock_)(uint32_t);
  if (argc != 2) return fprintf(stderr, "usage: %s LIBRARY\n", argv[0]), 2;
  void* probe = dlopen(argv[1], RTLD_LAZY);
  if (probe == NULL) return fprintf(stderr, "%s\n", dlerror()), 2;
  dlclose(probe);
  void* library = open_copy(argv[1]);
  if (library == NULL) return fprintf(stderr, "a copy of %s: %s\n", argv[1], dlerror()), 2;
  /* Renamed functions exist under both names. */
  static const char* const names[] = {"tensix_vp_span", "tensix_vp_stretch", "tensix_vp_pim_route",
                                      "tensix_vp_pim_way"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    if (dlsym(library, names[i]) == NULL) return fprintf(stderr, "no symbol %s\n", names[i]), 2;
  }
  RESOLVE(library, libttsim_init);
  RESOLVE(library, libttsim_exit);
  RESOLVE(library, libttsim_pci_config_rd32);
  RESOLVE(library, libttsim_pci_mem_rd_bytes);
  RESOLVE(library, libttsim_pci_mem_wr_bytes);
  RESOLVE(library, libttsim_tile_rd_bytes);
  RESOLVE(library, libttsim_tile_wr_bytes);
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

  char direct[sizeof text] = {0};
  libttsim_tile_rd_bytes_(1, 1, 0x100040, direct, sizeof direct);
  libttsim_tile_wr_bytes_(1, 1, 0x100040, "D", 1);
  libttsim_pci_mem_rd_bytes_(bar0 + 0x40, back, 1);
  libttsim_exit_();
  printf("read directly: \"%s\", then its first byte by the window: '%c'\n", direct, back[0]);
  return memcmp(text, direct, sizeof text) == 0 && back[0] == 'D' &&
                 memcmp(text + 1, back + 1, sizeof text - 1) == 0
             ? 0
             : 1;
}
