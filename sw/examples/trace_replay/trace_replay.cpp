// Captures a sequence of programs once and replays it, as a model does with its layers.

#include <cstdio>
#include <numeric>
#include <vector>

#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kNumbers = 32;  // numbers of a core
constexpr int kReplays = 4;

int replay() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});
  MeshCommandQueue& queue = mesh.mesh_command_queue();

  const CoreRangeSet cores = CoreRange({0, 0}, {3, 0});
  const auto buffer =
      CreateBuffer(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = kNumbers * 4});
  std::vector<std::uint32_t> numbers(cores.num_cores() * kNumbers);
  std::iota(numbers.begin(), numbers.end(), 1U);
  EnqueueWriteMeshBuffer(queue, buffer, numbers);

  const auto step = [&](std::uint32_t factor, std::uint32_t term) {
    Program program = CreateProgram();
    const auto kernel = CreateKernel(program, KERNELS "step.cpp", cores, DataMovementConfig{});
    SetRuntimeArgs(program, kernel, cores,
                   {static_cast<std::uint32_t>(buffer->address()), kNumbers, factor, term});
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(mesh.shape()), std::move(program));
    return workload;
  };
  // Between these two lines workloads are laid out and kept, not run.
  const MeshTraceId trace = BeginTraceCapture(&mesh, queue.id());
  EnqueueMeshWorkload(queue, step(3, 0), false);
  EnqueueMeshWorkload(queue, step(1, 7), false);
  EnqueueMeshWorkload(queue, step(5, 1), false);
  mesh.end_mesh_trace(queue.id(), trace);

  for (int i = 0; i < kReplays; ++i) mesh.replay_mesh_trace(queue.id(), trace, false);
  std::vector<std::uint32_t> result;
  EnqueueReadMeshBuffer(queue, result, buffer);  // waits for all before it
  mesh.release_mesh_trace(trace);

  for (std::uint32_t& number : numbers)
    for (int i = 0; i < kReplays; ++i) number = (number * 3 + 7) * 5 + 1;
  const bool correct = result == numbers;
  std::printf("trace_replay: 3 programs, %d times, on %u cores: %s\n", kReplays, cores.num_cores(),
              correct ? "as it should be" : "WRONG");
  return correct ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return replay();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trace_replay: %s\n", error.what());
    return 2;
  }
}
