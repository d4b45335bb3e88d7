// A command queue runs programs one after the other on chips, and again from a trace.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

const CoreCoord kCore{2, 3};

class CommandQueues : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=pair", "command_queues"); }

  /// A workload on both devices: each word of the buffer becomes word * `factor` + `term`.
  static MeshWorkload multiply_add(const MeshBuffer& buffer, std::uint32_t factor,
                                   std::uint32_t term) {
    const std::string path = (folder_ / "multiply_add.cpp").string();
    std::ofstream(path) << "void kernel_main() {\n"
                           "  auto* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>("
                           "get_arg_val<uint32_t>(0));\n"
                           "  *word = *word * get_arg_val<uint32_t>(1) + "
                           "get_arg_val<uint32_t>(2);\n"
                           "}\n";
    Program program = CreateProgram();
    const auto kernel = CreateKernel(program, path, kCore, DataMovementConfig{});
    SetRuntimeArgs(program, kernel, kCore,
                   {static_cast<std::uint32_t>(buffer.address()), factor, term});
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(mesh_->shape()), std::move(program));
    return workload;
  }
};

TEST_F(CommandQueues, ATraceRunsItsProgramsInOrderEachTime) {
  MeshCommandQueue& queue = mesh_->mesh_command_queue();
  const auto buffer = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 16});
  WriteShard(queue, buffer, Words{1, 0, 0, 0}, {0, 0});
  WriteShard(queue, buffer, Words{2, 0, 0, 0}, {0, 1});
  const MeshTraceId trace = BeginTraceCapture(mesh_.get(), 0);
  EnqueueMeshWorkload(queue, multiply_add(*buffer, 3, 0), false);
  EnqueueMeshWorkload(queue, multiply_add(*buffer, 1, 5), false);
  EnqueueMeshWorkload(queue, multiply_add(*buffer, 2, 0), false);
  mesh_->end_mesh_trace(0, trace);
  for (int i = 0; i < 3; ++i) mesh_->replay_mesh_trace(0, trace, false);
  std::uint32_t golden[] = {1, 2};
  for (std::uint32_t& value : golden)
    for (int i = 0; i < 3; ++i) value = (value * 3 + 5) * 2;
  Words back;
  for (const std::uint32_t device : {0U, 1U}) {
    ReadShard(queue, back, buffer, {0, device});
    EXPECT_EQ(back[0], golden[device]);
  }
  mesh_->release_mesh_trace(trace);
}

/// Adds an argument to the word of its processor. Its text is `bytes` longer than necessary.
std::string adding_kernel(const fs::path& file, std::uint32_t bytes) {
  std::ofstream(file) << "void kernel_main() {\n"
                         "  asm volatile(\"j 1f\\n.rept " +
                             std::to_string(bytes / 4) +
                             "\\nnop\\n.endr\\n1:\");\n"
                             "  auto* words = reinterpret_cast<volatile uint32_t*>("
                             "get_arg_val<uint32_t>(0));\n"
                             "  words[PROCESSOR_INDEX] += get_arg_val<uint32_t>(1);\n"
                             "}\n";
  return file.string();
}

// One device's kernels fill their core and are moved; the other's are at their usual places.
// Arguments change between two runs.
TEST_F(CommandQueues, DevicesHaveKernelsOfOtherSizes) {
  MeshCommandQueue& queue = mesh_->mesh_command_queue();
  const auto buffer = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 16});
  for (const std::uint32_t device : {0U, 1U})
    WriteShard(queue, buffer, Words{0, 0, 0, 0}, {0, device});
  const std::string small = adding_kernel(folder_ / "small.cpp", 0);
  const std::string large = adding_kernel(folder_ / "large.cpp", 110 * 1024);
  MeshWorkload workload;
  std::vector<KernelHandle> readers;
  for (const std::uint32_t device : {0U, 1U}) {
    Program program = CreateProgram();
    const auto address = static_cast<std::uint32_t>(buffer->address());
    const auto writer =
        CreateKernel(program, device == 0 ? large : small, kCore, DataMovementConfig{});
    readers.push_back(CreateKernel(program, small, kCore, ReaderDataMovementConfig{}));
    SetRuntimeArgs(program, writer, kCore, {address, 10 + device});
    SetRuntimeArgs(program, readers.back(), kCore, {address, 20 + device});
    workload.add_program(MeshCoordinateRange(MeshCoordinate{0, device}), std::move(program));
  }
  EnqueueMeshWorkload(queue, workload, false);
  for (auto& [devices, program] : workload.get_programs())
    program.runtime_args(readers[0], kCore)[1] = 1000;
  EnqueueMeshWorkload(queue, workload, true);
  Words back;
  for (const std::uint32_t device : {0U, 1U}) {
    ReadShard(queue, back, buffer, {0, device});
    EXPECT_EQ(back[0], 2 * (10 + device));
    EXPECT_EQ(back[1], 1020 + device);
  }
}

TEST_F(CommandQueues, AnEventOrdersProgramsOfTwoQueues) {
  const auto buffer = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = 16});
  MeshCommandQueue& first = mesh_->mesh_command_queue(0);
  MeshCommandQueue& second = mesh_->mesh_command_queue(1);
  EnqueueWriteMeshBuffer(first, buffer, Words{7, 0, 0, 0});
  const MeshEvent written = EnqueueRecordEvent(first);
  EnqueueWaitForEvent(second, written);
  EnqueueMeshWorkload(second, multiply_add(*buffer, 10, 1), false);
  const MeshEvent computed = EnqueueRecordEvent(second);
  EnqueueWaitForEvent(first, computed);
  EnqueueMeshWorkload(first, multiply_add(*buffer, 10, 2), false);
  Words back;
  ReadShard(first, back, buffer, {0, 1});
  EXPECT_EQ(back[0], 712U);
}

}  // namespace
}  // namespace tvp::runtime
