#include "sw/workloads/microbenchmarks/noc/noc_pattern.h"

#include <algorithm>
#include <bit>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSmallest = 64;
constexpr std::uint32_t kShifts = 8;

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
  if (!all()) return {config_.outside ? CoreCoord{columns_, 0} : CoreCoord{0, 0}};
  return peers();
}

std::vector<CoreCoord> NocPattern::peers() const {
  std::vector<CoreCoord> cores;
  for (std::uint32_t x = 0; x < columns_; ++x) {
    for (std::uint32_t y = 0; y < rows_; ++y) {
      if (all() || config_.outside || x != 0 || y != 0) cores.push_back({x, y});
    }
  }
  return cores;
}

/// The participating cores, their data, and a slot of each for data from another.
struct NocPattern::Buffers {
  std::uint32_t bytes;
  std::vector<CoreCoord> cores;
  std::shared_ptr<MeshBuffer> source = nullptr;
  std::shared_ptr<MeshBuffer> destination = nullptr;

  Bytes content(std::uint64_t seed, CoreCoord core) const {
    const auto at = std::find(cores.begin(), cores.end(), core) - cores.begin();
    return content_of_core(seed, static_cast<std::size_t>(at), bytes);
  }
};

NocPattern::Buffers NocPattern::make_buffers(MeshDevice& mesh, std::uint32_t bytes,
                                             std::uint64_t seed) const {
  Buffers buffers{.bytes = bytes, .cores = peers()};
  const std::vector<CoreCoord> issuing = initiators();
  for (const CoreCoord core : issuing) {
    const auto& known = buffers.cores;
    if (std::find(known.begin(), known.end(), core) == known.end()) buffers.cores.push_back(core);
  }
  const CoreRangeSet all(buffers.cores);
  buffers.source =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all, .shard_bytes = bytes});
  const auto slots = static_cast<std::uint32_t>(writes() ? issuing.size() : peers().size());
  buffers.destination =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all, .shard_bytes = bytes * slots});
  for (const CoreCoord core : buffers.cores) {
    buffers.source->write_shard(0, core, buffers.content(seed, core));
    buffers.destination->write_shard(0, core, Bytes(std::size_t{bytes} * slots, kBlank));
  }
  return buffers;
}

Program NocPattern::make_program(MeshDevice& mesh, const Buffers& buffers, std::uint32_t shift,
                                 std::uint64_t seed, GoSignal& go) const {
  const std::vector<CoreCoord> cores = initiators();
  const std::vector<CoreCoord> others = peers();
  const auto at_source = static_cast<std::uint32_t>(buffers.source->address());
  const auto at_destination = static_cast<std::uint32_t>(buffers.destination->address());
  DataMovementConfig config = mover(writes());
  config.compile_args = {writes() ? 1U : 0U,
                         config_.transactions,
                         writes() ? at_source : at_destination,
                         writes() ? at_destination : at_source,
                         config_.stateful ? 1U : 0U,
                         static_cast<std::uint32_t>(others.size())};
  Program program = CreateProgram();
  if (config_.fast_dispatch) {
    const CoreCoord far{columns_ - (config_.outside ? 0 : 1), rows_ - 1};
    go = GoSignal(mesh, program, cores.front(), far, 1, seed);
  } else if (!all()) {
    rest(program, others, cores.front());
  }
  go.append_to(config.compile_args);
  const KernelHandle kernel = CreateKernel(
      program, "firmware/kernels/microbenchmarks/noc_pattern.cpp", CoreRangeSet(cores), config);
  for (std::uint32_t i = 0; i < cores.size(); ++i) {
    std::vector<std::uint32_t> arguments{shift, writes() ? i * buffers.bytes : 0};
    for (const CoreCoord other : others) {
      const CoreCoord at = mesh.device(0).worker_core_from_logical_core(other);
      if (writes()) {
        arguments.push_back(at.x << 16 | at.y);
      } else {
        arguments.insert(arguments.end(), {at.x, at.y});
      }
    }
    SetRuntimeArgs(program, kernel, cores[i], arguments);
  }
  return program;
}

void NocPattern::compare(const Buffers& buffers, std::uint64_t seed, Result& result) const {
  const std::vector<CoreCoord> senders = writes() ? initiators() : peers();
  for (const CoreCoord receiver : writes() ? peers() : initiators()) {
    const Bytes found = buffers.destination->read_shard(0, receiver);
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const auto slot = found.begin() + static_cast<std::ptrdiff_t>(i * buffers.bytes);
      const Bytes sent = buffers.content(seed, senders[i]);
      if (std::equal(sent.begin(), sent.end(), slot)) continue;
      fail(result,
           "core " + receiver.str() + " does not hold what core " + senders[i].str() + " had");
    }
  }
}

std::vector<double> NocPattern::measure(MeshDevice& mesh, std::uint32_t shift, std::uint64_t seed,
                                        Result& result) const {
  const Buffers buffers = make_buffers(mesh, kSmallest << shift, seed);
  GoSignal go;
  mesh.run(0, make_program(mesh, buffers, shift, seed, go));
  compare(buffers, seed, result);
  return zone_cycles(mesh, "transfer", processor_of_mover(writes()));
}

void NocPattern::check() const {
  if (config_.fast_dispatch && all())
    bad_use("noc_pattern.fast_dispatch", "all tiles have something to run: none only wakes up");
  if (config_.bytes != 0 &&
      (config_.bytes < kSmallest || !std::has_single_bit(config_.bytes.value())))
    bad_use("noc_pattern.bytes",
            std::to_string(config_.bytes.value()) + " is not a power of two from 64 to 8192");
}

void NocPattern::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const CoreCoord grid = mesh.device(0).layout().grid_size();
  // The default is the whole chip.
  const std::uint32_t beside = config_.outside ? 1 : 0;
  columns_ = config_.columns;
  rows_ = config_.rows;
  if (config_.columns.is_default()) columns_ = std::min(columns_, grid.x - beside);
  if (config_.rows.is_default()) rows_ = std::min(rows_, grid.y);
  if (columns_ * rows_ < 2) bad_use("noc_pattern", "a rectangle of one core");
  if (columns_ + beside > grid.x || rows_ > grid.y)
    bad_use("noc_pattern",
            "the chip has " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " cores");

  const double count = config_.transactions * static_cast<double>(peers().size());
  for (std::uint32_t shift = 0; shift < kShifts; ++shift) {
    const std::uint32_t bytes = kSmallest << shift;
    if (config_.bytes != 0 && config_.bytes != bytes) continue;
    const double cycles = median(measure(mesh, shift, seed, result));
    const std::string name = (writes() ? "write_" : "read_") + std::to_string(bytes);
    result.metrics.push_back({name, cycles, "cycles"});
    result.metrics.push_back({name + "_each", cycles / count, "cycles"});
    result.metrics.push_back({name + "_rate", count * bytes / cycles, "bytes/cycle"});
  }
}

}  // namespace tvp::workloads::microbenchmarks
