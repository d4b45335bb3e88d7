#include "platform/cli/sweep/sweep.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/job_rank.h"
#include "platform/cli/run/run_identity.h"
#include "platform/cli/sweep/slurm_job.h"
#include "platform/cli/sweep/sweep_worker.h"
#include "sw/report/parquet_file.h"
#include "sw/report/report_page.h"
#include "sw/report/run_report.h"
#include "sw/report/sqlite_file.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;
using report::SweepReport;
using report::SweptRun;

namespace {

constexpr const char* kJson = "sweep.json";
/// Time between two looks at what other processes do.
constexpr std::chrono::milliseconds kLook{200};
/// The same for a queue, whose controller serves many users.
constexpr std::chrono::milliseconds kLookAtQueue{2000};

/// A run that would have the same result again.
bool finished(const SweptRun& run) {
  return run.exit_code >= 0 && run.exit_code <= static_cast<int>(report::Status::kTimeLimit);
}

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

/// The number of this process among those that mpirun has started. Its children are no ranks.
std::string rank_of_process() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string rank = value;
    JobRank::forget();
    return rank;
  }
  throw Fault(FaultKind::kDescription, "--mpi",
              "is given to a process without a rank: expected mpirun -n RANKS ./vp sweep …");
}

}  // namespace

Sweep::Sweep(const WorkloadRegistry& workloads, const SweepOptions& options)
    : options_(options),
      plan_(workloads, options),
      sweep_(plan_.sweep()),
      folder_(options.folder),
      shows_progress_(!options.run.quiet && isatty(STDOUT_FILENO) != 0) {
  const RunIdentity identity;
  for (SweptRun& run : sweep_.runs) run.identity = identity.of(plan_.settings_of(run));
}

Sweep::~Sweep() {
  if (claim_ >= 0) close(claim_);
}

int Sweep::execute() {
  catch_interrupts();
  const bool follows = options_.mpi && rank_of_process() != "0";
  // The ranks end with mpirun, also if it is killed.
  if (options_.mpi) prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (options_.join || follows) return join();
  claim_folder();
  refuse_other();
  store_.emplace(folder_);
  keep_earlier();
  check_interrupted();
  write(kJson, foundation::json_text(sweep_.to_json(), 2) + "\n");
  start_ = std::chrono::steady_clock::now();
  show_progress();
  const bool complete = options_.slurm ? run_on_slurm() : run_here();
  if (shows_progress_) print("\r\033[K");
  sweep_.interrupted = !complete;
  if (complete) store_->clean();
  write_results();
  if (!options_.run.quiet) {
    print(sweep_.to_table() + "  curves and all figures: " + path("sweep.html") + "\n");
  }
  if (sweep_.interrupted && !lost_) complain("interrupted");
  return exit_code();
}

int Sweep::join() {
  if (options_.join) check_leader();
  refuse_other();
  store_.emplace(folder_);
  SweepWorker worker(plan_, *store_, std::max(1U, options_.jobs));
  return worker.work(sweep_.runs, [](const SweptRun&) {}) ? 0 : kInterrupted;
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

void Sweep::check_leader() const {
  const auto runs = [](const SweepReport& sweep) {
    std::vector<std::string> identities;
    for (const SweptRun& run : sweep.runs) identities.push_back(run.identity);
    return identities;
  };
  if (!fs::exists(path(kJson)) || runs(report::read_sweep(path(kJson))) != runs(sweep_)) {
    throw Fault(FaultKind::kDescription, "--join",
                "the sweep in " + folder_.string() +
                    " has other runs: expected one that another process leads, with the same "
                    "options, program and inputs");
  }
}

void Sweep::refuse_other() const {
  if (fs::exists(path(kJson))) refuse_other(report::read_sweep(path(kJson)));
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
  std::size_t kept = 0;
  for (SweptRun& run : sweep_.runs) {
    SweptRun before = run;
    if (!store_->read(before)) continue;
    if (finished(before)) {
      run = before;
      ++kept;
    } else {
      store_->forget(run);
    }
  }
  progress_ = SweepProgress(sweep_.runs.size(), kept);
  if (kept > 0 && !options_.run.quiet) {
    std::printf("  %zu of %zu runs are kept from %s\n", kept, sweep_.runs.size(),
                path(kJson).c_str());
    std::fflush(stdout);
  }
}

bool Sweep::run_here() {
  const unsigned jobs = options_.jobs != 0 ? options_.jobs : options_.mpi ? 1 : processors();
  SweepWorker worker(plan_, *store_, jobs);
  while (worker.work(sweep_.runs, [&](const SweptRun& run) { take(run); })) {
    if (collect() == 0) return true;
    // The other runs are under way elsewhere. If their process ends early, they are executed here.
    wait_unless_interrupted(kLook);
    if (interrupted()) return false;
  }
  return false;
}

bool Sweep::run_on_slurm() {
  SlurmJob job(folder_);
  std::size_t left = collect();
  if (left == 0) return true;
  const bool attached = job.attach();
  if (!attached) {
    std::vector<std::string> command{own_program()};
    const auto arguments = plan_.joining_arguments();
    command.insert(command.end(), arguments.begin(), arguments.end());
    const std::size_t tasks = options_.jobs != 0 ? options_.jobs : SlurmJob::processors();
    job.submit(command, std::min(left, tasks), options_.sbatch);
  }
  if (!options_.run.quiet)
    print("  job " + job.id() + (attached ? " is still active\n" : " executes the runs\n"));
  std::string reason;
  SlurmJob::State state;
  try {
    do {
      wait_unless_interrupted(kLookAtQueue);
      state = job.state();
      left = collect();  // after the state: a task that ended has published its results
      if (state.running == 0 && state.reason != reason && state.reason != "None") {
        reason = state.reason;
        if (!options_.run.quiet) complain("job " + job.id() + " waits: " + reason);
      }
    } while (!interrupted() && left > 0 && state.active > 0 && !state.stuck());
  } catch (...) {
    job.cancel();
    throw;
  }
  if (state.active > 0) job.cancel();
  job.close();
  for (const SlurmJob::Loss& loss : state.losses) {
    const std::string output = job.output_of(loss.task);
    complain("task " + loss.task + " of job " + job.id() + " on node " + loss.node +
             " ended with " + loss.state + (output.empty() ? "" : ": " + output));
  }
  lost_ = left > 0 && !interrupted();
  if (lost_) {
    complain("job " + job.id() + " has left " + std::to_string(left) + " of " +
             std::to_string(sweep_.runs.size()) +
             " runs without a result; the same command executes them");
  }
  return left == 0;
}

std::size_t Sweep::collect() {
  std::size_t left = 0;
  for (SweptRun& run : sweep_.runs) {
    if (run.exit_code >= 0) continue;
    if (store_->read(run)) {
      take(run);
    } else {
      ++left;
    }
  }
  return left;
}

void Sweep::take(const SweptRun& run) {
  if (run.exit_code < 0) return;
  progress_.add(run.passed());
  show_progress();
  if (!run.passed()) return;
  for (const std::string& name : sweep_.wanted) {
    if (run.figure(name) != nullptr) continue;
    std::string known;
    for (const auto& figure : run.figures) known += (known.empty() ? "" : ", ") + figure.name;
    throw Fault(FaultKind::kDescription, "--metric " + name,
                sweep_.workload + " has no such figure: expected one of " + known);
  }
}

void Sweep::show_progress() const {
  if (!shows_progress_) return;
  print("\r\033[K" + progress_.text(std::chrono::steady_clock::now() - start_) + " …");
}

void Sweep::write_results() const {
  const auto json = sweep_.to_json();
  const report::SweepTable passed = sweep_.passed();
  const report::SweepTable failed = sweep_.failed();
  write(kJson, foundation::json_text(json, 2) + "\n");
  write("sweep.csv", passed.to_csv());
  write("sweep.parquet", report::to_parquet(passed));
  report::write_sqlite(path("sweep.sqlite"), {passed, failed});
  write("failed.csv", failed.to_csv());
  write("sweep.html", report::sweep_page(json));
}

/// Replaces the file in one step, so that no reader finds an incomplete file.
void Sweep::write(const std::string& name, const std::string& text) const {
  foundation::replace_file(path(name), text);
}

int Sweep::exit_code() const {
  if (sweep_.interrupted) return lost_ ? kHost : kInterrupted;
  for (const SweptRun& run : sweep_.runs) {
    if (run.passed()) continue;
    return run.exit_code > kHost ? kDefect : run.exit_code;
  }
  return 0;
}

}  // namespace tvp::cli
