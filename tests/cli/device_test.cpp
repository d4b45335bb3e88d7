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
         {"dram_loopback on single_chip: passed", "tells of none"});
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

TEST_F(CliDevice, KeepsTheTimeLimitItself) {
  expect("run dram_loopback --max-time 3us" + device_, 5, {"time limit"});
}

}  // namespace
}  // namespace tvp
