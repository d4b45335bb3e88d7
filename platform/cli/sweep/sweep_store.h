#pragma once

#include <filesystem>
#include <string>

#include "sw/report/sweep_report.h"

namespace tvp::cli {

/// The points of a sweep in its folder, shared by all processes that work on it, on any machine:
///
///   points/NAME.json  record of a run that passed     points/claims  locks of the runs under way
///   failed/NAME.json  record of a run that did not    NAME.json      report of a run
///
/// A lock ends with the process that holds it, so a killed process leaves nothing that blocks. The
/// record of a run appears in one step and only once.
class SweepStore {
 public:
  explicit SweepStore(const std::filesystem::path& folder);
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  /// Fills in the result if there is a record with the run's identity.
  bool read(report::SweptRun& run) const;
  /// False if another process works on the run. This process must not claim a run twice.
  bool claim(const report::SweptRun& run) { return lock(run, true); }
  void release(const report::SweptRun& run) { lock(run, false); }
  /// Where the process of a claimed run writes its report, and its errors.
  std::filesystem::path scratch(const report::SweptRun& run) const;
  std::filesystem::path scratch_errors(const report::SweptRun& run) const;
  /// Publishes the result of a claimed run and its report, if there is one.
  void publish(const report::SweptRun& run);
  /// Removes the record, so that the run is executed again.
  void forget(const report::SweptRun& run);
  /// Removes files of processes that were killed. Call this when no run is left.
  void clean() const;

 private:
  bool lock(const report::SweptRun& run, bool wanted);

  std::filesystem::path folder_;
  int claims_ = -1;
};

}  // namespace tvp::cli
