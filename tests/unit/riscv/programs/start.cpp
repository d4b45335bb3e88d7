// One of the programs in this folder, linked into L1 with its stack in local data RAM. places.h has
// the addresses of rounds and result.
#include TVP_PROGRAM_HEADER

#include <cstddef>

#include "tests/unit/riscv/programs/places.h"

asm(".section .start, \"ax\"\n .globl _start\n"
    "_start:\n li sp, 0xFFB01000\n tail bare_main\n .text\n");

extern "C" [[noreturn]] void bare_main() {
  namespace programs = tvp::programs;
  auto* const rounds = reinterpret_cast<volatile std::uint32_t*>(programs::kRounds);
  auto* const result = reinterpret_cast<volatile std::uint32_t*>(programs::kResult);
  auto* const done = reinterpret_cast<volatile std::uint32_t*>(programs::kDone);
  *result = programs::TVP_PROGRAM(*rounds);
  *done = 1;
  for (;;) {
  }
}

// The compiler replaces loops that copy or clear with calls of these.
extern "C" void* memset(void* to, int value, std::size_t bytes) {
  auto* at = static_cast<volatile unsigned char*>(to);
  for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<unsigned char>(value);
  return to;
}
