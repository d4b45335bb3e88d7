#include "platform/cli/bench_suite.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/output_file.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/process_pool.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSdpa = "sdpa";
/// Each but sdpa is the executable bench_<name> that tvp_bench() of the build names.
constexpr std::array<const char*, 8> kBenches = {"riscv",       "noc",    "mesh",     "dram",
                                                 "coprocessor", "tensix", "sharding", kSdpa};

/// Limits of the wall time of sdpa on four chips.
constexpr double kWarmBar_s = 1;
constexpr double kColdBar_s = 15;

std::string known_benches() {
  std::string text;
  for (const char* name : kBenches) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

BenchSuite::BenchSuite(BenchOptions options) : options_(std::move(options)) {
  const auto& name = options_.name;
  if (name && std::find(kBenches.begin(), kBenches.end(), *name) == kBenches.end()) {
    throw Fault(FaultKind::kDescription, "bench",
                "unknown benchmark '" + *name + "'; there are " + known_benches());
  }
  catch_interrupts();
}

int BenchSuite::execute() {
  foundation::OutputFile json;
  // The file is opened first, so that a missing folder is reported before minutes of work.
  if (options_.json_file) json = foundation::OutputFile(*options_.json_file);
  double load[1] = {};
  if (getloadavg(load, 1) == 1) {
    std::printf("load of this machine: %.1f on %ld processors\n", load[0],
                sysconf(_SC_NPROCESSORS_ONLN));
  }
  std::printf("%-12s %-32s %10s %10s  %-8s\n", "bench", "metric", "value", "bar", "unit");
  int exit_code = 0;
  for (const char* name : kBenches) {
    if (options_.name && *options_.name != name) continue;
    std::fflush(stdout);
    const std::size_t from = rows_.size();
    const int ended = run(name);
    print_rows(from);
    if (exit_code == 0) exit_code = ended;
  }
  if (options_.json_file) {
    json.write(to_json().dump(2) + "\n");
    json.close();
  }
  return exit_code;
}

int BenchSuite::run(std::string_view name) {
  const bool progress = isatty(STDOUT_FILENO) != 0;
  if (progress) {
    std::printf("%s …\r", std::string(name).c_str());
    std::fflush(stdout);
  }
  const int exit_code = name == kSdpa ? run_sdpa() : run_executable(std::string(name));
  if (exit_code != 0) {
    complain("benchmark " + std::string(name) + " ended with exit code " +
             std::to_string(exit_code));
  }
  return exit_code;
}

int BenchSuite::run_executable(const std::string& name) {
  const fs::path program =
      fs::path(own_program()).parent_path().parent_path() / "bench" / ("bench_" + name);
  if (!fs::exists(program)) {
    throw Fault(
        FaultKind::kDescription, program.string(),
        "is not built; './vp bench' in the source tree builds it, or the target tvp_benches");
  }
  const fs::path file = fs::path(folder_.path()) / (name + ".json");
  ChildProcess child{.program = program.string(), .arguments = {"--json", file.string()}};
  if (options_.is_short) child.arguments.push_back("--short");
  child.discard_output = true;
  const int exit_code = ProcessPool::run_alone(child);
  if (exit_code != 0) return exit_code;
  std::ifstream stream(file);
  const Json rows = Json::parse(stream, nullptr, false);
  if (!rows.is_array()) return kDefect;
  for (const Json& row : rows) {
    const Json& bar = row.at("bar");
    rows_.push_back({.bench = row.at("bench"),
                     .metric = row.at("metric"),
                     .value = row.at("value"),
                     .unit = row.at("unit"),
                     .better = row.at("better"),
                     .bar = bar.is_null() ? std::optional<double>() : bar.get<double>()});
  }
  return 0;
}

int BenchSuite::report_of_sdpa(Json& report) const {
  const fs::path file = fs::path(folder_.path()) / "sdpa.json";
  // An empty kernel cache, so that the first run compiles everything and the second nothing.
  const int exit_code =
      ProcessPool::run_alone({.program = own_program(),
                              .arguments = {"run", kSdpa, "--quiet", "--report", file.string()},
                              .environment = {{"TENSIX_VP_CACHE", folder_.path() + "/cache"}},
                              .discard_output = true});
  if (exit_code != 0) return exit_code;
  std::ifstream stream(file);
  report = Json::parse(stream, nullptr, false);
  return report.is_object() ? 0 : kDefect;
}

int BenchSuite::run_sdpa() {
  Json cold, warm;
  for (Json* report : {&cold, &warm}) {
    if (const int exit_code = report_of_sdpa(*report); exit_code != 0) return exit_code;
  }
  const double cpu_s = warm.at("cpu_s");
  const double mips = warm.at("executed_instructions").get<double>() / cpu_s * 1e-6;
  const auto add = [&](const char* metric, double seconds, std::optional<double> bar = {}) {
    rows_.push_back({kSdpa, metric, seconds, "s", "lower", bar});
  };
  add("cold wall_s", cold.at("wall_s"), kColdBar_s);
  add("cold compile_s", cold.at("compile_s"));
  add("wall_s", warm.at("wall_s"), kWarmBar_s);
  add("cpu_s", cpu_s);
  add("compile_s", warm.at("compile_s"));
  rows_.push_back({kSdpa, "mips", mips, "MIPS", "higher", {}});
  return 0;
}

Json BenchSuite::to_json() const {
  Json rows = Json::array();
  for (const Row& row : rows_) {
    rows.push_back({{"bench", row.bench},
                    {"metric", row.metric},
                    {"value", row.value},
                    {"unit", row.unit},
                    {"better", row.better},
                    {"bar", row.bar ? Json(*row.bar) : Json()}});
  }
  return rows;
}

void BenchSuite::print_rows(std::size_t from) const {
  for (std::size_t i = from; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    std::printf("%-12s %-32s %10.4g ", row.bench.c_str(), row.metric.c_str(), row.value);
    if (!row.bar) {
      std::printf("%10s  %s\n", "-", row.unit.c_str());
      continue;
    }
    const bool met = row.better == "higher" ? row.value >= *row.bar : row.value <= *row.bar;
    std::printf("%10.4g  %-8s %s\n", *row.bar, row.unit.c_str(), met ? "met" : "not met");
  }
}

}  // namespace tvp::cli
