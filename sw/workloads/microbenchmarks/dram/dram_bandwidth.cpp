#include "sw/workloads/microbenchmarks/dram/dram_bandwidth.h"

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kRingBlocks = 3;

/// Logical core beside a bank's endpoint, in the direction in which data of NoC 0 leaves it. If the
/// endpoint's row has no workers, the core is in the next row and one column further, so that no
/// two banks share a link (tt-metal tech_reports/Saturating_DRAM_bandwidth). `taken` are the cores
/// of other banks.
CoreCoord reader_of(const ChipLayout& layout, std::uint32_t bank,
                    const std::vector<CoreCoord>& taken) {
  const CoreCoord endpoint = layout.dram_noc0(bank);
  const CoreCoord grid = layout.grid_size();
  CoreCoord core{0, 0};
  while (core.x < grid.x && layout.worker_noc0({core.x, 0}).x < endpoint.x) ++core.x;
  while (core.y < grid.y && layout.worker_noc0({0, core.y}).y < endpoint.y) ++core.y;
  core.x %= grid.x;
  core.y %= grid.y;
  if (layout.worker_noc0(core).y != endpoint.y) ++core.x;
  for (std::uint32_t tries = 0; tries < layout.workers(); ++tries, ++core.x) {
    if (core.x >= grid.x) core = {0, (core.y + 1) % grid.y};
    if (std::find(taken.begin(), taken.end(), core) == taken.end()) return core;
  }
  bad_use("dram_bandwidth", "the chip has more DRAM banks than cores");
}

}  // namespace

double DramBandwidth::read_banks(MeshDevice& mesh, const MeshBuffer& tensor,
                                 const std::vector<std::uint8_t>& content, std::uint32_t banks,
                                 Result& result) const {
  const ChipLayout& layout = mesh.device(0).layout();
  std::vector<CoreCoord> cores;
  for (std::uint32_t bank = 0; bank < banks; ++bank)
    cores.push_back(reader_of(layout, bank, cores));
  const std::uint32_t block_bytes = config_.pages_per_block * config_.page_bytes;
  const auto ring = MeshBuffer::create(
      mesh,
      ShardedBufferConfig{.cores = CoreRangeSet(cores), .shard_bytes = kRingBlocks * block_bytes});
  DataMovementConfig config;
  config.processor = DataMovementProcessor::RISCV_1;
  config.noc = NOC::NOC_0;
  config.compile_args = {static_cast<std::uint32_t>(tensor.address()),
                         static_cast<std::uint32_t>(ring->address()),
                         kRingBlocks,
                         config_.blocks,
                         config_.pages_per_block,
                         config_.page_bytes};
  Program program = CreateProgram();
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/dram_stream.cpp", CoreRangeSet(cores), config);
  for (std::uint32_t bank = 0; bank < banks; ++bank)
    SetRuntimeArgs(program, kernel, cores[bank], {bank, bank & 3U});
  mesh.run(0, program);

  compare(layout.dram_banks(), *ring, cores, content, result);
  return static_cast<double>(std::uint64_t{banks} * pages_per_bank() * config_.page_bytes) /
         cycles_of_all_zones(mesh, &cores);
}

/// Compares the last block of each bank, in its slot of the ring.
void DramBandwidth::compare(std::uint32_t dram_banks, MeshBuffer& ring,
                            const std::vector<CoreCoord>& cores,
                            const std::vector<std::uint8_t>& content, Result& result) const {
  const std::uint32_t block_bytes = config_.pages_per_block * config_.page_bytes;
  const std::uint32_t last = config_.blocks - 1;
  for (std::uint32_t bank = 0; bank < cores.size(); ++bank) {
    const std::vector<std::uint8_t> bytes = ring.read_shard(0, cores[bank]);
    for (std::uint32_t page = 0; page < config_.pages_per_block; ++page) {
      const auto at =
          bytes.begin() + (last % kRingBlocks) * block_bytes + page * config_.page_bytes;
      const std::uint64_t row = std::uint64_t{last} * config_.pages_per_block + page;
      const auto expected = content.begin() + static_cast<std::ptrdiff_t>(
                                                  (row * dram_banks + bank) * config_.page_bytes);
      if (std::equal(at, at + config_.page_bytes, expected)) continue;
      fail(result, "core " + cores[bank].str() + " did not read what bank " + std::to_string(bank) +
                       " holds");
    }
  }
}

void DramBandwidth::check() const {
  if (config_.page_bytes % 32 != 0)
    bad_use("dram_bandwidth.page_bytes", std::to_string(config_.page_bytes.value()) +
                                             " is not a multiple of the 32 bytes that DRAM is "
                                             "aligned to");
}

void DramBandwidth::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const std::uint64_t bytes =
      std::uint64_t{mesh.dram_banks()} * pages_per_bank() * config_.page_bytes;
  const auto tensor = MeshBuffer::create(
      mesh, InterleavedBufferConfig{
                .size = bytes, .page_size = config_.page_bytes, .buffer_type = BufferType::DRAM});
  const Bytes content = random_bytes(seed, bytes);
  tensor->write(0, content);

  for (const std::uint32_t banks : {1U, mesh.dram_banks()}) {
    const double rate = read_banks(mesh, *tensor, content, banks, result);
    result.metrics.push_back({"read_" + std::to_string(banks) + "_channels", rate, "bytes/cycle"});
  }
}

}  // namespace tvp::workloads::microbenchmarks
