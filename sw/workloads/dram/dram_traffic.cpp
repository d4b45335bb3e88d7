#include "sw/workloads/dram/dram_traffic.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads {

using namespace tvp::runtime;

namespace {

void run_to_end(DeviceLibrary& library) {
  constexpr std::uint32_t kFirstStepCycles = 10'000, kLastStepCycles = 1'000'000;
  for (std::uint32_t step = kFirstStepCycles; library.status() == TENSIX_VP_RUNNING;
       step = std::min(2 * step, kLastStepCycles)) {
    library.clock(step);
  }
  library.check();
  if (library.status() == TENSIX_VP_TIME_LIMIT) {
    throw TimeLimitError("the time limit came before all requests were answered");
  }
}

void add_latency(Result& result, const std::string& direction, const nlohmann::json& latency) {
  if (latency.at("count").get<std::uint64_t>() == 0) return;
  for (const char* figure : {"mean_ns", "p50_ns", "p99_ns", "max_ns"}) {
    result.metrics.push_back({direction + "_" + figure, latency.at(figure).get<double>(), "ns"});
  }
}

}  // namespace

Result DramTraffic::run(Context& context) {
  DeviceLibrary& library = context.library;
  library.configure("dram_traffic.seed=" + std::to_string(context.seed) + "\n");
  library.init();
  library.check();
  run_to_end(library);

  const auto report = nlohmann::json::parse(library.report());
  if (!report.contains("traffic")) bad_use("system", "expected one of kind dram, as ddr4_2400");
  const auto& traffic = report.at("traffic");
  const double elapsed_ns = traffic.at("elapsed_ns").get<double>();
  Result result;
  result.reason = traffic.at("error").get<std::string>();
  if (result.reason.empty() && !traffic.at("finished").get<bool>()) {
    result.reason = "requests are open and nothing moves";
  }
  result.passed = result.reason.empty();
  result.phases.push_back({"traffic", 0, elapsed_ns});
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    result.metrics.push_back({name, value, unit});
  };
  add("requests", traffic.at("answered").get<double>(), "");
  add("bandwidth", traffic.at("bytes").get<double>() / elapsed_ns, "GB/s");
  add_latency(result, "read", traffic.at("read_latency"));
  add_latency(result, "write", traffic.at("write_latency"));
  double hits = 0, others = 0, refresh = 0;
  for (const auto& channel : report.at("dram")) {
    hits += channel.at("row_hits").get<double>();
    others += channel.at("row_misses").get<double>() + channel.at("row_conflicts").get<double>();
    refresh += channel.at("refresh_share").get<double>();
  }
  if (hits + others > 0) add("row_hit_share", hits / (hits + others), "");
  add("refresh_share", refresh / static_cast<double>(report.at("dram").size()), "");
  return result;
}

}  // namespace tvp::workloads
