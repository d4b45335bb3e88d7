#include "platform/cli/sweep/sweep_worker.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "foundation/read_file.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/process_pool.h"
#include "sw/report/report_comparison.h"
#include "sw/report/run_report.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using report::SweptRun;

bool SweepWorker::work(std::vector<SweptRun>& runs, const Ended& ended) {
  std::vector<SweptRun*> started;
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<ChildProcess> {
    while (at < runs.size()) {
      SweptRun& run = runs[at++];
      if (run.exit_code >= 0 || !store_.claim(run)) continue;
      // The process that worked on it may have just published the result.
      if (store_.read(run)) {
        store_.release(run);
        ended(run);
        continue;
      }
      started.push_back(&run);
      return process_of(run);
    }
    return {};
  };
  ProcessPool pool(jobs_);
  const auto take = [&](std::size_t index, int exit_code) {
    SweptRun& run = *started[index];
    // A run that Ctrl-C interrupted is unfinished, even if it returned another code.
    take_result(run, pool.interrupted() && exit_code != 0 ? kInterrupted : exit_code);
    if (run.exit_code >= 0) store_.publish(run);
    fs::remove(store_.scratch(run));
    fs::remove(store_.scratch_errors(run));
    store_.release(run);
    ended(run);
  };
  try {
    return pool.run(next, take);
  } catch (...) {
    for (const SweptRun* run : started) {
      std::error_code ignored;
      fs::remove(store_.scratch(*run), ignored);
      fs::remove(store_.scratch_errors(*run), ignored);
      store_.release(*run);
    }
    throw;
  }
}

ChildProcess SweepWorker::process_of(const SweptRun& run) const {
  const fs::path report = store_.scratch(run);
  // A link in a folder from elsewhere could lead to any file.
  fs::remove(report);
  fs::remove(store_.scratch_errors(run));
  return {.program = own_program(),
          .arguments = plan_.arguments_of(run, report),
          .discard_output = true,
          .error_file = store_.scratch_errors(run)};
}

void SweepWorker::take_result(SweptRun& run, int exit_code) const {
  const fs::path file = store_.scratch(run);
  run.exit_code = ChildProcess::failed_by_machine(exit_code) ? kHost : exit_code;
  if (exit_code > 128 && exit_code != kInterrupted) {
    run.status = "killed by signal " + std::to_string(exit_code - 128);
  } else {
    run.status = report::to_string(static_cast<report::Status>(run.exit_code));
  }
  if (exit_code == kInterrupted) run.exit_code = -1;
  run.reason = exit_code == kInterrupted ? "" : foundation::read_file(store_.scratch_errors(run));
  // If the host machine failed, the report may be incomplete.
  if (exit_code >= kHost || !fs::exists(file)) {
    fs::remove(file);
    if (exit_code < kDefect) run.exit_code = kDefect;  // without a report
    return;
  }
  const auto json = report::read_report(file);
  run.reason = json.value("reason", std::string());
  run.wall_s = json.value("wall_s", 0.0);
  run.state_digest = json.value("state_digest", std::string());
  if (run.passed()) run.figures = report::figures_of(json);
}

}  // namespace tvp::cli
