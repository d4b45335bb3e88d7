#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sw/report/sweep_table.h"

namespace tvp::report {

/// A time or a count of one run.
struct SweepFigure {
  std::string name;
  std::string unit;
  double value = 0;
};

/// All figures of a report.json: durations of phases, and metrics.
std::vector<SweepFigure> figures_of(const nlohmann::ordered_json& report);

/// A key that was varied.
struct SweptKey {
  std::string key;
  std::string unit;
  std::string default_value;
  std::vector<std::string> values;
};

/// One run of a sweep. A run that did not end normally has no figures.
struct SweptRun {
  std::vector<std::string> values;  ///< values of the varied keys, in their order
  std::string status = "not run";
  int exit_code = -1;  ///< -1: did not end
  std::string reason;
  std::string report_file;  ///< relative to the sweep's folder
  std::string identity;     ///< equal for runs that must have equal results
  double wall_s = 0;
  std::string state_digest;
  std::vector<SweepFigure> figures;

  bool passed() const { return exit_code == 0; }
  /// The figure of that name, or null.
  const SweepFigure* figure(const std::string& name) const;
};

/// The result of a sweep: the figures of its runs, compared with those of a baseline.
struct SweepReport {
  std::string workload;
  /// Values that all runs share, in addition to the settings: "system", "seed", …
  std::vector<std::pair<std::string, std::string>> common;
  std::vector<std::pair<std::string, std::string>> settings;  ///< set in all runs
  std::vector<SweptKey> keys;
  std::vector<SweptRun> runs;       ///< the last key varies fastest
  std::vector<std::string> wanted;  ///< names of the figures to show; empty: automatic
  bool interrupted = false;

  /// Index of the baseline: the run with the defaults of all keys if there is one, else the first.
  std::size_t baseline() const;
  /// Every figure of any run, in the order of first appearance.
  std::vector<SweepFigure> figures() const;
  /// Names of the figures with which tables and curves begin: the wanted ones, else a few that
  /// differ between runs, phases first.
  std::vector<std::string> shown() const;

  /// Content of sweep.json. read_sweep() reads it without the figures.
  nlohmann::ordered_json to_json() const;
  /// A row for each run that passed: keys, report and figures. Independent of the host's times.
  SweepTable passed() const;
  /// A row for each run that ended otherwise: keys, exit code, status, error and report.
  SweepTable failed() const;
  /// The table for the terminal.
  std::string to_table() const;

 private:
  bool differs(const std::string& figure) const;
  std::string relative(const SweptRun& run, const std::string& figure) const;
};

/// The record of one run that ended, with all its figures.
nlohmann::ordered_json record_of(const SweptRun& run);
/// Reads a record into the run if it has the run's identity; false if it is another run's record or
/// incomplete.
bool read_record(const std::string& text, SweptRun& run);

/// Reads a sweep.json. Throws foundation::Fault(kDescription) with the file and the expected
/// content if it is invalid.
SweepReport read_sweep(const std::string& file);

}  // namespace tvp::report
