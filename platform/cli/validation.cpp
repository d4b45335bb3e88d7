#include "platform/cli/validation.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "platform/cli/child_process.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;
using Json = nlohmann::ordered_json;

Validation::Validation(ValidationOptions options) : options_(std::move(options)) {
  const WorkloadRegistry workloads;
  CalibrationTable table(workloads);
  if (options_.tables.empty()) table.add_shipped();
  for (const std::string& file : options_.tables) table.add_file(file);
  for (const CalibrationRow& row : table.rows()) {
    if (wanted(row)) rows_.push_back(row);
  }
  if (rows_.empty()) {
    throw Fault(FaultKind::kDescription, "--only",
                "no row of the calibration table has '" + *options_.only + "' in it");
  }
}

bool Validation::wanted(const CalibrationRow& row) const {
  const auto has = [&](const std::string& text) {
    return text.find(*options_.only) != std::string::npos;
  };
  return !options_.only || has(row.name) || has(row.family) || has(row.run_text());
}

const std::map<std::string, double>& Validation::metrics_of(const CalibrationRow& row) {
  const auto [found, is_new] = runs_.try_emplace(row.run);
  std::map<std::string, double>& metrics = found->second;
  if (!is_new) return metrics;
  const fs::path report =
      fs::temp_directory_path() / ("tensix-vp-validate-" + std::to_string(getpid()) + ".json");
  std::vector<std::string> arguments{"run", "--quiet", "--report", report.string()};
  arguments.insert(arguments.end(), row.run.begin(), row.run.end());
  const int exit_code = ChildProcess{.program = own_program(), .arguments = arguments}.run();
  if (exit_code == 0) {
    std::ifstream file(report);
    const Json parsed = Json::parse(file);
    for (const auto& [name, metric] : parsed.at("metrics").items()) {
      if (metric.at("value").is_number()) metrics[name] = metric.at("value").get<double>();
    }
  } else {
    std::fprintf(stderr, "vp: 'run %s' ended with exit code %d\n", row.run_text().c_str(),
                 exit_code);
  }
  fs::remove(report);
  return metrics;
}

std::optional<double> Validation::simulated(const CalibrationRow& row) {
  const auto& metrics = metrics_of(row);
  const auto metric = metrics.find(row.metric);
  return metric == metrics.end() ? std::optional<double>() : metric->second;
}

Validation::Verdict Validation::judge(const CalibrationRow& row, std::optional<double> simulated) {
  if (!simulated) return Verdict::kNone;
  if (std::abs(*simulated / row.published - 1) <= row.tolerance) return Verdict::kWithin;
  return row.deviation ? Verdict::kKnown : Verdict::kOff;
}

void Validation::print(const CalibrationRow& row, std::optional<double> simulated,
                       Verdict verdict) {
  if (!simulated) {
    std::printf("%-42s %10s %10.1f  %-12s\n", row.name.c_str(), "none", row.published,
                row.unit.c_str());
  } else {
    std::printf("%-42s %10.1f %10.1f  %-12s %+6.1f%%%s\n", row.name.c_str(), *simulated,
                row.published, row.unit.c_str(), (*simulated / row.published - 1) * 100,
                verdict == Verdict::kOff     ? "  off"
                : verdict == Verdict::kKnown ? "  known"
                                             : "");
  }
  std::fflush(stdout);
}

Json Validation::to_json(const CalibrationRow& row, std::optional<double> simulated) {
  Json entry{{"row", row.name}, {"simulated", Json()}, {"error", Json()}};
  if (simulated) {
    entry["simulated"] = *simulated;
    entry["error"] = *simulated / row.published - 1;
  }
  entry["published"] = row.published;
  entry["unit"] = row.unit;
  entry["mechanism"] = row.mechanism;
  entry["source"] = row.source;
  entry["run"] = row.run_text();
  entry["known_deviation"] = row.deviation ? Json(row.deviation->reason) : Json();
  if (row.deviation) entry["known_measured"] = row.deviation->measured;
  entry["family"] = row.family;
  entry["tolerance"] = row.tolerance;
  return entry;
}

int Validation::execute() {
  Json rows = Json::array();
  bool all_right = true;
  std::printf("%-42s %10s %10s  %-12s %7s\n", "row", "simulated", "published", "unit", "error");
  for (const CalibrationRow& row : rows_) {
    const std::optional<double> value = simulated(row);
    const Verdict verdict = judge(row, value);
    if (verdict == Verdict::kOff || verdict == Verdict::kNone) all_right = false;
    print(row, value, verdict);
    rows.push_back(to_json(row, value));
  }
  if (options_.json_file) {
    foundation::write_file(*options_.json_file, foundation::json_text(rows, 2) + "\n");
  }
  return all_right ? 0 : 1;
}

}  // namespace tvp::cli
