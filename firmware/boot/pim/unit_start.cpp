// First instructions of a program of a PIM unit: stack, constructors, main(), and its result to the
// host. The host has put initialized data and zeroes into WRAM.

#include "firmware/api/pim.h"

extern "C" {
int main();
using Constructor = void (*)();
extern Constructor __init_array_start[];
extern Constructor __init_array_end[];

#ifdef PIM_TASKLETS
std::uint32_t failed_status;

/// Tasklet 0 constructs and starts the others. The program ends when all have returned.
[[noreturn, gnu::used]] void unit_main() {
  namespace tasklet = pim::regs::tasklet;
  const std::uint32_t id = pim::tasklet_id();
  if (id == 0) {
    for (Constructor* c = __init_array_start; c != __init_array_end; ++c) (*c)();
    for (std::uint32_t n = 1; n < pim::kTasklets; ++n)
      pim::device_register(pim::regs::kTasklets + tasklet::kStart) = n;
  }
  const int status = main();
  if (status != 0) failed_status = static_cast<std::uint32_t>(status);
  pim::tasklet_barrier();
  if (id != 0) pim::device_register(pim::regs::kTasklets + tasklet::kStop) = 1;
  pim::device_register(pim::regs::kControl + pim::regs::control::kExit) = failed_status;
  __builtin_unreachable();
}
#else
[[noreturn, gnu::used]] void unit_main() {
  for (Constructor* c = __init_array_start; c != __init_array_end; ++c) (*c)();
  const int status = main();
  // The program ends only after its writes to the bank have completed.
  pim::dma_wait(pim::device_register(pim::regs::kDma + pim::regs::dma::kIssued));
  // The store stops the core.
  pim::device_register(pim::regs::kControl + pim::regs::control::kExit) =
      static_cast<std::uint32_t>(status);
  __builtin_unreachable();
}
#endif
}

#ifdef PIM_TASKLETS
// The stacks of the tasklets lie below each other, 512 bytes each.
#define PIM_TEXT_OF(number) #number
#define PIM_TEXT(number) PIM_TEXT_OF(number)
#define PIM_STACKS           \
  "  .globl __stack_bytes\n" \
  "  .set __stack_bytes, 512 * " PIM_TEXT(PIM_TASKLETS) "\n"
#define PIM_OWN_STACK     \
  "  li t0, 0xFFB14000\n" \
  "  lw t0, 0(t0)\n"      \
  "  slli t0, t0, 9\n"    \
  "  sub sp, sp, t0\n"
static_assert(pim::regs::kTasklets + pim::regs::tasklet::kId == 0xFFB14000);
#else
#define PIM_STACKS ""
#define PIM_OWN_STACK ""
#endif

asm(PIM_STACKS
    ".pushsection .start, \"ax\"\n"
    "  .globl _start\n"
    "  .type _start, @function\n"
    "_start:\n"
    "  .option push\n"
    "  .option norelax\n"
    "  la gp, __global_pointer$\n"
    "  .option pop\n"
    "  la sp, __stack_top\n" PIM_OWN_STACK
    "  tail unit_main\n"
    ".popsection\n");
