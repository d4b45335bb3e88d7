#include "platform/cli/validate_command.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "foundation/fault.h"
#include "platform/cli/child_process.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool ValidateCommand::wanted(const CalibrationRow& row) const {
  return !options_.only || std::string(row.row).find(*options_.only) != std::string::npos ||
         std::string(row.run).find(*options_.only) != std::string::npos;
}

const std::map<std::string, double>& ValidateCommand::metrics_of(const std::string& run) {
  const auto [found, is_new] = runs_.try_emplace(run);
  std::map<std::string, double>& metrics = found->second;
  if (!is_new) return metrics;
  const fs::path report =
      fs::temp_directory_path() / ("tensix-vp-validate-" + std::to_string(getpid()) + ".json");
  std::vector<std::string> arguments{"run", "--quiet", "--report", report.string()};
  std::istringstream words(run);
  for (std::string word; words >> word;) arguments.push_back(word);
  const int exit_code = ChildProcess{.program = own_program(), .arguments = arguments}.run();
  if (exit_code == 0) {
    std::ifstream file(report);
    const Json parsed = Json::parse(file);
    for (const auto& [name, metric] : parsed.at("metrics").items()) {
      if (metric.at("value").is_number()) metrics[name] = metric.at("value").get<double>();
    }
  } else {
    std::fprintf(stderr, "vp: 'run %s' ended with exit code %d\n", run.c_str(), exit_code);
  }
  fs::remove(report);
  return metrics;
}

int ValidateCommand::execute() {
  Json rows = Json::array();
  unsigned off = 0;
  std::printf("%-42s %10s %10s  %-12s %7s\n", "row", "simulated", "published", "unit", "error");
  for (const CalibrationRow& row : calibration_table()) {
    if (!wanted(row)) continue;
    const auto& metrics = metrics_of(row.run);
    const auto metric = metrics.find(row.metric);
    Json entry{{"row", row.row}};
    if (metric == metrics.end()) {
      ++off;
      std::printf("%-42s %10s %10.1f  %-12s\n", row.row, "none", row.published, row.unit);
      entry["simulated"] = nullptr;
      entry["error"] = nullptr;
    } else {
      const double error = metric->second / row.published - 1;
      const bool beyond = std::abs(error) > kTolerance;
      if (beyond && row.known_deviation == nullptr) ++off;
      std::printf("%-42s %10.1f %10.1f  %-12s %+6.1f%%%s\n", row.row, metric->second, row.published,
                  row.unit, error * 100,
                  !beyond                          ? ""
                  : row.known_deviation == nullptr ? "  off"
                                                   : "  known");
      entry["simulated"] = metric->second;
      entry["error"] = error;
    }
    entry["published"] = row.published;
    entry["unit"] = row.unit;
    entry["mechanism"] = row.mechanism;
    entry["source"] = row.source;
    entry["run"] = row.run;
    entry["known_deviation"] = row.known_deviation == nullptr ? Json() : Json(row.known_deviation);
    rows.push_back(std::move(entry));
    std::fflush(stdout);
  }
  if (rows.empty()) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "--only",
                            "no row of the calibration table has '" + *options_.only + "' in it");
  }
  if (options_.json_file) {
    std::ofstream file(*options_.json_file);
    file << rows.dump(2) << "\n";
    if (!file) {
      throw foundation::Fault(foundation::FaultKind::kDescription, *options_.json_file,
                              "cannot be written");
    }
  }
  return off == 0 ? 0 : 1;
}

}  // namespace tvp::cli
