#pragma once
// First instructions of an image, in section .start: copy initialized data from L1 to local memory,
// then clear bss.

#define TVP_SET_GP               \
  "  .option push\n"             \
  "  .option norelax\n"          \
  "  la gp, __global_pointer$\n" \
  "  .option pop\n"

#define TVP_INIT_LOCAL_MEMORY \
  "  la a0, __data_start\n"   \
  "  la a1, __data_end\n"     \
  "  la a2, __data_lma\n"     \
  "  j 2f\n"                  \
  "1: lw a3, 0(a2)\n"         \
  "  sw a3, 0(a0)\n"          \
  "  addi a0, a0, 4\n"        \
  "  addi a2, a2, 4\n"        \
  "2: bltu a0, a1, 1b\n"      \
  "  la a0, __bss_start\n"    \
  "  la a1, __bss_end\n"      \
  "  j 4f\n"                  \
  "3: sw zero, 0(a0)\n"       \
  "  addi a0, a0, 4\n"        \
  "4: bltu a0, a1, 3b\n"

/// A function, so that its cycles have a source line in profiles.
#define TVP_START(instructions)                                                \
  extern "C" [[gnu::naked, gnu::used, gnu::section(".start")]] void _start() { \
    asm volatile(instructions);                                                \
  }
