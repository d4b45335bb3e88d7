#pragma once

#include <map>
#include <optional>
#include <string>

#include "platform/cli/calibration_table.h"

namespace tvp::cli {

/// What `vp validate` was asked for.
struct ValidateOptions {
  std::optional<std::string> json_file;
  std::optional<std::string> only;  ///< rows whose text or run contains this
};

/// `vp validate`: repeats published measurements and prints simulated beside published. There is
/// one simulation in a process, so each run is a process of its own, once for all of its rows.
class ValidateCommand {
 public:
  explicit ValidateCommand(ValidateOptions options) : options_(std::move(options)) {}

  /// Returns the exit code: 1 when a row is off by more than the tolerance and not known to be.
  int execute();

 private:
  bool wanted(const CalibrationRow& row) const;
  /// Metrics of the run by name; empty when it failed.
  const std::map<std::string, double>& metrics_of(const std::string& run);

  ValidateOptions options_;
  std::map<std::string, std::map<std::string, double>> runs_;
};

}  // namespace tvp::cli
