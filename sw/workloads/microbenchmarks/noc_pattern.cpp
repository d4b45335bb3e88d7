#include "sw/workloads/microbenchmarks/noc_pattern.h"

#include <algorithm>
#include <bit>
#include <random>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSmallest = 64;
constexpr std::uint32_t kShifts = 8;
using Bytes = std::vector<std::uint8_t>;

Bytes content_of(std::uint64_t seed, std::size_t core, std::uint32_t bytes) {
  Bytes content(bytes);
  std::mt19937_64 random(seed * 1000 + core);
  std::generate(content.begin(), content.end(),
                [&] { return static_cast<std::uint8_t>(random()); });
  return content;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

bool NocPattern::writes() const {
  return config_.pattern.value() == "one_to_all" || config_.pattern.value() == "all_to_all";
}

bool NocPattern::all() const {
  return config_.pattern.value() == "all_to_all" || config_.pattern.value() == "all_from_all";
}

std::vector<CoreCoord> NocPattern::initiators() const {
  if (!all()) return {config_.outside ? CoreCoord{config_.columns, 0} : CoreCoord{0, 0}};
  return peers();
}

std::vector<CoreCoord> NocPattern::peers() const {
  std::vector<CoreCoord> cores;
  for (std::uint32_t x = 0; x < config_.columns; ++x) {
    for (std::uint32_t y = 0; y < config_.rows; ++y) {
      if (all() || config_.outside || x != 0 || y != 0) cores.push_back({x, y});
    }
  }
  return cores;
}

std::vector<double> NocPattern::measure(MeshDevice& mesh, std::uint32_t shift, std::uint64_t seed,
                                        Result& result) {
  const std::uint32_t bytes = kSmallest << shift;
  const std::vector<CoreCoord> cores = initiators();
  const std::vector<CoreCoord> others = peers();
  std::vector<CoreCoord> involved = others;
  for (const CoreCoord core : cores) {
    if (std::find(involved.begin(), involved.end(), core) == involved.end())
      involved.push_back(core);
  }
  // What is sent, and a slot for each core that sends.
  const auto source = MeshBuffer::create(mesh, ShardedBufferConfig{CoreRangeSet(involved), bytes});
  const auto slots = static_cast<std::uint32_t>(writes() ? cores.size() : others.size());
  const auto destination =
      MeshBuffer::create(mesh, ShardedBufferConfig{CoreRangeSet(involved), bytes * slots});
  for (std::size_t i = 0; i < involved.size(); ++i) {
    source->write_shard(0, involved[i], content_of(seed, i, bytes));
    destination->write_shard(0, involved[i], Bytes(std::size_t{bytes} * slots, 0xA5));
  }

  DataMovementConfig config;
  config.processor = writes() ? DataMovementProcessor::RISCV_0 : DataMovementProcessor::RISCV_1;
  config.noc = writes() ? NOC::RISCV_0_default : NOC::RISCV_1_default;
  const auto at_source = static_cast<std::uint32_t>(source->address());
  const auto at_destination = static_cast<std::uint32_t>(destination->address());
  config.compile_args = {writes() ? 1U : 0U,
                         config_.transactions,
                         writes() ? at_source : at_destination,
                         writes() ? at_destination : at_source,
                         config_.stateful ? 1U : 0U,
                         static_cast<std::uint32_t>(others.size())};
  Program program = CreateProgram();
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/noc_pattern.cpp", CoreRangeSet(cores), config);
  for (std::uint32_t i = 0; i < cores.size(); ++i) {
    std::vector<std::uint32_t> arguments{shift, writes() ? i * bytes : 0};
    for (const CoreCoord other : others) {
      const CoreCoord at = mesh.device(0).worker_core_from_logical_core(other);
      arguments.push_back(at.x);
      arguments.push_back(at.y);
    }
    SetRuntimeArgs(program, kernel, cores[i], arguments);
  }
  mesh.run(0, program);

  const std::vector<CoreCoord>& senders = writes() ? cores : others;
  for (const CoreCoord receiver : writes() ? others : cores) {
    const Bytes found = destination->read_shard(0, receiver);
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const auto sent = static_cast<std::size_t>(
          std::find(involved.begin(), involved.end(), senders[i]) - involved.begin());
      const auto slot = found.begin() + static_cast<std::ptrdiff_t>(i * bytes);
      if (std::equal(slot, slot + bytes, content_of(seed, sent, bytes).begin())) continue;
      result.passed = false;
      result.reason =
          "core " + receiver.str() + " does not hold what core " + senders[i].str() + " had";
    }
  }
  return zone_cycles(mesh, "transfer", writes() ? contract::kBrisc : contract::kNcrisc);
}

Result NocPattern::run(Context& context) {
  if (config_.bytes != 0 &&
      (config_.bytes < kSmallest || !std::has_single_bit(config_.bytes.value())))
    bad_use("noc_pattern.bytes",
            std::to_string(config_.bytes.value()) + " is not a power of two from 64 to 8192");
  if (config_.columns * config_.rows < 2) bad_use("noc_pattern", "a rectangle of one core");
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  const CoreCoord grid = mesh.device(0).layout().grid_size();
  if (config_.columns + (config_.outside ? 1 : 0) > grid.x || config_.rows > grid.y)
    bad_use("noc_pattern",
            "the chip has " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " cores");

  Result result;
  result.passed = true;
  const double count = config_.transactions * static_cast<double>(peers().size());
  for (std::uint32_t shift = 0; shift < kShifts; ++shift) {
    const std::uint32_t bytes = kSmallest << shift;
    if (config_.bytes != 0 && config_.bytes != bytes) continue;
    const double cycles = median(measure(mesh, shift, context.seed, result));
    const std::string name = (writes() ? "write_" : "read_") + std::to_string(bytes);
    result.metrics.push_back({name, cycles, "cycles"});
    result.metrics.push_back({name + "_each", cycles / count, "cycles"});
    result.metrics.push_back({name + "_rate", count * bytes / cycles, "bytes/cycle"});
  }
  context.compile_seconds += mesh.compile_seconds();
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
