#pragma once

#include <filesystem>
#include <string>

#include "platform/cli/sweep/sweep_plan.h"
#include "sw/report/sweep_report.h"

namespace tvp::cli {

/// Runs a workload once for each combination of the values of some keys. Each run is a process with
/// its own report. The sweep then writes sweep.json, sweep.csv and sweep.html and prints a table.
class Sweep {
 public:
  Sweep(const WorkloadRegistry& workloads, const SweepOptions& options);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Returns the exit code: 130 after Ctrl-C, else that of the first run in the table that did not
  /// pass, else 0.
  int execute();

 private:
  /// Throws foundation::Fault(kDescription) if the folder belongs to another sweep.
  void claim_folder();
  /// Takes over the finished runs of an earlier sweep with the same settings in the same folder.
  void keep_earlier();
  void refuse_other(const report::SweepReport& earlier) const;
  /// Runs the missing runs; false after Ctrl-C.
  bool run_missing();
  void take_result(report::SweptRun& run, int exit_code);
  /// Throws foundation::Fault(kDescription) if the run lacks a figure of --metric.
  void check_wanted(const report::SweptRun& run) const;
  void show_progress(std::size_t done, std::size_t of) const;
  void write_json() const;
  void write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  int exit_code() const;

  SweepOptions options_;
  SweepPlan plan_;
  report::SweepReport sweep_;
  std::filesystem::path folder_;
  int claim_ = -1;  ///< lock of the folder
  bool progress_ = false;
};

}  // namespace tvp::cli
