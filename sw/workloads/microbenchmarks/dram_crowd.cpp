#include "sw/workloads/microbenchmarks/dram_crowd.h"

#include <algorithm>
#include <random>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kPacketBytes = 8192;
using Bytes = std::vector<std::uint8_t>;

/// What a core moves: recognizable as its own.
Bytes content_of(std::uint64_t seed, std::size_t core, std::uint32_t bytes) {
  Bytes content(bytes);
  std::mt19937_64 random(seed * 1000 + core);
  std::generate(content.begin(), content.end(),
                [&] { return static_cast<std::uint8_t>(random()); });
  return content;
}

/// Where page `row` of a bank is in a buffer that is interleaved over all banks.
std::size_t page_at(std::uint32_t bank, std::uint32_t row) {
  return (std::size_t{row} * contract::kDramBanks + bank) * kPacketBytes;
}

}  // namespace

std::vector<CoreCoord> DramCrowd::choose_cores(MeshDevice& mesh, std::uint64_t seed) const {
  const CoreCoord grid = mesh.device(0).layout().grid_size();
  std::vector<CoreCoord> all;
  for (std::uint32_t y = 0; y < grid.y; ++y) {
    for (std::uint32_t x = 0; x < grid.x; ++x) all.push_back({x, y});
  }
  if (config_.cores > all.size())
    bad_use("dram_crowd.cores", std::to_string(config_.cores.value()) + " cores, the chip has " +
                                    std::to_string(all.size()));
  std::mt19937_64 random(seed);
  for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[random() % (i + 1)]);
  all.resize(config_.cores);
  return all;
}

Result DramCrowd::run(Context& context) {
  if (config_.bytes % kPacketBytes != 0)
    bad_use("dram_crowd.bytes", std::to_string(config_.bytes.value()) +
                                    " is not a multiple of packets of " +
                                    std::to_string(kPacketBytes) + " bytes");
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  const std::vector<CoreCoord> cores = choose_cores(mesh, context.seed);
  const std::uint32_t rows_per_core = config_.bytes / kPacketBytes;
  const std::uint32_t cores_per_bank = (config_.cores + config_.channels - 1) / config_.channels;
  const auto bank_of = [&](std::size_t i) {
    return static_cast<std::uint32_t>(i) % config_.channels;
  };
  const auto row_of = [&](std::size_t i) {
    return static_cast<std::uint32_t>(i) / config_.channels * rows_per_core;
  };
  const auto local =
      MeshBuffer::create(mesh, ShardedBufferConfig{CoreRangeSet(cores), config_.bytes});
  const std::uint64_t tensor_bytes =
      std::uint64_t{contract::kDramBanks} * cores_per_bank * config_.bytes;
  const auto tensor = MeshBuffer::create(
      mesh, InterleavedBufferConfig{tensor_bytes, kPacketBytes, BufferType::DRAM});

  Bytes in_dram(tensor_bytes, 0xA5);
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const Bytes content = content_of(context.seed, i, config_.bytes);
    if (writes()) local->write_shard(0, cores[i], content);
    for (std::uint32_t row = 0; row < rows_per_core; ++row)
      std::copy_n(
          content.begin() + row * kPacketBytes, kPacketBytes,
          in_dram.begin() + static_cast<std::ptrdiff_t>(page_at(bank_of(i), row_of(i) + row)));
  }
  tensor->write(0, writes() ? Bytes(tensor_bytes, 0xA5) : in_dram);

  DataMovementConfig config;
  config.processor = DataMovementProcessor::RISCV_0;
  config.noc = config_.noc == 0 ? NOC::NOC_0 : NOC::NOC_1;
  config.compile_args = {writes() ? 1U : 0U, config_.channel_choice.value() == "static" ? 1U : 0U,
                         static_cast<std::uint32_t>(local->address()), config_.bytes};
  Program program = CreateProgram();
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/dram_crowd.cpp", CoreRangeSet(cores), config);
  for (std::size_t i = 0; i < cores.size(); ++i)
    SetRuntimeArgs(
        program, kernel, cores[i],
        {bank_of(i), static_cast<std::uint32_t>(tensor->address()) + row_of(i) * kPacketBytes});
  mesh.run(0, program);

  Result result;
  result.passed = true;
  if (writes() && tensor->read(0) != in_dram) {
    result.passed = false;
    result.reason = "DRAM does not hold what was written";
  }
  for (std::size_t i = 0; !writes() && i < cores.size(); ++i) {
    if (local->read_shard(0, cores[i]) == content_of(context.seed, i, config_.bytes)) continue;
    result.passed = false;
    result.reason = "core " + cores[i].str() + " read other bytes";
  }
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (const Zone& zone : mesh.zones()) {
    begin = std::min(begin, zone.begin);
    end = std::max(end, zone.end);
  }
  const double moved = static_cast<double>(cores.size()) * config_.bytes;
  result.metrics.push_back({"rate", moved / static_cast<double>(end - begin), "bytes/cycle"});
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
