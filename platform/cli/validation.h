#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/cli/calibration_table.h"

namespace tvp::cli {

/// What `vp validate` was asked for.
struct ValidationOptions {
  std::optional<std::string> json_file;
  std::optional<std::string> only;  ///< rows whose name, family or run contains this
  std::vector<std::string> tables;  ///< files instead of those that belong to the program
};

/// Repeats published measurements and prints simulated beside published. There is one simulation in
/// a process, so each run is a process of its own, once for all of its rows.
class Validation {
 public:
  /// Reads the tables; throws foundation::Fault(kDescription).
  explicit Validation(ValidationOptions options);

  /// Returns the exit code: 1 when a row is off by more than the tolerance and not known to be.
  int execute();

 private:
  enum class Verdict { kWithin, kOff, kKnown, kNone };

  bool wanted(const CalibrationRow& row) const;
  /// Metrics of the run by name; empty when it failed.
  const std::map<std::string, double>& metrics_of(const CalibrationRow& row);
  std::optional<double> simulated(const CalibrationRow& row);
  static Verdict judge(const CalibrationRow& row, std::optional<double> simulated);
  static void print(const CalibrationRow& row, std::optional<double> simulated, Verdict verdict);
  static nlohmann::ordered_json to_json(const CalibrationRow& row, std::optional<double> simulated);

  ValidationOptions options_;
  std::vector<CalibrationRow> rows_;
  std::map<std::vector<std::string>, std::map<std::string, double>> runs_;
};

}  // namespace tvp::cli
