#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tvp::cli {

/// Result of one run.
struct RecordedRun {
  std::string workload;
  std::uint64_t seed = 1;
  bool lockstep = false;

  int exit_code = -1;
  std::uint64_t simulated_ps = 0;
  std::string state_digest = {};
  std::map<std::string, std::pair<double, double>> phases = {};  ///< begin and end, ns
  std::map<std::string, double> metrics = {};

  /// "sdpa seed 1 lockstep"
  std::string title() const;
  /// "22905000 ps D325FEEEB3DC3762", or the failure.
  std::string summary() const;
  /// Reads the report of a run that ended with `exit_code`.
  void take(int exit_code, const std::string& report);
  /// One line per difference from `before`, except for metrics of wall time.
  std::vector<std::string> differences(const RecordedRun& before) const;
};

/// Results of many runs, in one file.
class Recording {
 public:
  explicit Recording(std::vector<RecordedRun> runs) : runs_(std::move(runs)) {}
  /// Throws Fault(kDescription) that names the file if it is no recording.
  static Recording read(const std::string& file);
  /// Throws Fault(kDescription) if it cannot be written.
  void write(const std::string& file) const;

  const std::vector<RecordedRun>& runs() const { return runs_; }
  /// Failed runs, and lockstep runs that differ from normal ones; one line each.
  std::vector<std::string> contradictions() const;
  /// One line per difference from `before`.
  std::vector<std::string> differences(const Recording& before) const;

 private:
  std::vector<RecordedRun> runs_;
};

}  // namespace tvp::cli
