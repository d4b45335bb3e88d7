#include "tests/fuzz/seed_elf.h"

#include <stdexcept>

#include "foundation/output_file.h"
#include "foundation/process.h"
#include "foundation/read_file.h"
#include "tests/support/test_folder.h"
#include "tests/support/words.h"

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

// The program never ends; several cores of a tile share its memory.
constexpr const char* kEndless = R"(volatile unsigned tohost;
volatile unsigned words[4];
static unsigned step(unsigned a) { return words[a & 3] + a; }
__attribute__((section(".start"))) void _start(void) {
  for (unsigned i = 0; tohost == 0; ++i) words[i & 3] = step(i);
}
)";
constexpr const char* kUnitScript = R"(ENTRY(_start)
PHDRS { code PT_LOAD; data PT_LOAD; }
SECTIONS {
  .text 0xFFC00000 : { *(.start) *(.text*) } :code
  .data 0x10 : { *(.data*) *(.sdata*) *(.bss*) *(.sbss*) *(COMMON) } :data
}
)";

std::string compiled(const char* source, const char* script) {
  const TestFolder folder("seed_elf");
  foundation::write_file(folder.file("p.c"), source);
  foundation::write_file(folder.file("p.ld"), script);
  const auto gcc = foundation::Process::run(
      {.command = words_of("riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -nostdlib "
                           "-nostartfiles -Wl,--no-warn-rwx-segments -T p.ld -o p.elf p.c"),
       .folder = folder.path()});
  if (gcc.exit_code() != 0) throw std::runtime_error(gcc.said());
  return foundation::read_file(folder.file("p.elf"));
}

}  // namespace

const std::string& seed_elf() {
  static const std::string elf = compiled(kSource, kScript);
  return elf;
}

const std::string& endless_elf() {
  static const std::string elf = compiled(kEndless, kScript);
  return elf;
}

const std::string& endless_unit_elf() {
  static const std::string elf = compiled(kEndless, kUnitScript);
  return elf;
}

}  // namespace tvp::test
