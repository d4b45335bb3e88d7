#include "sw/workloads/mesh/mesh_traffic.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads {

using namespace tvp::runtime;

namespace {

/// Cycles between two checks for Ctrl-C: a second of host time for 4096 busy routers.
constexpr std::uint32_t kStepCycles = 200;

std::string row_of(const nlohmann::json& point) {
  char text[128];
  std::snprintf(text, sizeof text, "  %8.4f %9.4f %9.1f %8llu %8llu %8llu  ",
                point.at("offered").get<double>(), point.at("accepted").get<double>(),
                point.at("mean_latency").get<double>(),
                static_cast<unsigned long long>(point.at("p50").get<std::uint64_t>()),
                static_cast<unsigned long long>(point.at("p99").get<std::uint64_t>()),
                static_cast<unsigned long long>(point.at("max").get<std::uint64_t>()));
  const bool saturated = point.at("saturated").get<bool>();
  return text +
         (saturated ? "saturated: " + point.at("verdict").get<std::string>() : std::string());
}

}  // namespace

Result MeshTraffic::run(Context& context) {
  DeviceLibrary& library = context.library;
  if (!library.has_status() || !library.has_report()) {
    bad_use("mesh", library.name() + " does not report the end and the results of traffic");
  }
  if (context.seed != 1) library.configure("traffic.seed=" + std::to_string(context.seed));
  library.init();
  while (library.status() == TENSIX_VP_RUNNING) library.clock(kStepCycles);
  library.check();
  if (library.status() == TENSIX_VP_TIME_LIMIT) {
    throw TimeLimitError("the time limit came before all packets had arrived");
  }

  Result result;
  const auto report = nlohmann::json::parse(library.report());
  if (report.contains("stuck")) throw HangError(report.at("stuck").get<std::string>());
  if (!report.contains("points")) bad_use("mesh", "needs a system of kind mesh, e.g. mesh_8x8");
  context.print("   offered  accepted      mean      p50      p99      max  cycles of latency");
  double lost = 0;
  std::string partition;
  for (const auto& point : report.at("points")) {
    context.print(row_of(point));
    for (const auto& line : point.at("faults")) context.print("    " + line.get<std::string>());
    lost += point.at("lost").get<double>();
    // The run continues to the end of its last step, but the simulated traffic ends with the last
    // packet.
    result.phases.push_back({"load " + point.at("offered").dump(),
                             point.at("begin_ns").get<double>(), point.at("end_ns").get<double>()});
    if (!point.at("partition").empty()) partition = point.at("partition").get<std::string>();
  }
  // The machine checks each packet at its destination, and a lost packet stops the run.
  result.passed = !report.at("points").empty();
  if (!result.passed) result.reason = "no load was measured";
  if (lost > 0) {
    result.reason = std::to_string(static_cast<std::uint64_t>(lost)) +
                    " packets were reported lost" + (partition.empty() ? "" : ": " + partition);
  }
  if (!report.contains("metrics")) return result;
  for (const auto& [name, metric] : report.at("metrics").items()) {
    result.metrics.push_back(
        {name, metric.at("value").get<double>(), metric.at("unit").get<std::string>()});
  }
  return result;
}

}  // namespace tvp::workloads
