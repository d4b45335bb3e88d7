// Tests the errors that a user gets for a wrong kernel. The tests run in order: the last one stops
// the simulation.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

class BadKernels : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "bad_kernels"); }
  static void run(CoreCoord core, const std::string& name, const std::string& body) {
    std::ofstream(folder_ / name) << "void kernel_main() {\n" + body + "\n}\n";
    Program program;
    CircularBufferConfig cb(64, {{0, DataFormat::UInt32}});
    CreateCircularBuffer(program, core, cb.set_page_size(0, 16));
    CreateSemaphore(program, core, 0);
    CreateKernel(program, (folder_ / name).string(), core, DataMovementConfig{});
    mesh_->run(0, program);
  }
};

TEST_F(BadKernels, OneThatNeverFinishesIsAHang) {
  try {
    run({1, 0}, "hang.cpp",
        "noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);");
    FAIL() << "finished";
  } catch (const HangError& hang) {
    EXPECT_NE(std::string(hang.what()).find("chip0.tensix(2,1).BRISC in kernel_main ("),
              std::string::npos)
        << hang.what();
  }
}

// The report names the lines even if the compiler has inlined the whole kernel.
TEST_F(BadKernels, AHangOfAComputeKernelIsReportedWithItsLines) {
  std::ofstream(folder_ / "compute.cpp")
      << "void kernel_main() {\n"
         "  while (*reinterpret_cast<volatile uint32_t*>(0x100000) == 0) {}\n"
         "}\n";
  Program program;
  CreateKernel(program, (folder_ / "compute.cpp").string(), CoreCoord{4, 0}, ComputeConfig{});
  try {
    mesh_->run(0, program);
    FAIL() << "finished";
  } catch (const HangError& hang) {
    std::size_t lines = 0;
    const std::string text = hang.what();
    for (std::size_t at = 0; (at = text.find("compute.cpp:2", at)) != std::string::npos; ++at)
      ++lines;
    EXPECT_EQ(lines, 3U) << text;
  }
}

// Firmware runs no constructors before a kernel. Without the link error, both would run with zeros
// or undefined data.
TEST_F(BadKernels, GlobalsThatNeedACallBeforeTheKernelDoNotLink) {
  const struct {
    const char *name, *global, *part;
  } cases[] = {{"constructor.cpp", "struct S { int v; S() : v(get_arg_val<int>(0)) {} } s;\n",
                "a global object has a constructor"},
               {"thread_local.cpp", "struct S { int v; }; thread_local S s{3};\n",
                "a variable is thread_local"}};
  for (const auto& each : cases) {
    const fs::path path = folder_ / each.name;
    std::ofstream(path) << each.global << "void kernel_main() { cb_reserve_back(0, s.v); }\n";
    Program program;
    CreateKernel(program, path.string(), CoreCoord{5, 0}, DataMovementConfig{});
    EXPECT_TRUE(tvp::test::faults([&] { mesh_->run(0, program); }, {}, {each.part}))
        << each.name << " runs";
  }
}

TEST_F(BadKernels, PushingBeyondACircularBufferIsReported) {
  EXPECT_TRUE(tvp::test::faults(
      [&] {
        run({2, 0}, "overflow.cpp",
            "cb_reserve_back(0, 3); cb_push_back(0, 3);\n"
            "cb_wait_front(0, 3); cb_pop_front(0, 3);\n"
            "cb_reserve_back(0, 3); cb_push_back(0, 3);");
      },
      foundation::FaultKind::kFirmware, {"circular buffer", "overflow.cpp:4"}));
}

TEST_F(BadKernels, AStoreToNowhereStopsTheRun) {
  EXPECT_TRUE(tvp::test::faults(
      [&] {
        run({3, 0}, "nowhere.cpp", "*reinterpret_cast<volatile uint32_t*>(0x00300000) = 1;");
      },
      foundation::FaultKind::kFirmware, {"nowhere.cpp:2"}));
}

}  // namespace
}  // namespace tvp::runtime
