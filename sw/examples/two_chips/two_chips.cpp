// Sends a message from a Tensix core of one chip to one of another, over ethernet.
//
// An ethernet core on each chip runs a router of the fabric. The sender gives it packets with the
// route and the destination of the payload on the other chip. The router there writes the payload.
// The last packet also increments the semaphore that the receiver waits for.

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kPacketBytes = 4096;
constexpr std::uint32_t kPackets = 4;
constexpr std::uint32_t kBytes = kPackets * kPacketBytes;

int send_a_message() {
  const auto library = open_library();
  library->configure("system=pair");
  MeshDevice mesh(*library, {});
  FabricLine line(mesh, 2, kPacketBytes);
  line.start();

  // A buffer has the same address on both devices, so the sender knows where the message goes.
  const CoreCoord core{0, 0};
  const auto message =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = core, .shard_bytes = kBytes});
  std::vector<std::uint8_t> content(kBytes);
  std::iota(content.begin(), content.end(), std::uint8_t{1});
  message->write_shard(0, core, content);
  message->write_shard(1, core, std::vector<std::uint8_t>(kBytes, 0));
  const std::uint32_t arrived = CreateGlobalSemaphore(mesh, core, 0);
  const auto address = static_cast<std::uint32_t>(message->address());

  std::vector<Program> programs(2);
  // Semaphores for the progress of router and sender; the last one is for the check that the router
  // runs.
  const std::uint32_t first = CreateSemaphore(programs[0], core, 0);
  for (int i = 1; i < 4; ++i) CreateSemaphore(programs[0], core, 0);
  const auto sender = CreateKernel(programs[0], KERNELS "sender.cpp", core, DataMovementConfig{});
  std::vector<std::uint32_t> args = line.connection(0, /*up=*/true, first);
  const CoreCoord there = mesh.device(1).worker_core_from_logical_core(core);
  args.insert(args.end(), {line.router_status(), first + 3, there.x, there.y, address, kPackets,
                           kPacketBytes, arrived});
  SetRuntimeArgs(programs[0], sender, core, args);
  const auto receiver =
      CreateKernel(programs[1], KERNELS "receiver.cpp", core, DataMovementConfig{});
  SetRuntimeArgs(programs[1], receiver, core, {arrived});

  mesh.enqueue_all(programs);
  mesh.finish_workers();
  line.stop();

  const auto sent = mesh.run_times(0, mesh.device(0).worker(core));
  const auto got = mesh.run_times(1, mesh.device(1).worker(core));
  const std::string wrong = message->difference(1, content);
  std::printf("two_chips: %u bytes were there %llu cycles after the sender began: %s\n", kBytes,
              static_cast<unsigned long long>(got.done - sent.go),
              wrong.empty() ? "as they were sent" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return send_a_message();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "two_chips: %s\n", error.what());
    return 2;
  }
}
