#pragma once

#include <functional>
#include <vector>

#include "platform/cli/process/child_process.h"
#include "platform/cli/sweep/sweep_plan.h"
#include "platform/cli/sweep/sweep_store.h"

namespace tvp::cli {

/// Executes runs of a sweep that no other process works on. Each run is a process with its own
/// report.
class SweepWorker {
 public:
  using Ended = std::function<void(const report::SweptRun& run)>;

  /// `jobs` runs at a time.
  SweepWorker(const SweepPlan& plan, SweepStore& store, unsigned jobs)
      : plan_(plan), store_(store), jobs_(jobs) {}

  /// Executes all runs without a result, except those that are under way elsewhere. Calls `ended`
  /// for each run whose result is there, also for one from elsewhere; an exception ends the others.
  /// Returns false after Ctrl-C.
  bool work(std::vector<report::SweptRun>& runs, const Ended& ended);

 private:
  ChildProcess process_of(const report::SweptRun& run) const;
  void take_result(report::SweptRun& run, int exit_code) const;

  const SweepPlan& plan_;
  SweepStore& store_;
  unsigned jobs_;
};

}  // namespace tvp::cli
