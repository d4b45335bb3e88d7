#include "sw/workloads/microbenchmarks/dram_latency.h"

#include <algorithm>
#include <random>

#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kInterleavedDram = 2;  // TensorAccessorArgs: IsDram
constexpr std::uint8_t kBlank = 0xA5;

/// Pages of several banks arrive in any order: the last one stays.
bool holds_a_page_of(const Bytes& pages, const Bytes& local) {
  for (auto page = pages.begin(); page != pages.end(); page += kLargest) {
    if (std::equal(local.begin(), local.end(), page)) return true;
  }
  return false;
}

}  // namespace

void DramLatency::measure(Context& context, MeshDevice& mesh, bool write, Result& result) const {
  const CoreCoord core{config_.core_x, config_.core_y};
  const std::size_t pages = std::min(config_.banks.value(), config_.transactions.value());
  const auto tensor = MeshBuffer::create(
      mesh, InterleavedBufferConfig{pages * kLargest, kLargest, BufferType::DRAM});
  const auto local = MeshBuffer::create(mesh, ShardedBufferConfig{core, kLargest});
  Bytes content(pages * kLargest);
  std::mt19937_64 random(context.seed);
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
  if (write) {
    for (std::size_t i = kLargest; i < content.size(); ++i) content[i] = content[i - kLargest];
    local->write_shard(0, core, {content.data(), kLargest});
    tensor->write(0, Bytes(content.size(), kBlank));
  } else {
    local->write_shard(0, core, Bytes(kLargest, kBlank));
    tensor->write(0, content);
  }

  const std::vector<std::uint32_t> args = {write ? 1U : 0U,
                                           static_cast<std::uint32_t>(local->address()),
                                           config_.transactions, config_.banks, kInterleavedDram};
  Program program = CreateProgram();
  const char* source = "firmware/kernels/microbenchmarks/dram_page.cpp";
  const KernelHandle kernel =
      write ? CreateKernel(program, source, core, WriterDataMovementConfig(args))
            : CreateKernel(program, source, core, ReaderDataMovementConfig(args));
  SetRuntimeArgs(program, kernel, core, {static_cast<std::uint32_t>(tensor->address())});
  std::vector<std::vector<double>> rounds;
  for (std::uint32_t round = 0; round < config_.rounds; ++round) {
    mesh.run(0, program);
    rounds.push_back(zone_cycles(mesh, "transfer", write ? contract::kBrisc : contract::kNcrisc));
  }

  if (write && tensor->read(0) != content) {
    result.passed = false;
    result.reason = "DRAM does not hold what was written";
  } else if (!write && !holds_a_page_of(content, local->read_shard(0, core))) {
    result.passed = false;
    result.reason = "the read brought other bytes";
  }
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

Result DramLatency::run(Context& context) {
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  Result result;
  result.passed = true;
  for (const bool write : {false, true}) measure(context, mesh, write, result);
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
