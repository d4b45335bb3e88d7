// First instructions of a program of a PIM unit: stack, constructors, main(), and its result to the
// host. The host has put initialized data and zeroes into WRAM.

#include "firmware/api/pim.h"

extern "C" {
int main();
using Constructor = void (*)();
extern Constructor __init_array_start[];
extern Constructor __init_array_end[];

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
}

asm(".pushsection .start, \"ax\"\n"
    "  .globl _start\n"
    "  .type _start, @function\n"
    "_start:\n"
    "  .option push\n"
    "  .option norelax\n"
    "  la gp, __global_pointer$\n"
    "  .option pop\n"
    "  la sp, __stack_top\n"
    "  tail unit_main\n"
    ".popsection\n");
