#include "sw/workloads/microbenchmarks/noc/noc_transfer.h"

#include <algorithm>
#include <iterator>

#include "sw/workloads/microbenchmarks/go_signal.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

std::vector<double> run_noc_transfer(MeshDevice& mesh, const NocTransfer& transfer,
                                     std::uint64_t seed, Result& result) {
  Device& device = mesh.device(0);
  std::vector<CoreCoord> tiles{transfer.from};
  if (transfer.to != transfer.from) tiles.push_back(transfer.to);
  const CoreRangeSet both{tiles};
  const auto source =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = both, .shard_bytes = kLargest});
  const auto destination =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = both, .shard_bytes = kLargest});
  const Bytes content = random_bytes(seed, kLargest);
  const CoreCoord sender = transfer.write ? transfer.from : transfer.to;
  const CoreCoord receiver = transfer.write ? transfer.to : transfer.from;
  source->write_shard(0, sender, content);
  destination->write_shard(0, receiver, Bytes(kLargest, kBlank));

  const auto at_source = static_cast<std::uint32_t>(source->address());
  const auto at_destination = static_cast<std::uint32_t>(destination->address());
  const CoreCoord other = device.worker_core_from_logical_core(transfer.to);
  DataMovementConfig config = mover(transfer.write);
  config.compile_args = {transfer.write ? 1U : 0U,
                         transfer.transactions,
                         transfer.write ? at_source : at_destination,
                         transfer.write ? at_destination : at_source,
                         transfer.stateful ? 1U : 0U,
                         other.x,
                         other.y,
                         transfer.by_functions ? 1U : 0U};
  Program program = CreateProgram();
  GoSignal go;
  if (transfer.fast_dispatch) {
    const CoreCoord far{std::max(transfer.from.x, transfer.to.x),
                        std::max(transfer.from.y, transfer.to.y)};
    go = GoSignal(mesh, program, transfer.from, far, std::size(kSizes), seed);
  } else {
    rest(program, {transfer.to}, transfer.from);
  }
  go.append_to(config.compile_args);
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/noc_transfer.cpp", transfer.from, config);
  SetRuntimeArgs(program, kernel, transfer.from, {other.x, other.y});
  mesh.run(0, program);

  if (destination->read_shard(0, receiver) != content) {
    fail(result, (transfer.write ? "a write to " : "a read from ") + transfer.to.str() +
                     " did not bring the bytes that were sent");
  }
  return zone_cycles(mesh, "transfer", processor_of_mover(transfer.write));
}

}  // namespace tvp::workloads::microbenchmarks
