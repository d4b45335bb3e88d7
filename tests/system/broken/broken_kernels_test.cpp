// Tests the message and the exit code of `vp run` when a kernel of a workload is broken. The
// kernels are copied and broken one way at a time.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "foundation/process.h"
#include "tests/support/words.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;

struct Case {
  const char* name;
  const char* original;
  const char* broken;
  const char* options;
  int exit_code;
  const char* text;
  const char* more = "";
};

class BrokenKernels : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "foundation");
    for (const char* folder : {"firmware", "foundation/contract", "foundation/regs"})
      fs::copy(folder, root_ / folder, fs::copy_options::recursive);
  }
  static inline const fs::path root_ = TVP_KERNEL_FOLDER;
};

TEST_P(BrokenKernels, AreReportedByCodeAndText) {
  const Case& c = GetParam();
  std::ifstream in("firmware/kernels/loopback/reader.cpp");
  std::string source{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = source.find(c.original);
  ASSERT_NE(at, std::string::npos) << "the kernel has changed";
  source.replace(at, std::string(c.original).size(), c.broken);
  std::ofstream(root_ / "firmware/kernels/loopback/reader.cpp") << source;

  std::vector<std::string> command = test::words_of(c.options);
  command.insert(command.begin(), {TVP_PROGRAM, "run", "dram_loopback"});
  const auto run = foundation::Process::run(
      {.command = command, .environment = {"TENSIX_VP_ROOT=" + root_.string()}});
  const std::string& output = run.said();
  EXPECT_EQ(run.exit_code(), c.exit_code) << output;
  EXPECT_NE(output.find(c.text), std::string::npos) << output;
  EXPECT_NE(output.find(c.more), std::string::npos) << output;
}

INSTANTIATE_TEST_SUITE_P(
    Ways, BrokenKernels,
    testing::Values(
        Case{"DoesNotCompile", "cb_push_back(", "cb_push_bac(", "", 3,
             "reader.cpp:17:5: error: 'cb_push_bac' was not declared"},
        Case{"DoesNotFit", "noc_async_read_barrier();",
             "asm volatile(\".rept 5000\\nnop\\n.endr\");", "", 3,
             "kernels/loopback/reader.cpp: its instructions take 2",
             "on NCRISC, which executes them in an instruction memory of 16384 bytes"},
        Case{"NeverPushes", "cb_push_back(kCb, 1);", "", "", 4, "chip0.tensix(1,1).BRISC",
             "NCRISC (reader.cpp) has reserved pages and pushed none, and has ended"},
        Case{"ReadsMisaligned", "get_write_ptr(kCb))", "get_write_ptr(kCb) + 4)", "", 3,
             "chip0.tensix(1,1).NCRISC: store to 0xffb20", "congruent modulo 32: TARG_ADDR 0x"},
        Case{"WritesOutsideL1", "get_write_ptr(kCb))", "0x00170000)", "", 3,
             "chip0.tensix(1,1).niu0"},
        Case{"Spins", "noc_async_read_barrier();", "while (true) {}", "", 4,
             "chip0.tensix(1,1).NCRISC in kernel_main (",
             "reader.cpp:16) spins: its loop changes nothing"},
        Case{"CallsWhatIsNotLoaded", "noc_async_read_barrier();",
             "reinterpret_cast<void (*)()>(0x140000)();", "", 3, "chip0.tensix(1,1).NCRISC",
             "code memory is zero there, nothing is loaded, reached by the jump at pc 0x"},
        Case{"NeverEnds", "noc_async_read_barrier();", "riscv_wait(1000000);", "--max-time 100us",
             5, "time limit"}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tvp
