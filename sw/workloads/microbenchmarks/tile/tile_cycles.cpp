#include "sw/workloads/microbenchmarks/tile/tile_cycles.h"

#include "sw/runtime/host_api.h"
#include "sw/workloads/microbenchmarks/first_core.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kTurns = 4;
constexpr std::uint32_t kInstructions = 64;  // instructions of a turn
constexpr std::uint32_t kBlocks = 64;

/// Each kind has two zones. The second has 2 * `count` more repetitions.
double each(const std::vector<double>& zones, std::size_t kind, double count) {
  return (zones.at(2 * kind + 1) - zones.at(2 * kind)) / (2 * count);
}

}  // namespace

void TileCycles::run_on(MeshDevice& mesh, std::uint64_t /*seed*/, Result& result) {
  measure_core(mesh, result);
  measure_packers(mesh, result);
  if (config_.format == "bfloat16") measure_tilize(mesh, result);
}

void TileCycles::measure_core(MeshDevice& mesh, Result& result) const {
  const auto scratch =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = 32});
  DataMovementConfig core;
  core.compile_args = {static_cast<std::uint32_t>(scratch->address()), kTurns};
  Program instructions = CreateProgram();
  CreateKernel(instructions, "firmware/kernels/microbenchmarks/core_cycles.cpp", kFirstCore, core);
  mesh.run(0, instructions);
  const std::vector<double> turns = zone_cycles(mesh, "turns", contract::kBrisc);
  static constexpr const char* kKinds[] = {
      "add", "multiply", "load_local_dependent", "load_l1_dependent", "load_l1", "store_l1"};
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
    result.metrics.push_back({kKinds[kind], each(turns, kind, kTurns * kInstructions), "cycles"});
}

Program TileCycles::with_buffers(const std::shared_ptr<MeshBuffer>& operands) const {
  const bool block_float = config_.format == "bfp8_b";
  const DataFormat format = block_float ? DataFormat::Bfp8_b : DataFormat::Float16_b;
  const std::uint32_t bytes = block_float ? 1088 : 2048;
  Program program = CreateProgram();
  for (const std::uint8_t index : {std::uint8_t{0}, std::uint8_t{16}}) {
    CircularBufferConfig buffer(config_.tiles * bytes, {{index, format}});
    buffer.set_page_size(index, bytes);
    if (index == 0 && operands != nullptr) buffer.set_globally_allocated_address(*operands);
    CreateCircularBuffer(program, kFirstCore, buffer);
  }
  return program;
}

void TileCycles::measure_packers(MeshDevice& mesh, Result& result) const {
  const bool block_float = config_.format == "bfp8_b";
  Program packing = with_buffers();
  ComputeConfig compute;
  compute.compile_args = {kBlocks, config_.tiles, !block_float};
  CreateKernel(packing, "firmware/kernels/microbenchmarks/pack_cycles.cpp", kFirstCore, compute);
  mesh.run(0, packing);
  const std::vector<double> blocks = zone_cycles(mesh, "blocks", contract::kTrisc2);
  result.metrics.push_back(
      {"pack_tile", each(blocks, 0, double{kBlocks} * config_.tiles), "cycles"});
  if (block_float) return;
  const std::vector<double> rows = zone_cycles(mesh, "rows", contract::kTrisc2);
  result.metrics.push_back(
      {"pack_untilize", each(rows, 0, double{kBlocks} * config_.tiles), "cycles"});
}

void TileCycles::measure_tilize(MeshDevice& mesh, Result& result) const {
  // Operands are in the buffers from the beginning, so no core pushes them.
  const auto operands = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = config_.tiles * 2048});
  operands->write_shard(0, kFirstCore, std::vector<std::uint8_t>(operands->size()));
  Program tilize = with_buffers(operands);
  ComputeConfig compute;
  compute.compile_args = {kBlocks, config_.tiles};
  CreateKernel(tilize, "firmware/kernels/microbenchmarks/tilize_cycles.cpp", kFirstCore, compute);
  mesh.run(0, tilize);
  const std::vector<double> blocks = zone_cycles(mesh, "blocks", contract::kTrisc2);
  result.metrics.push_back(
      {"tilize_block", each(blocks, 0, double{kBlocks} * config_.tiles), "cycles"});
}

}  // namespace tvp::workloads::microbenchmarks
