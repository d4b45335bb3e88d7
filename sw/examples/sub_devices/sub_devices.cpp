// Splits a chip into two sub-devices. A program on the first feeds programs on the second: one that
// runs for long beside several that come and go.

#include <cstdio>
#include <cstring>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kLocalL1 = 64 * 1024;
constexpr std::uint32_t kWords = 64;   // of a batch
constexpr std::uint32_t kBatches = 4;  // that one program takes
constexpr std::uint32_t kPrograms = 3;

int feed() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // The first two columns of cores, and the other six.
  const SubDeviceManagerId split =
      mesh.create_sub_device_manager({SubDevice{CoreRangeSet(CoreRange({0, 0}, {1, 7}))},
                                      SubDevice{CoreRangeSet(CoreRange({2, 0}, {7, 7}))}},
                                     kLocalL1);
  mesh.load_sub_device_manager(split);
  const SubDeviceId feeders{0};
  const SubDeviceId consumers{1};
  const CoreCoord feeder{1, 3};
  const CoreCoord consumer{2, 3};

  // Buffers of a sub-device's own L1 may have the same address as the other's: each has its own.
  std::uint32_t sums[kPrograms] = {};
  bool beside = true;
  {
    const auto scratch = CreateBuffer(mesh, ShardedBufferConfig{feeder, kWords * 4}, feeders);
    const auto inbox = CreateBuffer(mesh, ShardedBufferConfig{consumer, kWords * 4}, consumers);
    const auto result = CreateBuffer(mesh, ShardedBufferConfig{consumer, 16}, consumers);
    const GlobalSemaphore filled = CreateGlobalSemaphore(mesh, consumer, 0);
    const GlobalSemaphore room = CreateGlobalSemaphore(mesh, feeder, 0);
    const auto on_noc = [&](CoreCoord core) {
      return mesh.device(0).worker_core_from_logical_core(core);
    };
    const auto address = [](const auto& buffer) {
      return static_cast<std::uint32_t>(buffer->address());
    };

    Program feeding = CreateProgram();
    const auto fill = CreateKernel(feeding, KERNELS "fill.cpp", feeder, DataMovementConfig{});
    SetRuntimeArgs(feeding, fill, feeder,
                   {on_noc(consumer).x, on_noc(consumer).y, address(inbox), filled, room,
                    kPrograms * kBatches, kWords, address(scratch), 1});
    Program consuming = CreateProgram();
    const auto consume =
        CreateKernel(consuming, KERNELS "consume.cpp", consumer, DataMovementConfig{});
    SetRuntimeArgs(consuming, consume, consumer,
                   {on_noc(feeder).x, on_noc(feeder).y, address(inbox), filled, room, kBatches,
                    kWords, address(result)});

    mesh.enqueue(0, feeding);  // does not wait
    // From now on finish() waits for the consumers only.
    const std::vector<SubDeviceId> group{consumers};
    mesh.set_sub_device_stall_group(group);
    for (std::uint32_t& sum : sums) {
      mesh.enqueue(0, consuming);
      mesh.finish();
      std::memcpy(&sum, result->read_shard(0, consumer).data(), sizeof sum);
    }
    mesh.reset_sub_device_stall_group();
    mesh.finish();
    const auto fed = mesh.run_times(0, mesh.device(0).worker(feeder));
    const auto last = mesh.run_times(0, mesh.device(0).worker(consumer));
    beside = fed.go < last.go && last.go < fed.done;
  }
  mesh.clear_loaded_sub_device_manager();
  mesh.remove_sub_device_manager(split);

  bool correct = beside;
  constexpr std::uint32_t kNumbers = kBatches * kWords;  // of a program
  for (std::uint32_t i = 0; i < kPrograms; ++i) {
    const std::uint32_t first = 1 + i * kNumbers;
    correct = correct && sums[i] == (first + first + kNumbers - 1) * kNumbers / 2;
  }
  std::printf("sub_devices: %u programs beside one that fed them: %s\n", kPrograms,
              correct ? "as it should be" : "WRONG");
  return correct ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return feed();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sub_devices: %s\n", error.what());
    return 2;
  }
}
