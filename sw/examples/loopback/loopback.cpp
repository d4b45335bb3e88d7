// Copies a buffer in DRAM to another one, by one Tensix core.

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kPageBytes = 1024;
constexpr std::uint32_t kPages = 50;

int copy() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // Page i is in bank i modulo the number of banks, which a kernel need not know.
  const InterleavedBufferConfig in_dram{.size = kPages * kPageBytes, .page_size = kPageBytes};
  const auto source = CreateBuffer(mesh, in_dram);
  const auto destination = CreateBuffer(mesh, in_dram);
  const CoreCoord core{0, 0};
  const auto scratch =
      CreateBuffer(mesh, ShardedBufferConfig{.cores = core, .shard_bytes = kPageBytes});
  std::vector<std::uint8_t> content(source->size());
  std::iota(content.begin(), content.end(), std::uint8_t{3});
  source->write(0, content);

  Program program = CreateProgram();
  const DataMovementConfig config{.compile_args =
                                      TensorAccessorArgs(*source).get_compile_time_args()};
  const auto loopback = CreateKernel(program, KERNELS "loopback.cpp", core, config);
  const auto address = [](const auto& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  SetRuntimeArgs(program, loopback, core,
                 {address(source), address(destination), address(scratch), kPages});
  mesh.run(0, program);

  const auto times = mesh.run_times(0, mesh.device(0).worker(core));
  const std::string wrong = destination->difference(0, content);
  std::printf("loopback: %u pages in %llu cycles: %s\n", kPages,
              static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as they were" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return copy();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "loopback: %s\n", error.what());
    return 2;
  }
}
