// Tests launch.start_spread: the cores of a program start at different cycles within the spread,
// and at other cycles in each launch. A program that is right only if all cores start in the same
// cycle then fails.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

constexpr std::uint32_t kSpread = 500;

class StartSpread : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    open("system=single_chip\nlaunch.start_spread=" + std::to_string(kSpread) + "\nlaunch.seed=3\n",
         "start_spread");
  }
  /// Cycles from the first core's go signal to that of each core.
  static std::vector<std::uint64_t> moments(const CoreRange& cores) {
    std::vector<std::uint64_t> go;
    for (const CoreCoord core : CoreRangeSet(cores).cores())
      go.push_back(mesh_->run_times(0, mesh_->device(0).worker(core)).go);
    const std::uint64_t first = *std::min_element(go.begin(), go.end());
    for (std::uint64_t& moment : go) moment -= first;
    return go;
  }
};

TEST_F(StartSpread, CoresStartWithinItAndDifferentlyInEachLaunch) {
  const CoreRange cores({0, 0}, {7, 3});
  Program program = CreateProgram();
  CreateKernel(program, kernel("nothing.cpp", "void kernel_main() {}\n"), cores,
               DataMovementConfig{});
  std::vector<std::uint64_t> earlier;
  for (int launch = 0; launch < 3; ++launch) {
    mesh_->run(0, program);
    const auto drawn = moments(cores);
    const std::uint64_t last = *std::max_element(drawn.begin(), drawn.end());
    // A core polls for its signal, which adds a few cycles.
    EXPECT_LE(last, kSpread + 100U);
    EXPECT_GT(last, kSpread / 2U);
    EXPECT_NE(drawn, earlier);
    earlier = drawn;
  }
}

/// One core reads a word that the other core writes, without a signal between them.
TEST_F(StartSpread, ShowsAProgramThatReliesOnWhenCoresBegin) {
  const CoreRange cores({0, 0}, {1, 0});
  const auto words = MeshBuffer::create(
      *mesh_, ShardedBufferConfig{.cores = CoreRangeSet(cores), .shard_bytes = 32});
  const auto address = static_cast<std::uint32_t>(words->address());
  Program program = CreateProgram();
  const auto writer = CreateKernel(
      program,
      kernel("writer.cpp",
             "void kernel_main() {\n"
             "  *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = 7;\n}\n"),
      CoreCoord{0, 0}, DataMovementConfig{});
  const auto reader = CreateKernel(
      program,
      kernel(
          "reader.cpp",
          "void kernel_main() {\n"
          "  const uint32_t at = get_arg_val<uint32_t>(0);\n"
          "  for (volatile int i = 0; i < 12; ++i) {\n  }\n"
          "  noc_async_read(get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), at), "
          "at, 16);\n"
          "  noc_async_read_barrier();\n}\n"),
      CoreCoord{1, 0}, DataMovementConfig{});
  const CoreCoord from = mesh_->device(0).worker_core_from_logical_core({0, 0});
  SetRuntimeArgs(program, writer, CoreCoord{0, 0}, {address});
  SetRuntimeArgs(program, reader, CoreCoord{1, 0}, {address, from.x, from.y});
  int right = 0;
  constexpr int kLaunches = 20;
  for (int launch = 0; launch < kLaunches; ++launch) {
    for (const CoreCoord core : words->shard_cores())
      words->write_shard(0, core, std::vector<std::uint8_t>(32, 0));
    mesh_->run(0, program);
    right += words->read_shard(0, CoreCoord{1, 0})[0] == 7 ? 1 : 0;
  }
  EXPECT_GT(right, 0);
  EXPECT_LT(right, kLaunches);
}

}  // namespace
}  // namespace tvp::runtime
