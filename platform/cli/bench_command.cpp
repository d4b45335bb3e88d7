#include "platform/cli/bench_command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "foundation/fault.h"
#include "platform/cli/child_process.h"
#include "platform/cli/interrupt.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr const char* kSdpa = "sdpa";
/// Each but sdpa is the executable bench_<name> that tvp_bench() of the build names.
constexpr std::array<const char*, 6> kBenches = {"riscv", "noc",         "mesh",
                                                 "dram",  "coprocessor", kSdpa};
constexpr int kDefect = 70;

/// What sdpa on four chips may take, in seconds of wall time.
constexpr double kWarmBar_s = 1;
constexpr double kColdBar_s = 15;

std::string known_benches() {
  std::string text;
  for (const char* name : kBenches) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

/// A new folder of this process alone.
fs::path make_folder() {
  std::string pattern = (fs::temp_directory_path() / "tensix-vp-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Fault(FaultKind::kDescription, pattern, "cannot be created");
  }
  return pattern;
}

}  // namespace

BenchCommand::BenchCommand(BenchOptions options) : options_(std::move(options)) {
  const auto& name = options_.name;
  if (name && std::find(kBenches.begin(), kBenches.end(), *name) == kBenches.end()) {
    throw Fault(FaultKind::kDescription, "bench",
                "unknown benchmark '" + *name + "'; there are " + known_benches());
  }
  catch_interrupts();
  folder_ = make_folder();
}

BenchCommand::~BenchCommand() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

int BenchCommand::execute() {
  std::ofstream json;
  if (options_.json_file) {
    // Opened first: nobody wants to hear after minutes that there is no such folder.
    json.open(*options_.json_file);
    if (!json) throw Fault(FaultKind::kDescription, *options_.json_file, "cannot be written");
  }
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
    json << rows_.dump(2) << "\n";
    json.close();
    if (!json) throw Fault(FaultKind::kDescription, *options_.json_file, "cannot be written");
  }
  return exit_code;
}

int BenchCommand::run(std::string_view name) {
  const bool progress = isatty(STDOUT_FILENO) != 0;
  if (progress) {
    std::printf("%s …\r", std::string(name).c_str());
    std::fflush(stdout);
  }
  const int exit_code = name == kSdpa ? run_sdpa() : run_executable(std::string(name));
  if (exit_code != 0) {
    std::fprintf(stderr, "vp: benchmark %s ended with exit code %d\n", std::string(name).c_str(),
                 exit_code);
  }
  return exit_code;
}

int BenchCommand::run_executable(const std::string& name) {
  const fs::path program =
      fs::path(own_program()).parent_path().parent_path() / "bench" / ("bench_" + name);
  if (!fs::exists(program)) {
    throw Fault(FaultKind::kDescription, program.string(),
                "is not built; './vp bench' builds it, or the target tvp_benches");
  }
  const fs::path file = folder_ / (name + ".json");
  ChildProcess child{.program = program.string(), .arguments = {"--json", file.string()}};
  if (options_.is_short) child.arguments.push_back("--short");
  child.discard_output = true;
  const int exit_code = child.run();
  check_interrupted();
  if (exit_code != 0) return exit_code;
  std::ifstream stream(file);
  const Json rows = Json::parse(stream, nullptr, false);
  if (!rows.is_array()) return kDefect;
  for (const Json& row : rows) rows_.push_back(row);
  return 0;
}

int BenchCommand::report_of_sdpa(Json& report) const {
  const fs::path file = folder_ / "sdpa.json";
  // A kernel cache of its own, so that the first run compiles everything and the second nothing.
  const int exit_code =
      ChildProcess{.program = own_program(),
                   .arguments = {"run", kSdpa, "--quiet", "--report", file.string()},
                   .environment = {{"TENSIX_VP_CACHE", (folder_ / "cache").string()}},
                   .discard_output = true}
          .run();
  check_interrupted();
  if (exit_code != 0) return exit_code;
  std::ifstream stream(file);
  report = Json::parse(stream, nullptr, false);
  return report.is_object() ? 0 : kDefect;
}

int BenchCommand::run_sdpa() {
  Json cold, warm;
  for (Json* report : {&cold, &warm}) {
    if (const int exit_code = report_of_sdpa(*report); exit_code != 0) return exit_code;
  }
  const double cpu_s = warm.at("cpu_s").get<double>();
  const double instructions = warm.at("executed_instructions").get<double>();
  add(kSdpa, "cold wall_s", cold.at("wall_s").get<double>(), "s", "lower", kColdBar_s);
  add(kSdpa, "cold compile_s", cold.at("compile_s").get<double>(), "s", "lower", {});
  add(kSdpa, "wall_s", warm.at("wall_s").get<double>(), "s", "lower", kWarmBar_s);
  add(kSdpa, "cpu_s", cpu_s, "s", "lower", {});
  add(kSdpa, "compile_s", warm.at("compile_s").get<double>(), "s", "lower", {});
  add(kSdpa, "mips", instructions / cpu_s * 1e-6, "MIPS", "higher", {});
  return 0;
}

void BenchCommand::add(const char* bench, const char* metric, double value, const char* unit,
                       const char* better, std::optional<double> bar) {
  rows_.push_back({{"bench", bench},
                   {"metric", metric},
                   {"value", value},
                   {"unit", unit},
                   {"better", better},
                   {"bar", bar ? Json(*bar) : Json()}});
}

void BenchCommand::print_rows(std::size_t from) const {
  for (std::size_t i = from; i < rows_.size(); ++i) {
    const Json& row = rows_[i];
    const double value = row.at("value").get<double>();
    std::printf("%-12s %-32s %10.4g ", row.at("bench").get<std::string>().c_str(),
                row.at("metric").get<std::string>().c_str(), value);
    const std::string unit = row.at("unit").get<std::string>();
    if (row.at("bar").is_null()) {
      std::printf("%10s  %s\n", "-", unit.c_str());
      continue;
    }
    const double bar = row.at("bar").get<double>();
    const bool met = row.at("better") == "higher" ? value >= bar : value <= bar;
    std::printf("%10.4g  %-8s %s\n", bar, unit.c_str(), met ? "met" : "not met");
  }
}

}  // namespace tvp::cli
