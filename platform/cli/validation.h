#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/cli/calibration_table.h"

namespace tvp::cli {

/// Options of `vp validate`.
struct ValidationOptions {
  std::optional<std::string> json_file;
  /// Rows of this family; if there is no such family, rows whose name, family or run contains this.
  std::optional<std::string> only;
  std::vector<std::string> tables;  ///< files instead of the program's tables
  std::optional<std::string> page_file;
  unsigned deviations = 17;  ///< number of rows that may be known to be off
};

/// Repeats published measurements and prints simulated and published figures. A process can run one
/// simulation, so each run is a process, which serves all of its rows.
class Validation {
 public:
  /// Reads the tables; throws foundation::Fault(kDescription).
  explicit Validation(ValidationOptions options);

  /// Returns the exit code. It is 1 if a row unexpectedly exceeds its tolerance, or if more known
  /// rows exceed it than the options allow.
  int execute();

 private:
  enum class Verdict { kWithin, kOff, kKnown, kNone };
  /// A row with its result.
  struct Outcome {
    const CalibrationRow* row;
    std::optional<double> simulated;  ///< the median of its runs
    Span drawn = {};                  ///< range of its runs
    std::size_t warnings = 0;
    Verdict verdict = Verdict::kNone;
    double error() const { return simulated ? *simulated / row->published.middle() - 1 : 0; }
  };

  /// Contents of the report of a run; empty if it failed.
  struct Run {
    std::map<std::string, double> metrics;
    std::vector<std::string> warnings;
  };

  bool wanted(const CalibrationRow& row, bool is_family) const;
  const Run& run_of(const std::vector<std::string>& arguments);
  Outcome outcome_of(const CalibrationRow& row);
  static Verdict judge(const Outcome& outcome);
  static void print(const Outcome& outcome);
  static nlohmann::ordered_json to_json(const Outcome& outcome);
  /// Number of rows, median and range of their errors, for each family.
  nlohmann::ordered_json families() const;
  static void print_families(const nlohmann::ordered_json& families);
  unsigned count(Verdict verdict) const;
  void write_page(const nlohmann::ordered_json& rows, const nlohmann::ordered_json& families) const;

  ValidationOptions options_;
  std::vector<CalibrationRow> rows_;
  std::map<std::vector<std::string>, Run> runs_;
  std::vector<Outcome> outcomes_;
};

}  // namespace tvp::cli
