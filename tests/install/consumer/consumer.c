/* Uses the installed library: selects a system by name and advances time. */

#include <stdio.h>
#include <tensix_vp/libttsim.h>

int main(void) {
  if (tensix_vp_configure("system=n150") != 0) {
    char reason[256] = "";
    tensix_vp_last_error(NULL, reason, sizeof reason);
    return puts(reason), 1;
  }
  libttsim_init();
  libttsim_clock(1000);
  const uint32_t id = libttsim_pci_config_rd32(0, 0);
  const uint64_t time_ps = tensix_vp_time_ps();
  libttsim_exit();
  printf("vendor and device 0x%08x, %llu ps\n", id, (unsigned long long)time_ps);
  return id == 0x401E1E52u && time_ps == 1000000 ? 0 : 1;
}
