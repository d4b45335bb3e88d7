#include "sw/workloads/sdpa/sdpa_workload.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/workloads/sdpa/device_reduction.h"

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

Problem SdpaWorkload::make_problem(std::uint64_t seed, const std::function<void()>& between) const {
  const Shape shape{DeviceReduction::kDevices, 8, settings_.head_dim};
  if (!settings_.numerator.value().empty())
    return npy_problem(shape,
                       {settings_.numerator.value(), settings_.sum.value(), settings_.max.value()});
  return attention_problem(shape, settings_.sequence, seed, between);
}

void SdpaWorkload::check() const {
  if (settings_.head_dim % 32 != 0)
    runtime::bad_use("sdpa.head_dim",
                     std::to_string(settings_.head_dim) + " is not a multiple of 32");
  const bool files[] = {!settings_.numerator.value().empty(), !settings_.sum.value().empty(),
                        !settings_.max.value().empty()};
  if (files[0] != files[1] || files[0] != files[2])
    runtime::bad_use("sdpa", "numerator, sum and max are needed together");
  if (files[0]) make_problem(0);  // reads them first, because the simulation takes long
  if (!files[0] && settings_.sequence % DeviceReduction::kDevices != 0)
    runtime::bad_use("sdpa.sequence", std::to_string(settings_.sequence) +
                                          " is not a multiple of the number of devices, 4");
}

void SdpaWorkload::run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const Problem problem = make_problem(seed, [&] { mesh.library().call_clock_hook(); });
  DeviceReduction reduction(mesh, problem.partials.shape);
  reduction.load(problem.partials);
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
  for (unsigned device = 1; device < DeviceReduction::kDevices; ++device) {
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
  result.phases = timeline.phases();
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
