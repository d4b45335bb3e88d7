#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tvp::report {

/// A time or a count of one run.
struct SweepFigure {
  std::string name;
  std::string unit;
  double value = 0;
};

/// All figures of a report.json: what each phase takes, and the metrics.
std::vector<SweepFigure> figures_of(const nlohmann::ordered_json& report);

/// A key that was varied.
struct SweptKey {
  std::string key;
  std::string unit;
  std::string default_value;
  std::vector<std::string> values;
};

/// One run of a sweep. One that did not come to its end has no figures.
struct SweptRun {
  std::vector<std::string> values;  ///< values of the varied keys, in their order
  std::string status = "not run";
  int exit_code = -1;  ///< -1: has not run to its end
  std::string reason;
  std::string report_file;  ///< relative to the sweep's folder
  std::string identity;     ///< equal for runs that must come out equal
  double wall_s = 0;
  std::string state_digest;
  std::vector<SweepFigure> figures;

  bool passed() const { return exit_code == 0; }
  /// The figure of that name; null when the run has none.
  const SweepFigure* figure(const std::string& name) const;
};

/// The result of a sweep: the figures of its runs, compared with those of one of them.
struct SweepReport {
  std::string workload;
  /// Values that all runs share, beside the settings: "system", "seed", …
  std::vector<std::pair<std::string, std::string>> common;
  std::vector<std::pair<std::string, std::string>> settings;  ///< set in all runs
  std::vector<SweptKey> keys;
  std::vector<SweptRun> runs;       ///< the last key varies fastest
  std::vector<std::string> wanted;  ///< names of the figures to show; empty: chosen
  bool interrupted = false;

  /// Index of the run that the others are compared with: the one with the defaults of all keys when
  /// there is one, else the first.
  std::size_t baseline() const;
  /// Every figure that a run has, in the order of their first appearance.
  std::vector<SweepFigure> figures() const;
  /// Names of those that tables and curves begin with: the wanted ones, else a few of those that
  /// differ between runs, times of phases first.
  std::vector<std::string> shown() const;

  /// Content of sweep.json; read_sweep() takes it back, without the figures.
  nlohmann::ordered_json to_json() const;
  /// A line a run, a column a figure; the same text whatever the runs took on the host.
  std::string to_csv() const;
  /// The table for the terminal.
  std::string to_table() const;

 private:
  bool differs(const std::string& figure) const;
  std::string relative(const SweptRun& run, const std::string& figure) const;
};

/// Reads a sweep.json. Throws foundation::Fault(kDescription) with the file and what was expected
/// when it is none.
SweepReport read_sweep(const std::string& file);

}  // namespace tvp::report
