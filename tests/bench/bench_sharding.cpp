// Speed of spreading a tensor of 256 MiB over the eight chips of a t3000: lowering, cutting and
// passing on. The target is a bus that does nothing, and once the simulated bus.
//   bench_sharding [--short] [--json FILE]
#include <cstdio>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/lowering.h"
#include "tests/support/bench_report.h"
#include "tests/support/described_chips.h"
#include "tests/support/memory_chips.h"

namespace {

using namespace tvp::runtime;
using namespace tvp::runtime::sharding;
using tvp::test::BenchReport;
using tvp::test::cpu_seconds;

constexpr double kBar = 1;  // GB/s

/// A tensor of 16-bit numbers, and how it is cut.
struct Work {
  const char* name;
  TensorShape shape;
  std::array<std::optional<int>, 2> dims;  ///< for rows and columns of the mesh
  bool by_config;
  TensorLayoutType order = TensorLayoutType::LIN_ROW_MAJOR;
};

/// The tensors; `batch` scales their size for short runs.
std::vector<Work> works(std::uint64_t batch) {
  constexpr auto kAll = std::nullopt;
  return {
      {"batch, rows of 8 KiB", {batch, 8, 128, 4096}, {kAll, 0}, true},
      {"columns, rows of 2 KiB", {1, 1, batch * 1024, 4096}, {kAll, 3}, true},
      {"blocks", {1, 1, batch * 1024, 4096}, {2, 3}, true},
      {"heads of many users", {batch, 32, 256, 512}, {0, 1}, false},
      {"rows of 64 bytes", {batch, 128, 256, 128}, {1, 3}, false},
      {"tiles of blocks",
       {1, 1, batch * 1024, 4096},
       {2, 3},
       false,
       TensorLayoutType::TILED_NFACES},
  };
}

DeviceLibrary::Functions idle_bus() {
  DeviceLibrary::Functions functions = tvp::test::MemoryChips::functions();
  functions.pci_mem_wr_bytes = [](std::uint64_t, const void*, std::uint32_t) {};
  return functions;
}

std::unique_ptr<DistributedBuffer> create(MeshDevice& mesh, const Work& work) {
  const MeshMapper mapper = ShardTensor2DMesh(mesh, work.dims);
  const DeviceLocalLayoutConfig layout{.order = work.order};
  if (work.by_config) return DistributedBuffer::create(lower(mesh, mapper, work.shape, 2, layout));
  return DistributedBuffer::create(mesh, mapper, work.shape, 2, layout);
}

/// GB of the tensor per second of CPU time.
double speed_of(MeshDevice& mesh, const Work& work, const std::vector<std::uint8_t>& tensor) {
  const double start = cpu_seconds();
  const auto buffer = create(mesh, work);
  buffer->write(std::span(tensor).first(buffer->global_size()));
  return static_cast<double>(buffer->global_size()) * 1e-9 / (cpu_seconds() - start);
}

void measure(BenchReport& report, MeshDevice& mesh, const Work& work, const std::string& name,
             const std::vector<std::uint8_t>& tensor, std::optional<double> bar) {
  mesh.reshape({2, 4});
  speed_of(mesh, work, tensor);  // the first run allocates all memory
  const double speed = speed_of(mesh, work, tensor);
  std::printf("%-40s %6.2f GB/s\n", name.c_str(), speed);
  report.add(name, speed, "GB/s", BenchReport::Better::kHigher, bar);
}

}  // namespace

int main(int argc, char** argv) {
  BenchReport report("sharding", argc, argv);
  try {
    const std::vector<Work> all = works(report.is_short() ? 4 : 32);
    std::vector<std::uint8_t> tensor(volume(all.front().shape) * 2);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      tensor[i] = static_cast<std::uint8_t>(i * 0x9E3779B1 >> 24);
    {
      tvp::test::MemoryChips chips(tvp::tests::wormhole(), std::vector<std::uint32_t>(8, 513));
      DeviceLibrary library(idle_bus(), "a bus that does nothing");
      MeshDevice mesh(library, {});
      for (const Work& work : all) measure(report, mesh, work, work.name, tensor, kBar);
    }
    const auto library = DeviceLibrary::open(TVP_LIBRARY);
    library->configure("system=t3000");
    MeshDevice mesh(*library, {});
    measure(report, mesh, all[1], "columns, with the bus of a t3000", tensor, std::nullopt);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_sharding: %s\n", error.what());
    return 2;
  }
  return report.finish();
}
