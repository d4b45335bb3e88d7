#include "sw/workloads/microbenchmarks/dram/dram_latency.h"

#include <algorithm>

#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

/// Pages of several banks arrive in any order, and the last one remains.
bool holds_a_page_of(const Bytes& pages, const Bytes& local) {
  for (auto page = pages.begin(); page != pages.end(); page += kLargest) {
    if (std::equal(local.begin(), local.end(), page)) return true;
  }
  return false;
}

}  // namespace

void DramLatency::measure(MeshDevice& mesh, std::uint64_t seed, bool write, Result& result) const {
  const CoreCoord core{config_.core_x, config_.core_y};
  const std::size_t pages = std::min(config_.banks.value(), config_.transactions.value());
  const auto tensor = MeshBuffer::create(
      mesh, InterleavedBufferConfig{
                .size = pages * kLargest, .page_size = kLargest, .buffer_type = BufferType::DRAM});
  const auto local =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = core, .shard_bytes = kLargest});
  Bytes content = random_bytes(seed, pages * kLargest);
  if (write) {
    for (std::size_t i = kLargest; i < content.size(); ++i) content[i] = content[i - kLargest];
    local->write_shard(0, core, {content.data(), kLargest});
    tensor->write(0, Bytes(content.size(), kBlank));
  } else {
    local->write_shard(0, core, Bytes(kLargest, kBlank));
    tensor->write(0, content);
  }

  const std::vector<std::uint32_t> args = {
      write ? 1U : 0U, static_cast<std::uint32_t>(local->address()), config_.transactions,
      config_.banks, static_cast<std::uint32_t>(tensor->address())};
  Program program = CreateProgram();
  const char* source = "firmware/kernels/microbenchmarks/dram_page.cpp";
  DataMovementConfig config = mover(write);
  config.compile_args = args;
  CreateKernel(program, source, core, config);
  std::vector<std::vector<double>> rounds;
  for (std::uint32_t round = 0; round < config_.rounds; ++round) {
    mesh.run(0, program);
    rounds.push_back(zone_cycles(mesh, "transfer", processor_of_mover(write)));
  }

  if (write && tensor->read(0) != content) {
    fail(result, "DRAM does not hold what was written");
  } else if (!write && !holds_a_page_of(content, local->read_shard(0, core))) {
    fail(result, "the read brought other bytes");
  }
  add_metrics(rounds, write, result);
}

void DramLatency::add_metrics(const std::vector<std::vector<double>>& rounds, bool write,
                              Result& result) const {
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    std::vector<double> cycles;
    for (const std::vector<double>& round : rounds) cycles.push_back(round[i]);
    std::sort(cycles.begin(), cycles.end());
    const std::string name = (write ? "write_" : "read_") + std::to_string(kSizes[i]);
    const double middle = cycles[cycles.size() / 2];
    result.metrics.push_back({name, middle, "cycles"});
    result.metrics.push_back({name + "_longest", cycles.back(), "cycles"});
    if (config_.transactions > 1)
      result.metrics.push_back({name + "_each", middle / config_.transactions, "cycles"});
  }
}

void DramLatency::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  for (const bool write : {false, true}) measure(mesh, seed, write, result);
}

}  // namespace tvp::workloads::microbenchmarks
