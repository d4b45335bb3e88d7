// ELF files and source lines, on a program that the cross compiler makes here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "foundation/fault.h"
#include "models/riscv/elf_image.h"
#include "models/riscv/source_lines.h"

namespace tvp::riscv {
namespace {

constexpr const char* kSource = R"(int counter = 0x11223344;
int zeros[16];
__attribute__((noinline)) int twice(int a) {
  return a + a;
}
static inline __attribute__((always_inline)) int add_to(int a) {
  counter += a;  // line 7
  return counter;
}
__attribute__((section(".start"))) void _start(void) {
  zeros[1] = twice(counter);
  zeros[2] = add_to(zeros[1]);
  while (1) {
  }
}
)";
constexpr const char* kScript = R"(
ENTRY(_start)
PHDRS { code PT_LOAD; data PT_LOAD; }
SECTIONS {
  .text 0x1000 : { *(.start) *(.text*) } :code
  .data 0xFFB00000 : AT(0x8000) { *(.data*) *(.sdata*) } :data
  .bss (NOLOAD) : { *(.bss*) *(.sbss*) *(COMMON) } :data
}
)";

class Elf : public ::testing::Test {
 protected:
  static std::string path(const std::string& name) {
    return ::testing::TempDir() + "riscv_elf_test_" + name;
  }
  static void SetUpTestSuite() {
    std::ofstream(path("program.c")) << kSource;
    std::ofstream(path("program.ld")) << kScript;
    const std::string compile =
        "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -nostdlib -nostartfiles -T " +
        path("program.ld") + " -o " + path("program.elf") + " " + path("program.c") +
        " -Wl,--no-warn-rwx-segments";
    ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
  }
  static std::string reason(const std::string& file) {
    try {
      ElfImage::from_file(file);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      return fault.what();
    }
    return "accepted";
  }
};

TEST_F(Elf, SegmentsEntryAndSymbols) {
  const ElfImage image = ElfImage::from_file(path("program.elf"));
  EXPECT_EQ(image.entry(), 0x1000U);
  ASSERT_EQ(image.segments().size(), 2U);
  const ElfImage::Segment& code = image.segments()[0];
  EXPECT_EQ(code.address, 0x1000U);
  EXPECT_TRUE(code.executable);
  EXPECT_EQ(code.data.size(), code.memory_bytes);
  const ElfImage::Segment& data = image.segments()[1];
  EXPECT_EQ(data.address, 0xFFB00000U);
  EXPECT_EQ(data.load_address, 0x8000U);
  const auto counter = image.address_of("counter");
  ASSERT_TRUE(counter.has_value());
  const std::uint8_t* at = data.data.data() + (*counter - data.address);
  EXPECT_EQ(at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24, 0x11223344);
  EXPECT_EQ(data.memory_bytes, data.data.size() + 64);

  EXPECT_EQ(image.address_of("_start"), 0x1000U);
  EXPECT_FALSE(image.address_of("nothing").has_value());
  const auto twice = image.address_of("twice");
  ASSERT_TRUE(twice.has_value());
  ASSERT_NE(image.function_at(*twice + 4), nullptr);
  EXPECT_EQ(image.function_at(*twice + 4)->name, "twice");
  EXPECT_EQ(image.function_at(0x500), nullptr);
  EXPECT_EQ(image.function_at(*counter), nullptr);
}

TEST_F(Elf, FunctionFileAndLine) {
  const ElfImage image = ElfImage::from_file(path("program.elf"));
  SourceLines lines(path("program.elf"));
  const auto twice = lines.lookup(*image.address_of("twice"));
  ASSERT_TRUE(twice.has_value());
  EXPECT_EQ(twice->function, "twice");
  EXPECT_EQ(twice->file, path("program.c"));
  EXPECT_GE(twice->line, 3U);  // to which of its lines is the compiler's choice
  EXPECT_LE(twice->line, 5U);

  // Somewhere in _start lies the inlined function with its own line.
  bool inlined = false;
  for (std::uint32_t pc = 0x1000; pc < *image.address_of("twice"); pc += 4) {
    const auto location = lines.lookup(pc);
    ASSERT_TRUE(location.has_value()) << std::hex << pc;
    if (location->function == "add_to" && location->line == 7) {
      inlined = true;
      EXPECT_EQ(location->text(), "add_to (" + path("program.c") + ":7), inlined into _start (" +
                                      path("program.c") + ":12)");
    } else if (location->function != "add_to") {
      EXPECT_EQ(location->function, "_start");
      EXPECT_TRUE(location->inlined_into.empty());
    }
  }
  EXPECT_TRUE(inlined);
  EXPECT_FALSE(lines.lookup(0x20000).has_value());
}

TEST_F(Elf, RefusesWhatItCannotLoad) {
  EXPECT_EQ(reason(path("absent")), path("absent") + ": No such file or directory");
  EXPECT_EQ(reason(path("program.c")), path("program.c") + ": not an ELF file");
  EXPECT_EQ(reason("/proc/self/exe"), "/proc/self/exe: not a 32-bit little-endian RISC-V file");
  const std::string compile = "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -c -o " +
                              path("object.o") + " " + path("program.c");
  ASSERT_EQ(std::system(compile.c_str()), 0);
  EXPECT_EQ(reason(path("object.o")), path("object.o") + ": not a linked executable");
}

TEST_F(Elf, NoLinesWithoutDebugInformation) {
  SourceLines absent(path("absent"));
  EXPECT_FALSE(absent.lookup(0x1000).has_value());
  SourceLines text(path("program.c"));
  EXPECT_FALSE(text.lookup(0x1000).has_value());
}

}  // namespace
}  // namespace tvp::riscv
