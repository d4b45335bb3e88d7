// Adds a number of each of eight cores, around a ring, so that all of them end with the sum.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSlotBytes = 16;

int add_around() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // Two rows of four: there along the first, and back along the second.
  std::vector<CoreCoord> ring;
  for (std::uint32_t x = 0; x < 4; ++x) ring.push_back({x, 0});
  for (std::uint32_t x = 4; x-- > 0;) ring.push_back({x, 1});
  const CoreRangeSet cores(ring);
  const auto count = static_cast<std::uint32_t>(ring.size());

  const auto slots =
      CreateBuffer(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = count * kSlotBytes});
  Program program = CreateProgram();
  const std::uint32_t arrived = CreateSemaphore(program, cores, 0);
  const auto kernel = CreateKernel(program, KERNELS "add_around.cpp", cores, DataMovementConfig{});
  std::uint32_t golden = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = (i + 1) * (i + 1) * 1000 + i;
    golden += number;
    std::vector<std::uint8_t> content(count * kSlotBytes);
    std::memcpy(content.data(), &number, sizeof number);
    slots->write_shard(0, ring[i], content);
    const CoreCoord next = mesh.device(0).worker_core_from_logical_core(ring[(i + 1) % count]);
    SetRuntimeArgs(
        program, kernel, ring[i],
        {next.x, next.y, arrived, count - 1, static_cast<std::uint32_t>(slots->address())});
  }
  mesh.run(0, program);

  std::string wrong;
  for (const CoreCoord core : ring) {
    std::uint32_t sum = 0;
    std::memcpy(&sum, slots->read_shard(0, core).data(), sizeof sum);
    if (sum != golden && wrong.empty())
      wrong =
          "WRONG: core " + core.str() + " has " + std::to_string(sum) + slots->origin(0, core, 0);
  }
  const auto times = mesh.run_times(0, mesh.device(0).worker(ring.front()));
  std::printf("ring: %u cores have the sum %u after %llu cycles: %s\n", count, golden,
              static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as it should be" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return add_around();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ring: %s\n", error.what());
    return 2;
  }
}
