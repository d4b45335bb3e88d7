#include "sw/workloads/parallel/parallel.h"

#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/execution/chip_topology.h"
#include "sw/runtime/errors.h"
#include "sw/workloads/parallel/kinds.h"

namespace tvp::workloads::parallel {
namespace {

constexpr std::uint32_t kTile = 32;

using Kind = std::string (*)(ParallelMachine&, const Sizes&, std::mt19937_64&);

struct KindEntry {
  Kind run;
  /// The number of tokens must be a multiple of this.
  std::uint32_t (*tokens)(std::uint32_t devices, std::uint32_t batches);
};

const std::map<std::string, KindEntry>& kinds() {
  using Count = std::uint32_t;
  static const std::map<std::string, KindEntry> all{
      {"tp", {tensor_parallel, [](Count, Count) { return kTile; }}},
      {"dp", {data_parallel, [](Count devices, Count) { return devices * kTile; }}},
      {"sp", {sequence_parallel, [](Count devices, Count) { return devices * kTile; }}},
      {"ep", {expert_parallel, [](Count devices, Count) { return devices * devices * kTile; }}},
      {"pp", {pipeline_parallel, [](Count, Count batches) { return batches * kTile; }}}};
  return all;
}

std::uint32_t multiple(const char* key, std::uint32_t value, std::uint32_t of) {
  if (value == 0) return of;
  if (value % of != 0)
    runtime::bad_use(std::string("parallel.") + key,
                     "is " + std::to_string(value) + ": expected a multiple of " +
                         std::to_string(of) + ", tiles of 32 on every device");
  return value;
}

}  // namespace

/// A library that does not describe its chips gets the check when it has opened them.
void Parallel::adjust(const runtime::DeviceLibrary& library,
                      runtime::MeshDevice::Options& /*options*/) const {
  if (!library.has_system()) return;
  const auto system = nlohmann::json::parse(library.system());
  if (const auto devices = system.value("devices", nlohmann::json::array()); !devices.empty())
    sizes(static_cast<std::uint32_t>(devices.size()));
  collectives::ChipTopology::described(library.system());
}

Sizes Parallel::sizes(std::uint32_t devices) const {
  const KindEntry& kind = kinds().at(config_.kind.value());
  if (devices < 2) runtime::bad_use("parallel", "a system of 1 device: expected 2 or more");
  if (!config_.algo.value().empty()) collectives::algorithm_named(config_.algo.value());
  const std::string& name = config_.kind.value();
  if (config_.chunks > 1 && name != "tp" && name != "sp")
    runtime::bad_use("parallel.chunks", "is " + std::to_string(config_.chunks) +
                                            " with kind=" + name + ": expected kind=tp or sp");
  if (config_.overlap && name != "pp")
    runtime::bad_use("parallel.overlap", "is true with kind=" + name + ": expected kind=pp");
  const Sizes made{.tokens = multiple("tokens", config_.tokens,
                                      config_.chunks * kind.tokens(devices, config_.batches)),
                   .width = multiple("width", config_.width, kTile),
                   .inner = multiple("inner", config_.inner, devices * kTile),
                   .batches = config_.batches,
                   .mean = config_.mean,
                   .chunks = config_.chunks,
                   .overlap = config_.overlap};
  if (config_.mean && config_.kind.value() != "dp")
    runtime::bad_use("parallel.mean", "is the mean of gradients: expected kind=dp as well");
  if (config_.mean && !std::has_single_bit(devices))
    runtime::bad_use("parallel.mean",
                     std::to_string(devices) +
                         " devices: expected a power of two, whose mean BF16 holds exactly");
  return made;
}

void Parallel::run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const Sizes made = sizes(mesh.num_devices());
  ParallelMachine machine(mesh, config_.algo.value());
  std::mt19937_64 random(seed);
  result.reason = kinds().at(config_.kind.value()).run(machine, made, random);
  result.passed = result.reason.empty();
  machine.finish();
  machine.report(result);
}

}  // namespace tvp::workloads::parallel
