// Kernels that exceed their usual place but fit together into the memory of their cores.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

/// A multiple of the instruction cache, so that the code after it keeps its cache lines.
constexpr std::uint32_t kLarge = 46 * 1024;
constexpr std::uint32_t kWordsAnImage = 8;

class LargeKernels : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "large_kernels"); }

  /// Adds up a table of constants after the text in L1, into a word of its processor. The text is
  /// `bytes` longer if `condition` holds, without other effect.
  static std::string kernel(const std::string& name, std::uint32_t bytes = 0,
                            const std::string& condition = "1") {
    std::string path = (folder_ / name).string();
    std::ofstream(path)
        << "#if " + condition + "\n#define PADDING \"" + std::to_string(bytes / 4) +
               "\"\n#else\n#define PADDING \"0\"\n#endif\n"
               "extern const uint32_t table[40] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
               "void kernel_main() {\n"
               "  asm volatile(\"j 1f\\n.rept \" PADDING \"\\nnop\\n.endr\\n1:\");\n"
               "  auto* words = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));\n"
               "  if (PROCESSOR_INDEX == 3) riscv_wait(4000);  // the others have ended\n"
               "  const auto begin = get_timestamp();\n"
               "  uint32_t sum = get_arg_val<uint32_t>(1) + PROCESSOR_INDEX;\n"
               "  for (uint32_t i = 0; i < 100; ++i) sum += table[(i + words[7]) % 40];\n"
               "  words[PROCESSOR_INDEX] = sum;\n"
               "  if (PROCESSOR_INDEX == 3) words[5] = get_timestamp() - begin;\n"
               "}\n";
    return path;
  }
  static constexpr std::uint32_t kSum = 31 * 2 + 31;  // twice the table and its first half

  /// The program runs on all five processors.
  static Program program(const CoreRangeSet& cores, const MeshBuffer& out, std::uint32_t number,
                         const std::string& writer, const std::string& compute) {
    Program program = CreateProgram();
    const auto address = static_cast<std::uint32_t>(out.address());
    for (const auto kernel :
         {CreateKernel(program, writer, cores, DataMovementConfig{}),
          CreateKernel(program, kernel("reader.cpp"), cores, ReaderDataMovementConfig{}),
          CreateKernel(program, compute, cores, ComputeConfig{})})
      SetRuntimeArgs(program, kernel, cores, {address, number});
    return program;
  }
  static void clear(MeshBuffer& out, const CoreRangeSet& cores) {
    const std::vector<std::uint32_t> zeros(kWordsAnImage, 0);
    for (const CoreCoord core : cores.cores())
      mesh_->device(0).write_l1(core, static_cast<std::uint32_t>(out.address()), zeros.data(),
                                kWordsAnImage * 4);
  }
  static void expect_result(MeshBuffer& out, const CoreRangeSet& cores, std::uint32_t number) {
    for (const CoreCoord core : cores.cores()) {
      std::vector<std::uint32_t> words(kWordsAnImage);
      mesh_->device(0).read_l1(core, static_cast<std::uint32_t>(out.address()), words.data(),
                               kWordsAnImage * 4);
      for (std::uint32_t processor = 0; processor < contract::kTensixProcessors; ++processor)
        EXPECT_EQ(words[processor], number + processor + kSum) << core.str() << " " << processor;
    }
    clear(out, cores);
  }
  /// Cycles of TRISC1 while no other core works.
  static std::uint32_t cycles(const MeshBuffer& out, CoreCoord core) {
    std::uint32_t value = 0;
    mesh_->device(0).read_l1(core, static_cast<std::uint32_t>(out.address()) + 5 * 4, &value, 4);
    return value;
  }
};

// The runs alternate with a program whose kernels are at their usual places.
TEST_F(LargeKernels, RunInTheTimeThatTheyUsuallyTake) {
  const CoreRangeSet cores = CoreRange({0, 0}, {1, 0});
  const auto out =
      CreateBuffer(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = kWordsAnImage * 4});
  clear(*out, cores);
  const std::string small = kernel("small.cpp");
  const Program usual = program(cores, *out, 1000, small, small);
  const Program reader_and_threads_move =
      program(cores, *out, 2000, kernel("large_writer.cpp", kLarge), small);
  const Program math_moves = program(cores, *out, 3000, small,
                                     kernel("large_unpack.cpp", kLarge, "defined(TRISC_UNPACK)"));
  mesh_->run(0, usual);
  const std::uint32_t time = cycles(*out, {1, 0});
  EXPECT_GT(time, 1000U);
  expect_result(*out, cores, 1000);
  for (int round = 0; round < 2; ++round) {
    mesh_->run(0, reader_and_threads_move);
    EXPECT_EQ(cycles(*out, {1, 0}), time);
    expect_result(*out, cores, 2000);
    mesh_->run(0, usual);
    EXPECT_EQ(cycles(*out, {1, 0}), time);
    expect_result(*out, cores, 1000);
    mesh_->run(0, math_moves);
    EXPECT_EQ(cycles(*out, {1, 0}), time);
    expect_result(*out, cores, 3000);
  }
}

// The arguments take 9 kB, more than their usual room, so the kernels move behind them.
TEST_F(LargeKernels, StandBehindAnyNumberOfArguments) {
  constexpr std::uint32_t kArguments = 1100;
  const CoreRangeSet cores = CoreCoord{4, 4};
  const auto out =
      CreateBuffer(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = kWordsAnImage * 4});
  clear(*out, cores);
  const std::string path = (folder_ / "many.cpp").string();
  std::ofstream(path) << "void kernel_main() {\n"
                         "  auto* words = (volatile uint32_t*)get_arg_val<uint32_t>(0);\n"
                         "  uint32_t sum = 0;\n"
                         "  for (uint32_t i = 1; i < "
                      << kArguments
                      << "; ++i)\n"
                         "    sum += get_arg_val<uint32_t>(i) + get_common_arg_val<uint32_t>(i);\n"
                         "  words[PROCESSOR_INDEX] = sum;\n}\n";
  Program program = CreateProgram();
  std::vector<std::uint32_t> common(kArguments), own(kArguments, 3);
  for (std::uint32_t i = 0; i < kArguments; ++i) common[i] = i;
  own[0] = static_cast<std::uint32_t>(out->address());
  const auto kernel = CreateKernel(program, path, cores, DataMovementConfig{});
  SetRuntimeArgs(program, kernel, cores, own);
  SetCommonRuntimeArgs(program, kernel, common);
  mesh_->run(0, program);
  std::uint32_t sum = 0;
  mesh_->device(0).read_l1({4, 4}, own[0], &sum, 4);
  EXPECT_EQ(sum, 3 * (kArguments - 1) + kArguments * (kArguments - 1) / 2);
}

TEST_F(LargeKernels, AreReplayedByTraces) {
  const CoreRangeSet cores = CoreCoord{2, 2};
  const auto out =
      CreateBuffer(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = kWordsAnImage * 4});
  clear(*out, cores);
  const std::string small = kernel("small.cpp");
  MeshCommandQueue& queue = mesh_->mesh_command_queue();
  const auto enqueue = [&](std::uint32_t number, const std::string& writer) {
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(mesh_->shape()),
                         program(cores, *out, number, writer, small));
    EnqueueMeshWorkload(queue, workload, false);
  };
  const MeshTraceId trace = BeginTraceCapture(mesh_.get(), queue.id());
  enqueue(1000, small);
  enqueue(2000, kernel("large_writer.cpp", kLarge));
  mesh_->end_mesh_trace(queue.id(), trace);
  for (int round = 0; round < 2; ++round) {
    mesh_->replay_mesh_trace(queue.id(), trace, true);
    expect_result(*out, cores, 2000);
    enqueue(3000, small);
    Finish(queue);
    expect_result(*out, cores, 3000);
  }
  mesh_->release_mesh_trace(trace);
}

TEST_F(LargeKernels, RunOnOneSubDeviceWhileSmallOnesRunOnAnother) {
  const CoreRangeSet left = CoreRange({0, 0}, {1, 1});
  const CoreRangeSet right = CoreRange({4, 3}, {5, 4});
  const auto split = mesh_->create_sub_device_manager({SubDevice{left}, SubDevice{right}}, 32768);
  mesh_->load_sub_device_manager(split);
  const std::string small = kernel("small.cpp");
  const auto ids = mesh_->get_sub_device_ids();
  auto here = CreateBuffer(
      *mesh_, ShardedBufferConfig{.cores = left, .shard_bytes = kWordsAnImage * 4}, ids[0]);
  auto there = CreateBuffer(
      *mesh_, ShardedBufferConfig{.cores = right, .shard_bytes = kWordsAnImage * 4}, ids[1]);
  clear(*here, left);
  clear(*there, right);
  mesh_->enqueue(0, program(left, *here, 2000, kernel("large_writer.cpp", kLarge), small));
  mesh_->enqueue(0, program(right, *there, 1000, small, small));
  mesh_->finish();
  expect_result(*here, left, 2000);
  expect_result(*there, right, 1000);
  here.reset();
  there.reset();
  mesh_->clear_loaded_sub_device_manager();
  mesh_->remove_sub_device_manager(split);
}

}  // namespace
}  // namespace tvp::runtime
