// Adds up gradients that lie on four chips, so that each of them has the mean.

#include <cstdio>
#include <cstring>
#include <vector>

#include "sw/collectives/library/communicator.h"
#include "sw/runtime/bfloat16.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/mesh/mesh_command_queue.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;
using namespace tvp::collectives;

namespace {

constexpr std::uint32_t kNumbers = 16 * 1024;
constexpr std::uint32_t kPageBytes = 2048;

/// Whole numbers, whose mean of four is exact.
float gradient(std::uint32_t device, std::uint32_t i) {
  return static_cast<float>((i + device) % 8 * 4);
}

std::vector<std::uint8_t> bytes_of(const std::vector<bfloat16>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(bfloat16));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

int average() {
  const auto library = open_library();
  library->configure("system=small_ring");
  MeshDevice mesh(*library, {});

  // One address on all devices, other content on each.
  const InterleavedBufferConfig in_dram{.size = kNumbers * sizeof(bfloat16),
                                        .page_size = kPageBytes};
  const auto gradients = CreateBuffer(mesh, in_dram);
  const auto means = CreateBuffer(mesh, in_dram);
  std::vector<bfloat16> golden(kNumbers);
  for (std::uint32_t i = 0; i < kNumbers; ++i) {
    float sum = 0;
    for (std::uint32_t device = 0; device < mesh.num_devices(); ++device)
      sum += gradient(device, i);
    golden[i] = sum / static_cast<float>(mesh.num_devices());
  }
  for (std::uint32_t device = 0; device < mesh.num_devices(); ++device) {
    std::vector<bfloat16> numbers(kNumbers);
    for (std::uint32_t i = 0; i < kNumbers; ++i) numbers[i] = gradient(device, i);
    gradients->write(device, bytes_of(numbers));
  }

  // Devices are ranks. The cost of a message is measured once and stored in a file.
  Communicator ranks(mesh);
  ranks.calibrate(DataType::kBfloat16);

  MeshCommandQueue& queue = mesh.mesh_command_queue();
  const Call call = ranks.all_reduce(gradients, means, DataType::kBfloat16, ReduceOp::kAverage,
                                     {.queue = &queue, .blocking = false});
  std::printf("%s", call.record().choice.text().c_str());
  call.wait();

  bool correct = true;
  for (std::uint32_t device = 0; device < mesh.num_devices(); ++device)
    correct = correct && means->read(device) == bytes_of(golden);
  std::printf("all_reduce: %u numbers on a %s in %.1f us by %s: %s\n", kNumbers,
              ranks.topology().c_str(), call.record().time_ns / 1000,
              call.record().choice.algorithm.c_str(), correct ? "as they should be" : "WRONG");
  return correct ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return average();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "all_reduce: %s\n", error.what());
    return 2;
  }
}
