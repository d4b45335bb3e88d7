// Tests noc.jitter: a program that signals before its data has arrived is right without delays and
// wrong with some of them.

#include <gtest/gtest.h>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

constexpr int kLaunches = 30;

class Jitter : public test::SystemSuite<> {
 protected:
  /// Core (0, 0) writes to core (2, 0) on NoC 1 and signals core (1, 0) on NoC 0 without a barrier.
  /// Core (1, 0) then reads the data. Returns the number of launches in which it has arrived.
  static int right_launches() {
    const CoreRange cores({0, 0}, {2, 0});
    const auto words = MeshBuffer::create(
        *mesh_, ShardedBufferConfig{.cores = CoreRangeSet(cores), .shard_bytes = 32});
    const auto address = static_cast<std::uint32_t>(words->address());
    Program program = CreateProgram();
    const std::uint32_t semaphore = CreateSemaphore(program, cores, 0);
    const auto writer = CreateKernel(
        program,
        kernel("writer.cpp",
               "void kernel_main() {\n"
               "  const uint32_t at = get_arg_val<uint32_t>(0);\n"
               "  noc_async_write(at, get_noc_addr(get_arg_val<uint32_t>(1), "
               "get_arg_val<uint32_t>(2), at, 1), 32, 1);\n"
               "  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(3), "
               "get_arg_val<uint32_t>(4), get_semaphore(get_arg_val<uint32_t>(5))), 1);\n"
               "  noc_async_write_barrier(1);\n  noc_async_atomic_barrier();\n}\n"),
        CoreCoord{0, 0}, DataMovementConfig{});
    const auto reader =
        CreateKernel(program,
                     kernel("reader.cpp",
                            "void kernel_main() {\n"
                            "  const uint32_t at = get_arg_val<uint32_t>(0);\n"
                            "  auto* const signal = reinterpret_cast<volatile tt_l1_ptr uint32_t*>("
                            "get_semaphore(get_arg_val<uint32_t>(3)));\n"
                            "  noc_semaphore_wait(signal, 1);\n"
                            "  noc_semaphore_set(signal, 0);\n"
                            "  noc_async_read(get_noc_addr(get_arg_val<uint32_t>(1), "
                            "get_arg_val<uint32_t>(2), at), at, 32);\n"
                            "  noc_async_read_barrier();\n}\n"),
                     CoreCoord{1, 0}, DataMovementConfig{});
    const auto place = [](CoreCoord core) {
      return mesh_->device(0).worker_core_from_logical_core(core);
    };
    const CoreCoord data = place({2, 0}), signal = place({1, 0});
    const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
    SetRuntimeArgs(
        program, writer, CoreCoord{0, 0},
        {address, word(data.x), word(data.y), word(signal.x), word(signal.y), semaphore});
    SetRuntimeArgs(program, reader, CoreCoord{1, 0},
                   {address, word(data.x), word(data.y), semaphore});
    int right = 0;
    for (int launch = 0; launch < kLaunches; ++launch) {
      for (const CoreCoord core : words->shard_cores())
        words->write_shard(0, core, std::vector<std::uint8_t>(32, core.x == 0 ? 7 : 0));
      mesh_->run(0, program);
      right += words->read_shard(0, CoreCoord{1, 0})[0] == 7 ? 1 : 0;
    }
    return right;
  }
};

class WithoutJitter : public Jitter {
 protected:
  static void SetUpTestSuite() { open("system=single_chip\n", "without_jitter"); }
};

class WithJitter : public Jitter {
 protected:
  static void SetUpTestSuite() {
    open("system=single_chip\nnoc.jitter=1000\nnoc.jitter_seed=2\n", "with_jitter");
  }
};

TEST_F(WithoutJitter, ASignalThatIsTooEarlyStaysUnnoticed) {
  EXPECT_EQ(right_launches(), kLaunches);
}

TEST_F(WithJitter, ASignalThatIsTooEarlyShows) {
  const int right = right_launches();
  EXPECT_GT(right, 0);
  EXPECT_LT(right, kLaunches);
}

}  // namespace
}  // namespace tvp::runtime
