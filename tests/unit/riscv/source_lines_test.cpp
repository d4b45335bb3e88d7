#include "models/riscv/debug/source_lines.h"

#include "foundation/elf_image.h"
#include "tests/unit/foundation/elf_program.h"

namespace tvp::riscv::source_lines_test {
namespace {

class Lines : public ElfProgram {};

TEST_F(Lines, FunctionFileAndLine) {
  const auto image = foundation::ElfImage::from_file(path("program.elf"));
  SourceLines lines(path("program.elf"));
  const auto twice = lines.lookup(*image.address_of("twice"));
  ASSERT_TRUE(twice.has_value());
  EXPECT_EQ(twice->function, "twice");
  EXPECT_EQ(twice->file, path("program.c"));
  EXPECT_GE(twice->line, 3U);  // the compiler chooses one of its lines
  EXPECT_LE(twice->line, 5U);

  // Somewhere in _start lies the inlined function with its own line.
  bool inlined = false;
  for (std::uint32_t pc = 0x1000; pc < *image.address_of("twice"); pc += 4) {
    const auto location = lines.lookup(pc);
    ASSERT_TRUE(location.has_value()) << std::hex << pc;
    if (location->function == "add_to" && location->line == 7) {
      inlined = true;
      EXPECT_EQ(location->text(), "add_to (" + path("program.c") + ":7), inlined into _start (" +
                                      path("program.c") + ":13)");
    } else if (location->function != "add_to") {
      EXPECT_EQ(location->function, "_start");
      EXPECT_TRUE(location->inlined_into.empty());
    }
  }
  EXPECT_TRUE(inlined);
  EXPECT_FALSE(lines.lookup(0x20000).has_value());
}

TEST(SourceLocation, TheKernelsOwnLineComesBeforeThoseOfTheLibrary) {
  SourceLocation at{"wait", "/tree/firmware/api/cb.h", 7, {}};
  EXPECT_EQ(at.text(), "wait (/tree/firmware/api/cb.h:7)");  // in no kernel
  at.inlined_into = {{"cb_wait_front", "/tree/firmware/api/dataflow/cb_api.h", 9, {}},
                     {"take", "/user/share.h", 3, {}},
                     {"kernel_main", "/user/reader.cpp", 12, {}},
                     {"main", "/tree/firmware/boot/kernel.cpp", 5, {}}};
  EXPECT_EQ(at.text(),
            "take (/user/share.h:3): wait (/tree/firmware/api/cb.h:7), inlined into "
            "cb_wait_front (/tree/firmware/api/dataflow/cb_api.h:9), inlined into kernel_main "
            "(/user/reader.cpp:12), inlined into main (/tree/firmware/boot/kernel.cpp:5)");
  at.file = "/tree/firmware/kernels/sdpa/writer.cpp";
  EXPECT_EQ(at.text().find("wait (/tree/firmware/kernels/sdpa/writer.cpp:7), inlined into"), 0U);
}

TEST(SourceLocation, OwnTextHasTheHelpersAndTheirCallers) {
  SourceLocation at{"wait", "/tree/firmware/api/cb.h", 7, {}};
  EXPECT_EQ(at.own_text(), "wait (/tree/firmware/api/cb.h:7)");
  at.inlined_into = {{"take<true, 3>", "/user/share.h", 3, {}},
                     {"array", "/usr/lib/gcc/riscv64-unknown-elf/12.2.0/include/array", 5, {}},
                     {"step", "/user/share.h", 9, {}},
                     {"kernel_main", "/user/reader.cpp", 12, {}},
                     {"main", "/tree/firmware/boot/kernel.cpp", 5, {}}};
  EXPECT_EQ(at.own_text(),
            "take (/user/share.h:3), called in step (/user/share.h:9) in kernel_main "
            "(/user/reader.cpp:12)");
  at.file = "/user/deep.h";
  EXPECT_EQ(at.own_text(),
            "wait (/user/deep.h:7), called in take (/user/share.h:3) in step (/user/share.h:9) in "
            "kernel_main (/user/reader.cpp:12)");
}

TEST(SourceLocation, KernelsOfAnInstalledPackageAreNoLibrary) {
  EXPECT_TRUE(is_of_library("/usr/share/tensix_vp/firmware/api/dataflow/circular_buffers.h"));
  EXPECT_TRUE(is_of_library("/usr/lib/gcc/riscv64-unknown-elf/12.2.0/include/stdint.h"));
  EXPECT_FALSE(is_of_library("/usr/share/tensix_vp/sw/examples/eltwise/kernels/add.cpp"));
  EXPECT_FALSE(is_of_library("/user/include/kernels.h"));
}

TEST_F(Lines, CallsOfAFunctionHaveTheirLines) {
  SourceLines lines(path("program.elf"));
  const auto calls = lines.calls_of("add_to");
  ASSERT_FALSE(calls.empty());
  EXPECT_EQ(calls[0].file, path("program.c"));
  EXPECT_EQ(calls[0].line, 13U);
  EXPECT_TRUE(lines.calls_of("nothing").empty());
}

TEST_F(Lines, DebugInformationInAFileBesideIt) {
  const auto objcopy = [](std::vector<std::string> words) {
    words.insert(words.begin(), "riscv64-unknown-elf-objcopy");
    const auto ran = foundation::Process::run({.command = words});
    ASSERT_EQ(ran.exit_code(), 0) << ran.said();
  };
  objcopy({"--only-keep-debug", path("program.elf"), path("program.debug")});
  objcopy({"--strip-debug", path("program.elf"), path("linked.elf")});
  const auto image = foundation::ElfImage::from_file(path("program.elf"));
  const std::uint32_t twice = *image.address_of("twice");
  EXPECT_FALSE(SourceLines(path("linked.elf")).lookup(twice).has_value());
  objcopy({"--add-gnu-debuglink=" + path("program.debug"), path("linked.elf")});
  SourceLines lines(path("linked.elf"));
  ASSERT_TRUE(lines.lookup(twice).has_value());
  EXPECT_EQ(lines.lookup(twice)->function, "twice");
  EXPECT_EQ(lines.lookup(twice)->file, path("program.c"));
  EXPECT_TRUE(lines.calls("twice"));
}

TEST_F(Lines, DebugInformationOfASplitObject) {
  build("-O1 -g -gsplit-dwarf -c", "split.o", "program.c");
  build("-nostdlib -nostartfiles -Wl,--no-warn-rwx-segments -T " + path("program.ld"), "split.elf",
        "split.o");
  const auto image = foundation::ElfImage::from_file(path("split.elf"));
  SourceLines lines(path("split.elf"));
  for (const char* function : {"twice", "_start"}) {
    const auto found = lines.lookup(*image.address_of(function));
    ASSERT_TRUE(found.has_value()) << function;
    EXPECT_EQ(found->function, function);
    EXPECT_EQ(found->file, path("program.c"));
    EXPECT_NE(found->line, 0U);
  }
}

TEST_F(Lines, NoLinesWithoutDebugInformation) {
  SourceLines absent(path("absent"));
  EXPECT_FALSE(absent.lookup(0x1000).has_value());
  SourceLines text(path("program.c"));
  EXPECT_FALSE(text.lookup(0x1000).has_value());
}

}  // namespace
}  // namespace tvp::riscv::source_lines_test
