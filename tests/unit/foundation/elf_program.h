#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "foundation/process.h"
#include "tests/support/words.h"

namespace tvp {

/// A program of the cross compiler with an inlined function, data that is loaded at another address
/// than it runs, and zeros.
class ElfProgram : public ::testing::Test {
 protected:
  static std::string path(const std::string& name) {
    return ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_suite()->name() +
           "_" + name;
  }
  static void build(const std::string& options, const std::string& output,
                    const std::string& source) {
    std::vector<std::string> command =
        test::words_of("riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 " + options);
    command.insert(command.end(), {"-o", path(output), path(source)});
    const auto gcc = foundation::Process::run({.command = command});
    ASSERT_EQ(gcc.exit_code(), 0) << gcc.said();
  }
  static void compile(const std::string& options, const std::string& output) {
    build("-O1 -g " + options, output, "program.c");
  }
  static void SetUpTestSuite() {
    std::ofstream(path("program.c")) << kSource;
    std::ofstream(path("program.ld")) << kScript;
    compile("-nostdlib -nostartfiles -Wl,--no-warn-rwx-segments -T " + path("program.ld"),
            "program.elf");
  }

  static constexpr const char* kSource = R"(int counter = 0x11223344;
int zeros[16];
__attribute__((noinline)) int twice(int a) {
  return a + a;
}
static inline __attribute__((always_inline)) int add_to(int a) {
  counter += a;  // line 7
  return counter;
}
__asm__(".pushsection .tvp_notes,\"\",@progbits\n.asciz \"one\"\n.asciz \"two\"\n.popsection");
__attribute__((section(".start"))) void _start(void) {
  zeros[1] = twice(counter);
  zeros[2] = add_to(zeros[1]);
  while (1) {
  }
}
)";
  static constexpr const char* kScript = R"(
ENTRY(_start)
PHDRS { code PT_LOAD; data PT_LOAD; }
SECTIONS {
  .text 0x1000 : { *(.start) *(.text*) } :code
  .data 0xFFB00000 : AT(0x8000) { *(.data*) *(.sdata*) } :data
  .bss (NOLOAD) : { *(.bss*) *(.sbss*) *(COMMON) } :data
}
)";
};

}  // namespace tvp
