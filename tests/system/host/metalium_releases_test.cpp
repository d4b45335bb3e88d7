// All names that the programming examples of tt-metal's releases use exist in the host API and in
// the kernel API (sw/metalium/releases.txt).

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <magic_enum.hpp>
#include <regex>
#include <set>
#include <string>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt_metal/host_api.hpp>

#include "foundation/process.h"
#include "tests/support/release_names.h"
#include "tests/support/test_folder.h"

using namespace tt::tt_metal;

namespace tvp::test {
namespace {

constexpr const char* kFile = "sw/metalium/releases.txt";

struct Compiled {
  std::string said;
  std::set<std::string> unknown;  ///< names that the compiler does not find
};

/// Compiles all names, and the code that follows them, for the host.
Compiled compile_for_host(const ReleaseNames& names, const std::string& code) {
  const TestFolder folder("releases");
  const std::string source = folder.path() + "/names.cpp";
  std::ofstream(source) << names.source("host") << code;
  const auto compiler = foundation::Process::run(
      {.command = {TVP_CXX, "-std=c++20", "-fsyntax-only", "-DFMT_HEADER_ONLY=1", "-I.",
                   std::string("-I") + TVP_METALIUM_INCLUDES, source}});
  const std::string& said = compiler.said();
  static const std::regex error(R"(names\.cpp:(\d+):\d+: (?:fatal )?error)");
  std::set<std::string> unknown;
  for (auto it = std::sregex_iterator(said.begin(), said.end(), error);
       it != std::sregex_iterator(); ++it) {
    const std::size_t line = std::stoul((*it)[1]);
    unknown.insert(names.described((line - 1) / ReleaseNames::kLinesOfName));
  }
  return {said, unknown};
}

// Only the names that no release has are unknown. A constructor whose meaning has changed warns.
TEST(MetaliumReleases, HostProgramsFindAllNames) {
  ReleaseNames names(kFile);
  const std::string used_in(names.releases().size(), 'x');
  std::set<std::string> none;
  for (const auto& [kind, text] : {std::pair{"member", "CoreCoord::z"},
                                   {"macro", "TT_NONE"},
                                   {"enumerator", "tt::CB::none"},
                                   {"name", "tt::none"}}) {
    names.add({.kind = kind, .side = "host", .text = text, .used_in = used_in});
    none.insert(names.described(names.names().size() - 1));
  }
  const Compiled compiled =
      compile_for_host(names, "const bfloat16 one(static_cast<std::uint16_t>(1));\n");
  EXPECT_EQ(compiled.unknown, none) << compiled.said;
  EXPECT_NE(compiled.said.find("bfloat16::from_bits takes bits"), std::string::npos)
      << compiled.said;
}

// Before 0.63 a bfloat16 of an unsigned integer was one of bits.
TEST(MetaliumReleases, ABfloat16OfBits) {
  const TestFolder folder("bits");
  const std::string source = folder.path() + "/bits.cpp";
  std::ofstream(source) << "#include <tt-metalium/bfloat16.hpp>\n"
                           "constexpr std::uint16_t kBits = 0x3F80;\n"
                           "static_assert(bfloat16(kBits).to_float() == VALUE);\n";
  const auto compiles = [&](const std::string& value, const std::string& release) {
    return foundation::Process::run(
               {.command = {TVP_CXX, "-std=c++20", "-fsyntax-only", "-w", "-I.",
                            "-DFMT_HEADER_ONLY=1", "-DVALUE=" + value, "-D" + release,
                            std::string("-I") + TVP_METALIUM_INCLUDES, source}})
               .exit_code() == 0;
  };
  EXPECT_TRUE(compiles("1", "TENSIX_VP_BFLOAT16_OF_BITS"));
  EXPECT_TRUE(compiles("16256", "TENSIX_VP_NONE"));
  EXPECT_FALSE(compiles("1", "TENSIX_VP_NONE"));
}

TEST(MetaliumReleases, NamesOf2024Work) {
  // Cores of a grid of 2 x 3, column by column.
  const CoreRangeSet cores(num_cores_to_corerange_set(4, {2, 3}));
  EXPECT_TRUE(cores.core_coord_in_core_ranges({0, 2}));
  EXPECT_TRUE(cores.core_coord_in_core_ranges({1, 0}));
  EXPECT_FALSE(cores.core_coord_in_core_ranges({1, 1}));

  const vector<std::uint32_t> ones = create_constant_vector_of_bfloat16(8, 1.0F);
  vector<std::uint32_t> others = ones;
  others[1] = pack_two_bfloat16_into_uint32({1.0F, 1.5F});
  const auto near = [](float a, float b) { return std::abs(a - b) < 0.25F; };
  int different = -1;
  EXPECT_TRUE(packed_uint32_t_vector_comparison(ones, ones, near, &different));
  EXPECT_EQ(different, -1);
  EXPECT_FALSE(packed_uint32_t_vector_comparison(ones, others, near, &different));
  EXPECT_EQ(different, 1);
  EXPECT_FALSE(packed_uint32_t_vector_comparison(ones, {ones[0]}, near));

  EXPECT_EQ(magic_enum::enum_values<NOC>().size(), 2U);

  testing::internal::CaptureStdout();
  tt::log_info("{} lines", 2);
  log_error(tt::LogTest, "of {}", string("2024"));
  log_debug(tt::LogTest, "below info");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "info: 2 lines\nerror: of 2024\n");
}

class MetaliumReleasesOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TENSIX_VP_LIBRARY", TVP_LIBRARY, 1);
    setenv("TENSIX_VP_CONFIGURE", "system=n150", 1);
    device_ = CreateDevice(0);
  }
  void TearDown() override { CloseDevice(device_); }

  template <typename Config>
  void run(const std::string& kernel, const Config& config) {
    Program program = CreateProgram();
    CreateKernelFromString(program, kernel, CoreCoord{0, 0}, config);
    EXPECT_NO_THROW(detail::LaunchProgram(device_, program));
  }

  const ReleaseNames names_{kFile};
  IDevice* device_ = nullptr;
};

TEST_F(MetaliumReleasesOnDevice, DataMovementKernelsFindAllNames) {
  run(names_.source("data_movement") + "void kernel_main() {}\n", DataMovementConfig{});
}

TEST_F(MetaliumReleasesOnDevice, ComputeKernelsFindAllNames) {
  run(names_.source("compute") + "void kernel_main() {}\n", ComputeConfig{});
}

}  // namespace
}  // namespace tvp::test
