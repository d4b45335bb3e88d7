#include "sw/workloads/microbenchmarks/noc/noc_multicast.h"

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
constexpr std::uint32_t kMeasured = 8;  // sizes
}

void NocMulticast::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const CoreCoord first{0, 0};
  const CoreCoord last{config_.columns - 1, config_.rows - 1};
  const CoreCoord sender = config_.outside ? CoreCoord{config_.columns, 0} : first;
  if (sender.x >= mesh.device(0).layout().grid_size().x)
    bad_use("noc_multicast.outside", "there is no core right of the rectangle");
  const CoreRangeSet rectangle{CoreRange(first, last)};
  const auto destination =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = rectangle, .shard_bytes = kLargest});
  const auto source =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = sender, .shard_bytes = kLargest});
  const Bytes content = random_bytes(seed, kLargest);
  source->write_shard(0, sender, content);
  for (const CoreCoord core : destination->shard_cores())
    destination->write_shard(0, core, Bytes(kLargest, kBlank));

  const CoreCoord from = mesh.device(0).worker_core_from_logical_core(first);
  const CoreCoord to = mesh.device(0).worker_core_from_logical_core(last);
  DataMovementConfig config;
  config.compile_args = {config_.transactions,
                         config_.linked ? 1U : 0U,
                         static_cast<std::uint32_t>(source->address()),
                         static_cast<std::uint32_t>(destination->address()),
                         config_.columns * config_.rows,
                         config_.outside ? 1U : 0U,
                         from.x,
                         from.y,
                         to.x,
                         to.y};
  Program program = CreateProgram();
  GoSignal go;
  if (config_.fast_dispatch)
    go = GoSignal(mesh, program, sender, {std::max(last.x, sender.x), last.y}, kMeasured, seed);
  else
    rest(program, destination->shard_cores(), sender);
  go.append_to(config.compile_args);
  CreateKernel(program, "firmware/kernels/microbenchmarks/noc_multicast.cpp", sender, config);
  mesh.run(0, program);

  for (const CoreCoord core : destination->shard_cores()) {
    if (destination->read_shard(0, core) == content) continue;
    fail(result, "core " + core.str() + " does not hold what was written");
  }
  std::uint32_t bytes = 64;
  for (const double cycles : zone_cycles(mesh, "transfer", contract::kBrisc)) {
    const std::string name = "write_" + std::to_string(bytes);
    result.metrics.push_back({name, cycles, "cycles"});
    if (config_.transactions > 1)
      result.metrics.push_back({name + "_each", cycles / config_.transactions, "cycles"});
    bytes *= 2;
  }
}

}  // namespace tvp::workloads::microbenchmarks
