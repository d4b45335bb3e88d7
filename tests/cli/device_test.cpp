#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

using test::expect;

class CliDevice : public test::FolderTest {
 protected:
  const std::string device_ = " --device " TVP_PUBLIC_ABI_LIBRARY " ";
};

TEST_F(CliDevice, ALibraryWithThePublicAbiOnlyRunsWorkloads) {
  expect("run dram_loopback" + device_, 0,
         {"dram_loopback on single_chip: passed", "does not report it"});
  expect("run noc_exchange" + device_, 0, {"passed"});
  expect("run matmul --set m=128,n=64,k=64,blocks=2" + device_, 0, {"passed"});
}

TEST_F(CliDevice, SaysWhatItIgnores) {
  expect("run dram_loopback --set noc.hop_cycles=12,pages=3 --lockstep" + device_, 0,
         {"takes no settings, ignored: noc.hop_cycles, --lockstep", "passed"});
}

TEST_F(CliDevice, RefusesWhatWouldLeaveNothing) {
  expect("run dram_loopback --wave w.fst" + device_, 2, {"--wave", "takes no settings"});
  expect("run dram_loopback --trace t.json" + device_, 2, {"--trace", "takes no settings"});
  expect("run dram_loopback --gdb 12345" + device_, 2, {"--gdb", "takes no settings"});
}

// The dynamic loader would crash on a truncated copy.
TEST_F(CliDevice, NamesALibraryThatIsNotWhole) {
  const std::string whole = test::read_file(TVP_PUBLIC_ABI_LIBRARY);
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{200}, whole.size() / 8}) {
    const std::string file = write("cut.so", whole.substr(0, bytes));
    expect("run dram_loopback --device " + file, 2,
           {file + ": cannot be opened: it is cut short, at " + std::to_string(bytes) + " bytes"});
  }
  const std::string few = write("few.so", whole.substr(0, 5));
  expect("run dram_loopback --device " + few, 2, {few + ": cannot be opened: "});
}

TEST_F(CliDevice, FindsALibraryThatLiesHere) {
  write("here.so", test::read_file(TVP_PUBLIC_ABI_LIBRARY));
  const auto ended =
      test::execute({.command = {test::kProgram, "run", "noc_exchange", "--device", "here.so"},
                     .folder = path("")});
  expect(ended, "a name without a slash", 0, {"passed"});
}

TEST_F(CliDevice, KeepsTheTimeLimitItself) {
  expect("run dram_loopback --max-time 3us" + device_, 5, {"time limit"});
}

}  // namespace
}  // namespace tvp
