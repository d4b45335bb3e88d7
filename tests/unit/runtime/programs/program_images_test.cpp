// Programs whose kernels do not all fit their usual places.
#include "sw/runtime/programs/program_images.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "foundation/fault.h"
#include "sw/runtime/programs/launch_plan.h"
#include "tests/support/fault_of.h"
#include "tests/support/test_folder.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::program_images_test {
namespace {

constexpr std::uint32_t kLarge = 45 * 1024;

/// A kernel with a table in L1 and data in local memory; its text is `bytes` longer than necessary.
std::string text_of(std::uint32_t bytes, const char* condition = "1") {
  return "extern const uint32_t table[64] = {4, 5, 6};\n"
         "volatile uint32_t index = 2;\n"
         "void kernel_main() {\n"
         "#if " +
         std::string(condition) + "\n  asm volatile(\"j 1f\\n.rept " + std::to_string(bytes / 4) +
         "\\nnop\\n.endr\\n1:\");\n"
         "#endif\n"
         "  *reinterpret_cast<volatile uint32_t*>(0x40000) = table[index];\n"
         "}\n";
}

class ProgramImagesTest : public testing::Test {
 protected:
  std::string kernel(const std::string& name, const std::string& text) const {
    std::ofstream(scratch_.file(name)) << text;
    return scratch_.file(name);
  }
  std::vector<CoreLaunch> plan(const Program& program) {
    const LaunchPlan plan(program, device_, compiler_, options_,
                          ChipLayout::usual_spec()->memories.tensix_l1_bytes);
    return plan.cores();
  }
  std::string refusal(const Program& program) {
    return tvp::test::fault_of([&] { plan(program); }, foundation::FaultKind::kFirmware);
  }
  static const ElfImage& image(const CoreLaunch& launch, std::uint32_t processor) {
    for (const auto& [of, image] : launch.images)
      if (of == processor) return *image;
    throw std::out_of_range("no such image");
  }
  static std::uint32_t place(const CoreLaunch& launch, std::uint32_t processor) {
    return launch.message.kernel_config_base[0] + launch.message.kernel_text_offset[processor];
  }
  /// Checks that each image is at the launch message's address, in the area, and overlaps no other.
  static void expect_apart(const CoreLaunch& launch) {
    std::set<std::uint32_t> words;
    for (const auto& [processor, image] : launch.images) {
      EXPECT_EQ(image->segments()[0].load_address, place(launch, processor));
      for (const ElfImage::Segment& segment : image->segments()) {
        EXPECT_GE(segment.load_address, contract::kKernelTextBase);
        EXPECT_LE(segment.load_address + segment.data.size(), contract::kKernelConfigEnd);
        for (std::uint32_t at = 0; at < segment.data.size(); at += 4)
          EXPECT_TRUE(words.insert(segment.load_address + at).second) << processor << " at " << at;
      }
    }
  }

  tvp::test::TestFolder scratch_{"program_images"};
  test::FakeLibrary fake_;
  DeviceLibrary library_{test::FakeLibrary::functions(), "fake"};
  Device device_{library_, 0, 0, 0, ChipLayout(ChipLayout::usual_spec(), 0, true)};
  KernelCompiler compiler_{KernelCompiler::default_root(), scratch_.file("cache")};
  CompileOptions options_;
};

TEST_F(ProgramImagesTest, OthersGiveWayToALargeKernelOnItsCoresOnly) {
  const std::string small = kernel("small.cpp", text_of(0));
  const std::string compute = kernel("compute.cpp", text_of(kLarge, "defined(TRISC_UNPACK)"));
  const CoreRangeSet cores = CoreRange({0, 0}, {1, 0});
  Program program;
  program.add_kernel(small, cores, DataMovementConfig{});
  program.add_kernel(small, cores, ReaderDataMovementConfig{});
  program.add_kernel(compute, CoreCoord{1, 0}, ComputeConfig{});
  const auto launches = plan(program);
  ASSERT_EQ(launches.size(), 2U);
  for (const CoreLaunch& launch : launches) expect_apart(launch);

  const CoreLaunch& both = launches[1];
  for (const std::uint32_t p : {contract::kBrisc, contract::kNcrisc})
    EXPECT_EQ(&image(launches[0], p), &image(both, p)) << "one image of the kernel for all cores";
  for (const std::uint32_t p :
       {contract::kBrisc, contract::kNcrisc, contract::kTrisc0, contract::kTrisc2})
    EXPECT_EQ(place(both, p), contract::usual_kernel_base(p));
  EXPECT_GE(place(both, contract::kTrisc1),
            contract::usual_kernel_base(contract::kTrisc0) + kLarge);
  EXPECT_EQ(image(both, contract::kTrisc1).entry(), place(both, contract::kTrisc1));
  EXPECT_GT(image(both, contract::kTrisc1).symbol("table"), place(both, contract::kTrisc1));
}

// A change that moves NCRISC's image in L1 does not move its instructions.
TEST_F(ProgramImagesTest, InstructionMemoryStaysWhereItIs) {
  const std::string small = kernel("small.cpp", text_of(0));
  Program usual;
  usual.add_kernel(small, CoreCoord{0, 0}, ReaderDataMovementConfig{});
  const CoreLaunch before = plan(usual)[0];
  Program program;
  program.add_kernel(kernel("large.cpp", text_of(kLarge)), CoreCoord{0, 0}, DataMovementConfig{});
  program.add_kernel(small, CoreCoord{0, 0}, ReaderDataMovementConfig{});
  const CoreLaunch moved = plan(program)[0];
  expect_apart(moved);
  const std::uint32_t way = place(moved, contract::kNcrisc) - place(before, contract::kNcrisc);
  EXPECT_GT(way, 0U);
  const ElfImage& a = image(before, contract::kNcrisc);
  const ElfImage& b = image(moved, contract::kNcrisc);
  EXPECT_EQ(b.entry(), contract::kIramBase);
  EXPECT_EQ(b.symbol("kernel_entry"), a.symbol("kernel_entry"));
  EXPECT_EQ(b.symbol("table"), a.symbol("table") + way);
  EXPECT_EQ(b.symbol("__data_lma"), a.symbol("__data_lma") + way);
  EXPECT_EQ(moved.message.ncrisc_kernel_size16, before.message.ncrisc_kernel_size16);
}

TEST_F(ProgramImagesTest, KernelsAreCompiledOnceForAllPlaces) {
  const std::string small = kernel("small.cpp", text_of(0));
  const auto beside = [&](std::uint32_t bytes) {
    Program program;
    program.add_kernel(kernel("b" + std::to_string(bytes) + ".cpp", text_of(bytes)),
                       CoreCoord{0, 0}, DataMovementConfig{});
    program.add_kernel(small, CoreCoord{0, 0}, ComputeConfig{});
    const unsigned before = compiler_.cache().compiled();
    expect_apart(plan(program)[0]);
    return compiler_.cache().compiled() - before;
  };
  EXPECT_EQ(beside(400), 2 * 4 + 2 * 4U) << "firmware and symbols, objects and images";
  EXPECT_EQ(beside(800), 2U) << "only the data-movement kernel";
  EXPECT_EQ(beside(80 * 1024), 2U + 2U) << "two threads linked elsewhere";
  EXPECT_EQ(beside(80 * 1024 + 400), 2U) << "at the same places";
  EXPECT_EQ(beside(400), 0U);
}

TEST_F(ProgramImagesTest, WhatDoesNotFitIsRefusedByName) {
  const std::string large = kernel("large.cpp", text_of(kLarge));
  Program program;
  program.add_kernel(kernel("small.cpp", text_of(0)), CoreCoord{2, 1}, DataMovementConfig{});
  program.add_kernel(large, CoreCoord{2, 1}, ComputeConfig{});
  const std::string text = refusal(program);
  for (const char* part :
       {"large.cpp: takes ", " on TRISC", "the kernels of core (2, 1) have 122880 bytes in all",
        "beside it there are ", "small.cpp with "})
    EXPECT_NE(text.find(part), std::string::npos) << text;

  Program reader;
  reader.add_kernel(large, CoreCoord{0, 0}, ReaderDataMovementConfig{});
  const std::string memory = refusal(reader);
  EXPECT_NE(memory.find("large.cpp: its instructions take "), std::string::npos) << memory;
  EXPECT_NE(memory.find(" on NCRISC, which executes them in an instruction memory of 16384 bytes"),
            std::string::npos)
      << memory;

  options_.debuggable = true;
  for (const Program* each : {&program, &reader}) {
    const std::string advice = refusal(*each);
    EXPECT_TRUE(
        advice.ends_with("kernel.optimize=debug makes kernels larger, "
                         "kernel.optimize=speed smaller"))
        << advice;
  }
}

TEST_F(ProgramImagesTest, AProcessorHasOneKernel) {
  const std::string small = kernel("small.cpp", text_of(0));
  Program program;
  program.add_kernel(small, CoreRange({0, 0}, {1, 1}), DataMovementConfig{});
  program.add_kernel(small, CoreCoord{1, 1}, DataMovementConfig{});
  EXPECT_TRUE(tvp::test::faults([&] { plan(program); }, {},
                                {"a second kernel for a processor of core (1, 1)"}));
}

}  // namespace
}  // namespace tvp::runtime::program_images_test
