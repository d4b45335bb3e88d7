#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

/// Why a row exceeds its tolerance, and the simulated figure at the time of writing.
struct KnownDeviation {
  double measured = 0;
  std::string reason;
};

/// Smallest and largest of the published, or simulated, figures of one quantity.
struct Span {
  double least = 0;
  double most = 0;
  double middle() const { return (least + most) / 2; }
};

/// One published quantity and the run that repeats it.
struct CalibrationRow {
  std::string name;              ///< name of the measured quantity
  std::string family;            ///< name of the file
  std::string rule;              ///< configuration, statistic and version of the source
  std::string spread;            ///< reason for the tolerance
  double tolerance;              ///< largest relative error
  std::vector<std::string> run;  ///< arguments of `vp run`
  /// Further arguments of each run, for parameters that the source leaves open. One empty list if
  /// there are none.
  std::vector<std::vector<std::string>> draws;
  std::string metric;     ///< name in the reports of the runs
  Span published;         ///< range of the published figures
  std::string unit;       ///< unit of both figures
  std::string source;     ///< where it was published
  std::string mechanism;  ///< the part of the model that determines the time
  std::optional<KnownDeviation> deviation = {};

  /// The command line of the run, without the further arguments.
  std::string run_text() const { return text_of(run); }
  static std::string text_of(const std::vector<std::string>& run);
};

/// Rows of `vp validate` from TOML files (platform/validation/README.md). Throws
/// foundation::Fault(kDescription) that names file, line, key and the expected value.
class CalibrationTable {
 public:
  explicit CalibrationTable(const WorkloadRegistry& workloads) : workloads_(workloads) {}

  void add_file(const std::string& file);
  /// Adds all tables of the program, in the order of their names.
  void add_shipped();
  const std::vector<CalibrationRow>& rows() const { return rows_; }

 private:
  const WorkloadRegistry& workloads_;
  std::vector<CalibrationRow> rows_;
};

}  // namespace tvp::cli
