#include "sw/workloads/microbenchmarks/dram_latency.h"

#include <algorithm>
#include <random>

#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
constexpr std::uint32_t kInterleavedDram = 2;  // TensorAccessorArgs: IsDram
}

Result DramLatency::run(Context& context) {
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  const CoreCoord core{config_.core_x, config_.core_y};

  Result result;
  result.passed = true;
  for (const bool write : {false, true}) {
    const auto tensor =
        MeshBuffer::create(mesh, InterleavedBufferConfig{kLargest, kLargest, BufferType::DRAM});
    const auto local = MeshBuffer::create(mesh, ShardedBufferConfig{core, kLargest});
    std::vector<std::uint8_t> content(kLargest);
    std::mt19937_64 random(context.seed);
    for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
    const std::vector<std::uint8_t> blank(kLargest, 0xA5);
    tensor->write(0, write ? blank : content);
    local->write_shard(0, core, write ? content : blank);

    const std::vector<std::uint32_t> args = {
        write ? 1U : 0U, static_cast<std::uint32_t>(local->address()), kInterleavedDram};
    Program program = CreateProgram();
    const char* source = "firmware/kernels/microbenchmarks/dram_page.cpp";
    const KernelHandle kernel =
        write ? CreateKernel(program, source, core, WriterDataMovementConfig(args))
              : CreateKernel(program, source, core, ReaderDataMovementConfig(args));
    SetRuntimeArgs(program, kernel, core, {static_cast<std::uint32_t>(tensor->address())});
    std::vector<std::vector<double>> rounds;
    for (std::uint32_t round = 0; round < config_.rounds; ++round) {
      mesh.run(0, program);
      rounds.push_back(zone_cycles(mesh, "transfer", write ? boot::kBrisc : boot::kNcrisc));
    }

    if ((write ? tensor->read(0) : local->read_shard(0, core)) != content) {
      result.passed = false;
      result.reason =
          write ? "DRAM does not hold what was written" : "the read brought other bytes";
    }
    for (std::size_t i = 0; i < rounds.front().size(); ++i) {
      std::vector<double> cycles;
      for (const std::vector<double>& round : rounds) cycles.push_back(round[i]);
      std::sort(cycles.begin(), cycles.end());
      const std::string name = (write ? "write_" : "read_") + std::to_string(kSizes[i]);
      result.metrics.push_back({name, cycles[cycles.size() / 2], "cycles"});
      result.metrics.push_back({name + "_longest", cycles.back(), "cycles"});
    }
  }
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
