#include "platform/cli/sweep/sweep.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/process_pool.h"
#include "platform/cli/run/run_identity.h"
#include "sw/report/report_comparison.h"
#include "sw/report/report_page.h"
#include "sw/report/run_report.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;
using report::SweepReport;
using report::SweptRun;

namespace {

constexpr const char* kJson = "sweep.json";
constexpr const char* kErrors = ".errors";  // ending of the error file of an active run

/// A run that would have the same result again.
bool finished(const SweptRun& run) {
  return run.exit_code >= 0 && run.exit_code <= static_cast<int>(report::Status::kTimeLimit);
}

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace

Sweep::Sweep(const WorkloadRegistry& workloads, const SweepOptions& options)
    : options_(options),
      plan_(workloads, options),
      sweep_(plan_.sweep()),
      folder_(options.folder),
      progress_(!options.run.quiet && isatty(STDOUT_FILENO) != 0) {}

Sweep::~Sweep() {
  if (claim_ >= 0) close(claim_);
}

int Sweep::execute() {
  catch_interrupts();
  const RunIdentity identity;
  for (SweptRun& run : sweep_.runs) run.identity = identity.of(plan_.settings_of(run));
  claim_folder();
  keep_earlier();
  check_interrupted();
  sweep_.interrupted = !run_missing();
  write_json();
  write("sweep.csv", sweep_.to_csv());
  write("sweep.html", report::sweep_page(sweep_.to_json()));
  if (!options_.run.quiet) {
    print(sweep_.to_table() + "  curves and all figures: " + path("sweep.html") + "\n");
  }
  if (sweep_.interrupted) complain("interrupted");
  return exit_code();
}

void Sweep::claim_folder() {
  std::error_code error;
  fs::create_directories(folder_, error);
  int failure = error.value();
  if (!error) {
    claim_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (claim_ < 0 || access(folder_.c_str(), W_OK) != 0) failure = errno;
  }
  if (failure != 0) {
    const std::string where = "--out " + folder_.string();
    const std::string text = "cannot be written: " + foundation::reason_of(failure) +
                             "; expected a folder in which you may create files";
    // Missing permissions are no mistake of the command line.
    if (failure == EACCES || foundation::is_of_the_host(failure))
      throw foundation::HostError(where, text);
    throw Fault(FaultKind::kDescription, where, text);
  }
  if (flock(claim_, LOCK_EX | LOCK_NB) != 0) {
    throw Fault(FaultKind::kDescription, "--out " + folder_.string(),
                "is used by another sweep that is under way");
  }
}

void Sweep::refuse_other(const SweepReport& earlier) const {
  const auto refuse = [&](const std::string& what) {
    throw Fault(FaultKind::kDescription, "--out " + folder_.string(),
                "holds a sweep " + what + ": expected another folder");
  };
  if (earlier.workload != sweep_.workload) refuse("of " + earlier.workload);
  // A key that one sweep varies may be fixed in the other one. The runs contain it.
  const auto is_key = [](const SweepReport& sweep, const std::string& name) {
    return std::any_of(sweep.keys.begin(), sweep.keys.end(),
                       [&](const report::SweptKey& key) { return key.key == name; });
  };
  const auto compare = [&](const auto& now, const auto& before) {
    for (const auto& [name, value] : before) {
      if (is_key(sweep_, name)) continue;
      const auto same = [&, &name = name](const auto& pair) { return pair.first == name; };
      const auto found = std::find_if(now.begin(), now.end(), same);
      if (found == now.end() || found->second != value) {
        refuse("with " + name + " = " + value +
               (found == now.end() ? "" : " instead of " + found->second));
      }
    }
    for (const auto& [name, value] : now) {
      if (is_key(earlier, name)) continue;
      const auto same = [&, &name = name](const auto& pair) { return pair.first == name; };
      if (std::none_of(before.begin(), before.end(), same)) {
        refuse("without " + name + " = " + value);
      }
    }
  };
  compare(sweep_.common, earlier.common);
  compare(sweep_.settings, earlier.settings);
}

void Sweep::keep_earlier() {
  if (!fs::exists(path(kJson))) return;
  const SweepReport earlier = report::read_sweep(path(kJson));
  refuse_other(earlier);
  std::size_t kept = 0;
  for (SweptRun& run : sweep_.runs) {
    for (const SweptRun& before : earlier.runs) {
      if (before.identity != run.identity || !finished(before)) continue;
      if (!fs::exists(path(run.report_file))) continue;
      take_result(run, before.exit_code);
      ++kept;
      break;
    }
  }
  if (kept > 0 && !options_.run.quiet) {
    std::printf("  %zu of %zu runs are kept from %s\n", kept, sweep_.runs.size(),
                path(kJson).c_str());
    std::fflush(stdout);
  }
}

bool Sweep::run_missing() {
  std::vector<ChildProcess> processes;
  std::vector<SweptRun*> runs;
  for (SweptRun& run : sweep_.runs) {
    if (run.exit_code >= 0) continue;
    const std::string file = path(run.report_file);
    // A link in a folder from elsewhere could lead to any file.
    fs::remove(file);
    fs::remove(file + kErrors);
    runs.push_back(&run);
    processes.push_back({.program = own_program(),
                         .arguments = plan_.arguments_of(run, file),
                         .discard_output = true,
                         .error_file = file + kErrors});
  }
  std::size_t done = 0;
  show_progress(done, runs.size());
  ProcessPool pool(options_.jobs == 0 ? processors() : options_.jobs);
  const auto ended = [&](std::size_t index, int exit_code) {
    // A run that Ctrl-C interrupted is unfinished, even if it returned another code.
    take_result(*runs[index], pool.interrupted() && exit_code != 0 ? kInterrupted : exit_code);
    write_json();
    show_progress(++done, runs.size());
  };
  try {
    return pool.run(processes, ended);
  } catch (...) {
    for (const SweptRun* run : runs) fs::remove(path(run->report_file + kErrors));
    throw;
  }
}

void Sweep::take_result(SweptRun& run, int exit_code) {
  const std::string file = path(run.report_file);
  const std::string errors = foundation::read_file(file + kErrors);
  fs::remove(file + kErrors);
  run.exit_code = ChildProcess::failed_by_machine(exit_code) ? kHost : exit_code;
  if (exit_code > 128 && exit_code != kInterrupted) {
    run.status = "killed by signal " + std::to_string(exit_code - 128);
  } else {
    run.status = report::to_string(static_cast<report::Status>(run.exit_code));
  }
  if (exit_code == kInterrupted) run.exit_code = -1;
  run.reason = exit_code == kInterrupted ? "" : errors;
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
  if (!run.passed()) return;
  run.figures = report::figures_of(json);
  check_wanted(run);
}

void Sweep::check_wanted(const SweptRun& run) const {
  for (const std::string& name : sweep_.wanted) {
    if (run.figure(name) != nullptr) continue;
    std::string known;
    for (const auto& figure : run.figures) known += (known.empty() ? "" : ", ") + figure.name;
    throw Fault(FaultKind::kDescription, "--metric " + name,
                sweep_.workload + " has no such figure: expected one of " + known);
  }
}

void Sweep::show_progress(std::size_t done, std::size_t of) const {
  if (!progress_) return;
  if (done < of) {
    std::printf("\r%zu of %zu runs …", done, of);
  } else {
    std::printf("\r\033[K");
  }
  std::fflush(stdout);
}

void Sweep::write_json() const { write(kJson, foundation::json_text(sweep_.to_json(), 2) + "\n"); }

/// Replaces the file in one step, so that no reader finds an incomplete file.
void Sweep::write(const std::string& name, const std::string& text) const {
  foundation::replace_file(path(name), text);
}

int Sweep::exit_code() const {
  if (sweep_.interrupted) return kInterrupted;
  for (const SweptRun& run : sweep_.runs) {
    if (run.passed()) continue;
    return run.exit_code > kHost ? kDefect : run.exit_code;
  }
  return 0;
}

}  // namespace tvp::cli
