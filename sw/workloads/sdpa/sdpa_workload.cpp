#include "sw/workloads/sdpa/sdpa_workload.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/workloads/sdpa/device_reduction.h"
#include "sw/workloads/sdpa/device_ring.h"
#include "sw/workloads/sdpa/flash_decode.h"
#include "sw/workloads/sdpa/tiles.h"

namespace tvp::workloads::sdpa {

namespace {

std::string percent(double value) {
  std::string text = std::to_string(100 * value);
  return text.substr(0, text.find('.') + 4) + " %";
}
std::uint64_t first_difference(const std::vector<std::uint8_t>& a,
                               const std::vector<std::uint8_t>& b) {
  return static_cast<std::uint64_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                    a.begin());
}
std::string decimal(double value) {
  const std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 3);
}

}  // namespace

Shape SdpaWorkload::shape(std::size_t devices) const {
  return {devices, DeviceReduction::kWorkers, settings_.head_dim};
}

Problem SdpaWorkload::make_problem(std::size_t devices, std::uint64_t seed,
                                   const std::function<void()>& between) const {
  if (from_files())
    return npy_problem(shape(devices),
                       {settings_.numerator.value(), settings_.sum.value(), settings_.max.value()});
  return attention_problem(shape(devices), settings_.sequence, seed, between);
}

Problem SdpaWorkload::decode(DeviceReduction& reduction, runtime::MeshDevice& mesh,
                             std::uint64_t seed, Result& result) const {
  const Shape all = shape(mesh.num_devices());
  FlashDecode devices(mesh, all, settings_.sequence, reduction.input(), reduction.cores());
  const auto rows = kernels::sdpa::chunk_rows(static_cast<std::uint32_t>(numerator_tiles(all)));
  const Decode chunks{kTileColumns * rows, [&](std::size_t worker, const AttentionInputs& inputs) {
                        devices.take(worker, inputs);
                      }};
  Problem problem = attention_problem(
      all, settings_.sequence, seed, [&] { mesh.library().call_clock_hook(); }, &chunks);
  devices.run();
  devices.report(result);
  return problem;
}

void SdpaWorkload::check() const {
  DeviceRing::size_of(settings_.devices.value());
  if (settings_.head_dim % 32 != 0)
    runtime::bad_use("sdpa.head_dim", std::to_string(settings_.head_dim) +
                                          " is not a multiple of 32: packets hold whole tiles");
  const bool files[] = {!settings_.numerator.value().empty(), !settings_.sum.value().empty(),
                        !settings_.max.value().empty()};
  if (files[0] != files[1] || files[0] != files[2])
    runtime::bad_use("sdpa", "numerator, sum and max are needed together");
  if (files[0] && settings_.decode)
    runtime::bad_use("sdpa.decode",
                     "true: partial results come from the files of numerator, sum and max");
}

void SdpaWorkload::adjust(const runtime::DeviceLibrary& library,
                          runtime::MeshDevice::Options& options) const {
  const DeviceRing ring(library.has_system() ? library.system() : "", DeviceReduction::kLinks);
  if (ring.empty()) return;  // Cluster refuses a system without chips.
  options.chips = ring.select(settings_.devices.value());
  const std::size_t devices = options.chips.size();
  if (from_files()) make_problem(devices, 0);  // reads them first: the simulation takes long
  const std::size_t unit = settings_.decode ? kTileColumns * devices : devices;
  if (!from_files() && settings_.sequence % unit != 0)
    runtime::bad_use("sdpa.sequence", std::to_string(settings_.sequence) +
                                          " is not a multiple of " +
                                          (settings_.decode ? "32 times " : "") +
                                          "the number of devices, " + std::to_string(devices));
}

void SdpaWorkload::run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) {
  DeviceReduction reduction(mesh, shape(mesh.num_devices()));
  const Problem problem =
      settings_.decode
          ? decode(reduction, mesh, seed, result)
          : make_problem(mesh.num_devices(), seed, [&] { mesh.library().call_clock_hook(); });
  if (settings_.decode) {
    reduction.clear();
  } else {
    reduction.load(problem.partials);
  }
  reduction.run();
  compare_devices(problem, reduction, result);
  show(reduction.timeline(), mesh.library(), result);
}

void SdpaWorkload::compare_devices(const Problem& problem, DeviceReduction& reduction,
                                   Result& result) {
  const Errors errors = compare(problem.golden, reduction.output(0));
  result.max_abs_error = errors.max_abs;
  result.max_rel_error = errors.max_rel;
  result.error_bound = errors.bound;
  result.passed = errors.margin <= 1;
  if (!result.passed)
    result.reason = "row " + std::to_string(errors.worst_row) + " is off by " +
                    percent(errors.max_rel) + " of its largest value: expected at most " +
                    percent(errors.bound) + " from rounding" +
                    reduction.origin(errors.worst_row, errors.worst_column);
  if (result.passed && !(std::abs(errors.lean) <= errors.lean_bound)) {
    result.passed = false;
    result.reason = "mean error of results is " + decimal(errors.lean) + " ulp: expected at most " +
                    decimal(errors.lean_bound) + " from rounding to nearest";
  }
  const std::vector<std::uint8_t> first = reduction.output_bytes(0);
  for (unsigned device = 1; device < problem.partials.shape.devices; ++device) {
    const std::vector<std::uint8_t> other = reduction.output_bytes(device);
    if (!result.passed || other == first) continue;
    result.passed = false;
    result.reason = "devices 0 and " + std::to_string(device) + " have different results" +
                    reduction.origin_of_byte(device, first_difference(first, other)) +
                    reduction.origin_of_byte(0, first_difference(first, other));
  }
  result.metrics.push_back({"error / bound, largest", errors.margin, ""});
  result.metrics.push_back({"mean error", errors.lean, "ulp"});
}

void SdpaWorkload::show(const Timeline& timeline, runtime::DeviceLibrary& library, Result& result) {
  const std::vector<Phase> phases = timeline.phases();
  result.phases.insert(result.phases.end(), phases.begin(), phases.end());
  for (const Timeline::CorePhase& phase : timeline.core_phases()) {
    std::string row = "device" + std::to_string(phase.device) + ".worker" +
                      std::to_string(phase.worker) + "." + phase.name;
    std::replace(row.begin(), row.end(), ' ', '_');
    library.span(row, phase.name, phase.begin, phase.end);
    result.timeline.push_back({row.substr(0, row.rfind('.')), phase.name,
                               static_cast<double>(phase.begin), static_cast<double>(phase.end)});
  }
  // Before the metrics of the comparison.
  const std::vector<Metric> metrics = timeline.metrics();
  result.metrics.insert(result.metrics.begin(), metrics.begin(), metrics.end());
  result.remarks = timeline.remarks();
}

}  // namespace tvp::workloads::sdpa
