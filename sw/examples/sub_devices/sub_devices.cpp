// Splits a chip into two sub-devices. A program on the first feeds programs on the second: one that
// runs for long beside several that come and go.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kLocalL1 = 64 * 1024;
constexpr std::uint32_t kWords = 64;   // size of a batch
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
  std::string wrong;
  bool beside = true;
  {
    const auto scratch = CreateBuffer(
        mesh, ShardedBufferConfig{.cores = feeder, .shard_bytes = kWords * 4}, feeders);
    const auto inbox = CreateBuffer(
        mesh, ShardedBufferConfig{.cores = consumer, .shard_bytes = kWords * 4}, consumers);
    const auto result =
        CreateBuffer(mesh, ShardedBufferConfig{.cores = consumer, .shard_bytes = 16}, consumers);
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
    for (std::uint32_t i = 0; i < kPrograms; ++i) {
      mesh.enqueue(0, consuming);
      mesh.finish();
      std::uint32_t sum = 0;
      std::memcpy(&sum, result->read_shard(0, consumer).data(), sizeof sum);
      constexpr std::uint32_t kNumbers = kBatches * kWords;  // size of a program's numbers
      const std::uint32_t first = 1 + i * kNumbers;
      const std::uint32_t expected = (first + first + kNumbers - 1) * kNumbers / 2;
      if (sum == expected || !wrong.empty()) continue;
      // For a wrong sum, the origin of its operands in the inbox.
      wrong = "program " + std::to_string(i) + " has " + std::to_string(sum) + " instead of " +
              std::to_string(expected) + inbox->origin(0, consumer, 0);
      // Behind the first words, if those that came were not all of them.
      const std::string rest = inbox->origin(0, consumer, kWords * 4 - 4);
      if (wrong.find(rest) == std::string::npos) wrong += "\nand of the last word" + rest;
    }
    mesh.reset_sub_device_stall_group();
    mesh.finish();
    const auto fed = mesh.run_times(0, mesh.device(0).worker(feeder));
    const auto last = mesh.run_times(0, mesh.device(0).worker(consumer));
    beside = fed.go < last.go && last.go < fed.done;
  }
  mesh.clear_loaded_sub_device_manager();
  mesh.remove_sub_device_manager(split);

  if (wrong.empty() && !beside) wrong = "not all of them ran beside it";
  std::printf("sub_devices: %u programs beside one that fed them: %s\n", kPrograms,
              wrong.empty() ? "as it should be" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
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
