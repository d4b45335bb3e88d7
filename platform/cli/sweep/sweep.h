#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/cli/sweep/sweep_plan.h"
#include "platform/cli/sweep/sweep_progress.h"
#include "platform/cli/sweep/sweep_store.h"
#include "sw/report/sweep_report.h"

namespace tvp::cli {

/// Runs a workload once for each combination of the values of some keys. Each run is a process with
/// its own report. One process leads: it checks all runs, and at the end it writes sweep.json, the
/// tables and sweep.html and prints a table. Others may join it, as tasks of Slurm or ranks of MPI.
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
  /// Works on the runs of another process's sweep until none is left.
  int join();
  /// Throws foundation::Fault(kDescription) if the folder belongs to another sweep.
  void claim_folder();
  void refuse_other() const;
  void refuse_other(const report::SweepReport& earlier) const;
  /// Throws foundation::Fault(kDescription) unless the folder's sweep has exactly these runs.
  void check_leader() const;
  /// Takes over the finished runs of an earlier sweep in the same folder.
  void keep_earlier();
  /// Each executes the missing runs; false if some are left.
  bool run_here();
  bool run_on_slurm();
  /// Takes the results of other processes; the number of runs that are left.
  std::size_t collect();
  void take(const report::SweptRun& run);
  void show_progress() const;
  void write_results() const;
  void write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  int exit_code() const;

  SweepOptions options_;
  SweepPlan plan_;
  report::SweepReport sweep_;
  std::filesystem::path folder_;
  int claim_ = -1;  ///< lock of the folder
  std::optional<SweepStore> store_;
  SweepProgress progress_;
  std::chrono::steady_clock::time_point start_;
  bool shows_progress_ = false;
  bool lost_ = false;  ///< the cluster could not execute all runs
};

}  // namespace tvp::cli
