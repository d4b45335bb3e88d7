#include "sw/workloads/microbenchmarks/dram/dram_crowd.h"

#include <algorithm>
#include <random>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

std::vector<CoreCoord> DramCrowd::choose_cores(MeshDevice& mesh, std::uint64_t seed) const {
  const CoreCoord grid = mesh.device(0).layout().grid_size();
  std::vector<CoreCoord> all;
  for (std::uint32_t y = 0; y < grid.y; ++y) {
    for (std::uint32_t x = 0; x < grid.x; ++x) all.push_back({x, y});
  }
  // The default is all cores.
  const std::size_t wanted =
      config_.cores.is_default() ? std::min<std::size_t>(config_.cores, all.size()) : config_.cores;
  if (wanted > all.size())
    bad_use("dram_crowd.cores", std::to_string(config_.cores.value()) + " cores, the chip has " +
                                    std::to_string(all.size()));
  std::mt19937_64 random(seed);
  for (std::size_t i = all.size() - 1; config_.placement.value() == "random" && i > 0; --i)
    std::swap(all[i], all[random() % (i + 1)]);
  all.resize(wanted);
  return all;
}

void DramCrowd::check() const {
  if (config_.packet % 64 != 0)
    bad_use("dram_crowd.packet",
            std::to_string(config_.packet.value()) + " is not a multiple of 64 bytes");
  if (config_.bytes % config_.packet != 0)
    bad_use("dram_crowd.bytes", std::to_string(config_.bytes.value()) +
                                    " is not a multiple of packets of " +
                                    std::to_string(config_.packet.value()) + " bytes");
}

/// The bank of core `i`: banks in turn, one core after the other.
std::uint32_t DramCrowd::bank_of(std::size_t i) const {
  return static_cast<std::uint32_t>(i) % config_.channels;
}

std::uint32_t DramCrowd::row_of(std::size_t i) const {
  return static_cast<std::uint32_t>(i) / config_.channels * (config_.bytes / config_.packet);
}

Bytes DramCrowd::content_of_dram(std::uint32_t dram_banks, std::size_t cores, std::uint64_t seed,
                                 std::size_t bytes) const {
  Bytes in_dram(bytes, kBlank);
  for (std::size_t i = 0; i < cores; ++i) {
    const Bytes content = content_of_core(seed, i, config_.bytes);
    for (std::uint32_t row = 0; row < config_.bytes / config_.packet; ++row)
      std::copy_n(content.begin() + row * config_.packet, config_.packet,
                  in_dram.begin() + static_cast<std::ptrdiff_t>(
                                        page_at(dram_banks, bank_of(i), row_of(i) + row)));
  }
  return in_dram;
}

Program DramCrowd::make_program(const std::vector<CoreCoord>& cores, const MeshBuffer& local,
                                const MeshBuffer& tensor) const {
  DataMovementConfig config;
  config.processor = DataMovementProcessor::RISCV_0;
  config.noc = config_.noc == 0 ? NOC::NOC_0 : NOC::NOC_1;
  config.compile_args = {writes() ? 1U : 0U,
                         config_.channel_choice.value() == "static" ? 1U : 0U,
                         static_cast<std::uint32_t>(local.address()),
                         config_.bytes,
                         config_.packet,
                         config_.in_flight};
  Program program = CreateProgram();
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/dram_crowd.cpp", CoreRangeSet(cores), config);
  for (std::size_t i = 0; i < cores.size(); ++i)
    SetRuntimeArgs(
        program, kernel, cores[i],
        {bank_of(i), static_cast<std::uint32_t>(tensor.address()) + row_of(i) * config_.packet});
  return program;
}

void DramCrowd::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  if (config_.channels > mesh.dram_banks())
    bad_use("dram_crowd.channels", std::to_string(config_.channels.value()) +
                                       " channels, the chip has " +
                                       std::to_string(mesh.dram_banks()));
  const std::vector<CoreCoord> cores = choose_cores(mesh, seed);
  const std::uint32_t cores_per_bank =
      (static_cast<std::uint32_t>(cores.size()) + config_.channels - 1) / config_.channels;
  const auto local = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = CoreRangeSet(cores), .shard_bytes = config_.bytes});
  const std::uint64_t tensor_bytes =
      std::uint64_t{mesh.dram_banks()} * cores_per_bank * config_.bytes;
  const auto tensor =
      MeshBuffer::create(mesh, InterleavedBufferConfig{.size = tensor_bytes,
                                                       .page_size = config_.packet,
                                                       .buffer_type = BufferType::DRAM});
  for (std::size_t i = 0; writes() && i < cores.size(); ++i)
    local->write_shard(0, cores[i], content_of_core(seed, i, config_.bytes));
  const Bytes in_dram = content_of_dram(mesh.dram_banks(), cores.size(), seed, tensor_bytes);
  tensor->write(0, writes() ? Bytes(tensor_bytes, kBlank) : in_dram);
  mesh.run(0, make_program(cores, *local, *tensor));

  if (writes() && tensor->read(0) != in_dram) fail(result, "DRAM does not hold what was written");
  for (std::size_t i = 0; !writes() && i < cores.size(); ++i) {
    if (local->read_shard(0, cores[i]) == content_of_core(seed, i, config_.bytes)) continue;
    fail(result, "core " + cores[i].str() + " read other bytes");
  }
  const double moved = static_cast<double>(cores.size()) * config_.bytes;
  result.metrics.push_back({"rate", moved / cycles_of_all_zones(mesh), "bytes/cycle"});
  std::uint64_t fastest = ~std::uint64_t{0}, slowest = 0;
  for (const Zone& zone : mesh.zones()) {
    fastest = std::min(fastest, zone.end - zone.begin);
    slowest = std::max(slowest, zone.end - zone.begin);
  }
  result.metrics.push_back({"fastest_core", static_cast<double>(fastest), "cycles"});
  result.metrics.push_back({"slowest_core", static_cast<double>(slowest), "cycles"});
}

}  // namespace tvp::workloads::microbenchmarks
