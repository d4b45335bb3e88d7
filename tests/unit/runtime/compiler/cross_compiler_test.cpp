// Selection of the kernel compiler; another compiler compiles images again.

#include "sw/runtime/compiler/cross_compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "foundation/contract/mailboxes.h"
#include "foundation/fault.h"
#include "foundation/read_file.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "tests/support/fault_of.h"
#include "tests/support/test_folder.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

/// The usual compiler with the given options.
constexpr const char* kPassOn = "exec riscv64-unknown-elf-g++ \"$@\"";

class CrossCompilerTest : public testing::Test {
 protected:
  CrossCompilerTest() {
    std::ofstream(folder_ / "k.cpp")
        << "#include <array>\n#ifndef SEVEN\n#define SEVEN 1\n#endif\n"
           "volatile uint32_t v = std::array<uint32_t, 2>{SEVEN, 2}[0];\n"
           "void kernel_main() { v = v; }\n";
  }
  ~CrossCompilerTest() override {
    for (const char* name : {"TENSIX_VP_CXX", "TENSIX_VP_CXXFLAGS"}) unsetenv(name);
    setenv("PATH", path_.c_str(), 1);
  }
  /// A shell script in the folder.
  std::string program(const std::string& name, const std::string& script) const {
    std::string path = (folder_ / name).string();
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::all);
    return path;
  }
  std::shared_ptr<const ElfImage> compile() {
    KernelCompiler compiler(KernelCompiler::default_root(), (folder_ / "cache").string());
    KernelRequest request;
    request.processor = contract::kBrisc;
    request.source = (folder_ / "k.cpp").string();
    auto image = compiler.kernels({request}, {})[0];
    compiled_ = compiler.cache().compiled();
    return image;
  }
  static int value_of(const ElfImage& image) { return image.segments().at(1).data.at(0); }
  static std::string refusal() {
    return tvp::test::fault_of([&] { CrossCompiler::from_environment(); }, {}, "");
  }

  tvp::test::TestFolder scratch_{"cross"};
  fs::path folder_ = scratch_.path();
  std::string path_ = std::getenv("PATH");
  unsigned compiled_ = 0;
};

TEST_F(CrossCompilerTest, AnotherCompilerOfTheNameMakesImagesAnew) {
  setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  // The shell finds this compiler by its name, too.
  const std::string pass_on = "PATH='" + path_ + "'\nexec riscv64-unknown-elf-g++ \"$@\"";
  program("riscv64-unknown-elf-g++", pass_on);
  compile();
  EXPECT_GT(compiled_, 0U);
  compile();
  EXPECT_EQ(compiled_, 0U);
  program("riscv64-unknown-elf-g++", pass_on + " # upgraded");
  compile();
  EXPECT_GT(compiled_, 0U);
  EXPECT_EQ(value_of(*compile()), 1);
}

// Like the vendor's compiler: another name, its own C library and C++ headers.
TEST_F(CrossCompilerTest, UsersMayNameTheirs) {
  const std::string seen = (folder_ / "seen").string();
  std::string includes;
  const CrossCompiler usual = CrossCompiler::from_environment();
  for (const std::string& folder : usual.header_folders()) includes += " -isystem '" + folder + "'";
  const std::string driver =
      program("riscv-tt-elf-g++",
              "printf '%s\\n' \"$*\" >> '" + seen +
                  "'\ncase \"$*\" in\n-print-file-name=*) echo picolibc.specs; exit;;\n"
                  "*--specs*|*-isystem*) echo 'not of this compiler' >&2; exit 1;;\nesac\n"
                  "exec riscv64-unknown-elf-g++ --specs=picolibc.specs" +
                  includes + " \"$@\"");
  const std::string copied = (folder_ / "copied").string();
  program("riscv-tt-elf-objcopy",
          "touch '" + copied + "'\nexec riscv64-unknown-elf-objcopy \"$@\"");
  setenv("TENSIX_VP_CXX", driver.c_str(), 1);
  EXPECT_EQ(value_of(*compile()), 1);
  EXPECT_TRUE(fs::exists(copied));
  EXPECT_NE(foundation::read_file(seen).find("-march=rv32im"), std::string::npos);

  setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  setenv("TENSIX_VP_CXX", "riscv-tt-elf-g++", 1);
  EXPECT_EQ(value_of(*compile()), 1);
}

TEST_F(CrossCompilerTest, OneWithoutHeadersTakesDebians) {
  const std::string driver = program("my-g++", kPassOn);
  program("my-objcopy", "exec riscv64-unknown-elf-objcopy \"$@\"");
  setenv("TENSIX_VP_CXX", driver.c_str(), 1);
  const CrossCompiler cross = CrossCompiler::from_environment();
  EXPECT_EQ(cross.header_folders().size(), 2U);
  const auto& command = cross.command();
  EXPECT_NE(std::find(command.begin(), command.end(), "--specs=picolibc.specs"), command.end());
}

TEST_F(CrossCompilerTest, FlagsStandBehindAllOthers) {
  setenv("TENSIX_VP_CXXFLAGS", "  -DSEVEN=7\t-O1 ", 1);
  EXPECT_EQ(value_of(*compile()), 7);
  EXPECT_GT(compiled_, 0U);
  unsetenv("TENSIX_VP_CXXFLAGS");
  EXPECT_EQ(value_of(*compile()), 1);
}

TEST_F(CrossCompilerTest, FlagsAreTheFirmwaresToo) {
  const std::string seen = (folder_ / "seen").string();
  setenv("TENSIX_VP_CXX",
         program("noting-g++", "printf '%s\\n' \"$*\" >> '" + seen + "'\n" + kPassOn).c_str(), 1);
  program("noting-objcopy", "exec riscv64-unknown-elf-objcopy \"$@\"");
  setenv("TENSIX_VP_CXXFLAGS", "-DSEVEN=7 -O1", 1);
  compile();
  std::ifstream lines(seen);
  unsigned of_firmware = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" -DFW_BUILD ") == line.npos) continue;
    ++of_firmware;
    EXPECT_GT(line.find(" -DSEVEN=7 -O1 -lc"), line.find(" -Os ")) << line;
    EXPECT_NE(line.find(" -DSEVEN=7 -O1 -lc"), line.npos) << line;
  }
  EXPECT_GT(of_firmware, 0U);
}

TEST_F(CrossCompilerTest, RefusesWhatIsNone) {
  const auto refuses = [](const std::string& driver, const std::string& text) {
    setenv("TENSIX_VP_CXX", driver.c_str(), 1);
    EXPECT_NE(refusal().find(text), std::string::npos) << refusal();
    EXPECT_NE(refusal().find("TENSIX_VP_CXX"), std::string::npos) << refusal();
    EXPECT_NE(refusal().find("'" + driver + "'"), std::string::npos) << refusal();
  };
  refuses((folder_ / "no-g++").string(), "is no program here; expected a g++ for RISC-V");
  refuses("surely-nowhere-g++", "is no program here");
  refuses("/bin/sh", "is not named as one");
  refuses(folder_.string(), "is not named as one");
  refuses(program("odd-g++", "echo no such option >&2\nexit 1"), "is no g++: no such option");
  refuses(program("lone-g++", kPassOn), "has no '" + (folder_ / "lone-objcopy").string());
  setenv("TENSIX_VP_CXX", "", 1);
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace tvp::runtime
