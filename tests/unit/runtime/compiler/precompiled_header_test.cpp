// Kernels with precompiled standard headers are equal to others. They are compiled again if one of
// those headers changes.

#include "sw/runtime/compiler/precompiled_header.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "foundation/contract/mailboxes.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "tests/support/test_folder.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

using Images = std::vector<std::shared_ptr<const ElfImage>>;

class PrecompiledHeaderTest : public testing::Test {
 protected:
  PrecompiledHeaderTest() {
    // A test header in front of a real standard header; other headers include it.
    fs::create_directories(folder_ / "std");
    write_header(1);
    for (std::size_t i = 0; i <= PrecompiledHeader::kWorthwhile; ++i)
      std::ofstream(folder_ / name(i))
          << "volatile uint32_t v = std::array<uint32_t, 2>{NUMBER, 2}[0];\n"
             "void kernel_main() { v = std::min(v + "
          << i << ", get_arg_val<uint32_t>(0)); }\n";
    // With this flag a header that GCC cannot use is an error.
    setenv("TENSIX_VP_CXXFLAGS",
           ("-Winvalid-pch -Werror=invalid-pch -I" + (folder_ / "std").string()).c_str(), 1);
  }
  ~PrecompiledHeaderTest() override { unsetenv("TENSIX_VP_CXXFLAGS"); }

  static std::string name(std::size_t i) { return "k" + std::to_string(i) + ".cpp"; }
  void write_header(int number) const {
    std::ofstream(folder_ / "std" / "compare")
        << "#include_next <compare>\n#undef NUMBER\n#define NUMBER " << number << "\n";
  }
  /// Compiles the kernels [`first`, `end`) with a separate compiler.
  Images compile(const std::string& cache, std::size_t first, std::size_t end) {
    KernelCompiler compiler(KernelCompiler::default_root(), (folder_ / cache).string());
    std::vector<KernelRequest> requests;
    for (std::size_t i = first; i < end; ++i) {
      requests.emplace_back();
      requests.back().processor = contract::kBrisc;
      requests.back().source = (folder_ / name(i)).string();
    }
    return compiler.kernels(requests, {});
  }
  static int value_of(const ElfImage& image) { return image.segments().at(1).data.at(0); }
  static void expect_same(const ElfImage& a, const ElfImage& b) {
    ASSERT_EQ(a.segments().size(), b.segments().size());
    for (std::size_t i = 0; i < a.segments().size(); ++i) {
      EXPECT_EQ(a.segments()[i].address, b.segments()[i].address);
      EXPECT_EQ(a.segments()[i].data, b.segments()[i].data);
    }
  }
  /// The precompiled file that GCC finds beside a header; empty if there is none.
  fs::path precompiled(const std::string& cache) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / cache))
      if (entry.path().extension() == ".gch") return entry.path();
    return {};
  }

  tvp::test::TestFolder scratch_{"precompiled"};
  fs::path folder_ = scratch_.path();
};

constexpr std::size_t kEnough = PrecompiledHeader::kWorthwhile;

TEST_F(PrecompiledHeaderTest, MakesTheSameKernels) {
  const Images with = compile("many", 0, kEnough);
  EXPECT_FALSE(precompiled("many").empty());
  for (std::size_t i = 0; i < kEnough; ++i)
    expect_same(*with[i], *compile("alone" + std::to_string(i), i, i + 1)[0]);
  EXPECT_EQ(precompiled("alone0"), "") << "takes longer than it saves";
}

TEST_F(PrecompiledHeaderTest, IsThereForLaterProcesses) {
  compile("cache", 0, kEnough);
  const fs::path place = precompiled("cache");
  const auto made = fs::last_write_time(place);
  expect_same(*compile("cache", kEnough, kEnough + 1)[0],
              *compile("alone", kEnough, kEnough + 1)[0]);
  EXPECT_EQ(precompiled("cache"), place);
  EXPECT_EQ(fs::last_write_time(place), made);
}

TEST_F(PrecompiledHeaderTest, HeadersThatChangeMakeKernelsAnew) {
  EXPECT_EQ(value_of(*compile("cache", 0, kEnough)[0]), 1);
  write_header(2);
  EXPECT_EQ(value_of(*compile("cache", 0, 1)[0]), 2) << "by a header that is out of date";
  EXPECT_EQ(precompiled("cache"), "") << "the next compiler would read it";
  for (const auto& image : compile("cache", 0, kEnough)) EXPECT_EQ(value_of(*image), 2);
  write_header(3);
  for (const auto& image : compile("cache", 0, kEnough)) EXPECT_EQ(value_of(*image), 3);
}

TEST_F(PrecompiledHeaderTest, ADamagedOneIsNotRead) {
  compile("cache", 0, kEnough);
  const fs::path damaged = fs::canonical(precompiled("cache"));
  fs::resize_file(damaged, fs::file_size(damaged) / 2);
  EXPECT_EQ(value_of(*compile("cache", kEnough, kEnough + 1)[0]), 1);
  fs::remove(damaged);
  for (std::size_t i = 0; i < kEnough; ++i)
    std::ofstream(folder_ / name(i), std::ios::app) << "// another one\n";
  for (const auto& image : compile("cache", 0, kEnough)) EXPECT_EQ(value_of(*image), 1);
  EXPECT_TRUE(fs::exists(precompiled("cache"))) << "made anew";
}

}  // namespace
}  // namespace tvp::runtime
