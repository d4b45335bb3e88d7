#include "tests/fuzz/seed_elf.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "tests/support/scratch_folder.h"

namespace tvp::test {

namespace {

constexpr const char* kSource = R"(volatile unsigned tohost;
unsigned counter = 0x11223344;
unsigned zeros[16];
static inline __attribute__((always_inline)) unsigned add_to(unsigned a) {
  counter += a;
  return counter;
}
__asm__(".pushsection .tvp_notes,\"\",@progbits\n.asciz \"one\"\n.asciz \"two\"\n.popsection");
__attribute__((section(".start"))) void _start(void) {
  for (unsigned i = 0; i < 16; ++i) zeros[i] = add_to(i);
  tohost = 1;
  while (1) {
  }
}
)";
constexpr const char* kScript = R"(ENTRY(_start)
PHDRS { code PT_LOAD; data PT_LOAD; }
SECTIONS {
  .text 0x4000 : { *(.start) *(.text*) } :code
  .data 0x8000 : { *(.data*) *(.sdata*) } :data
  .bss (NOLOAD) : { *(.bss*) *(.sbss*) *(COMMON) } :data
}
)";

std::string compiled() {
  const ScratchFolder folder("seed_elf");
  foundation::write_file(folder.file("p.c"), kSource);
  foundation::write_file(folder.file("p.ld"), kScript);
  const std::string command =
      "cd " + folder.path() +
      " && riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -nostdlib -nostartfiles "
      "-Wl,--no-warn-rwx-segments -T p.ld -o p.elf p.c";
  if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
  return foundation::read_file(folder.file("p.elf"));
}

}  // namespace

const std::string& seed_elf() {
  static const std::string elf = compiled();
  return elf;
}

}  // namespace tvp::test
