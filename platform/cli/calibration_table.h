#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

/// Why a row is off by more than its tolerance, and what the model gave when that was written.
struct KnownDeviation {
  double measured = 0;
  std::string reason;
};

/// From the least to the most of what was published, or simulated, of one quantity.
struct Span {
  double least = 0;
  double most = 0;
  double middle() const { return (least + most) / 2; }
};

/// One published quantity and the run that repeats it.
struct CalibrationRow {
  std::string name;              ///< what was measured
  std::string family;            ///< of the file
  std::string rule;              ///< of the family: configuration, statistic, version of the source
  std::string spread;            ///< of the family: where its tolerance comes from
  double tolerance;              ///< of the family: share by which the row may be off
  std::vector<std::string> run;  ///< arguments of `vp run`
  /// Further arguments, a run for each: what the source leaves open; one without any if nothing.
  std::vector<std::vector<std::string>> draws;
  std::string metric;     ///< of the runs' reports
  Span published;         ///< of all figures that were published for it
  std::string unit;       ///< of both figures
  std::string source;     ///< where it was published
  std::string mechanism;  ///< what makes the time in the model
  std::optional<KnownDeviation> deviation = {};

  /// The run as one would type it, without draws.
  std::string run_text() const { return text_of(run); }
  static std::string text_of(const std::vector<std::string>& run);
};

/// Rows of `vp validate`, from files in TOML (platform/validation/README.md). Throws
/// foundation::Fault(kDescription) that names file, line, key and what was expected.
class CalibrationTable {
 public:
  explicit CalibrationTable(const WorkloadRegistry& workloads) : workloads_(workloads) {}

  void add_file(const std::string& file);
  /// All files of the tables that belong to the program, in the order of their names.
  void add_shipped();
  const std::vector<CalibrationRow>& rows() const { return rows_; }

 private:
  const WorkloadRegistry& workloads_;
  std::vector<CalibrationRow> rows_;
};

}  // namespace tvp::cli
