// Calls kernel_main with a kernel's environment, but without mailboxes.

#include "firmware/boot/data_movement_globals.h"
#include "tests/unit/ethernet/firmware/bare_map.h"

void kernel_main();

asm(".section .reset, \"ax\"\n j _start\n"
    ".section .start, \"ax\"\n .globl _start\n"
    "_start:\n"
    ".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
    " la sp, __stack_top\n tail bare_main\n"
    ".text\n");

extern "C" [[noreturn]] void bare_main() {
  noc_init_coordinates();
  noc_init(tvp::contract::kNocAtomicReturn);
  ncrisc_noc_counters_init();
  rta_l1_base = reinterpret_cast<uint32_t*>(tvp::bare::kArguments);
  for (uint32_t*& base : sem_l1_base) base = reinterpret_cast<uint32_t*>(tvp::bare::kSemaphores);
  kernel_main();
  auto* done = reinterpret_cast<volatile uint32_t*>(tvp::bare::kDone);
  *done = 1;
  while (*done == 1) {
  }
  for (;;) asm volatile("ebreak");
}
