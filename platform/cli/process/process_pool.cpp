#include "platform/cli/process/process_pool.h"

#include <sys/wait.h>

#include <csignal>

#include "platform/cli/process/interrupt.h"

namespace tvp::cli {

namespace {

/// Blocks the signals that a pool waits for, so that none is lost between a check of the children
/// and the wait.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&held_, signal);
    sigprocmask(SIG_BLOCK, &held_, &before_);
  }
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  /// The next signal.
  int wait() const { return sigwaitinfo(&held_, nullptr); }

 private:
  sigset_t held_{};
  sigset_t before_{};
};

}  // namespace

bool ProcessPool::run(const std::vector<ChildProcess>& processes, const Ended& ended) {
  std::size_t at = 0;
  return run(
      [&]() -> std::optional<ChildProcess> {
        if (at == processes.size()) return {};
        return processes[at++];
      },
      ended);
}

bool ProcessPool::run(const Next& next, const Ended& ended) {
  const HeldSignals signals;
  // A signal before the block is known to its handler only.
  if (cli::interrupted()) {
    ++interrupts_;
    return false;
  }
  try {
    start_more(next, ended);
    while (!running_.empty()) {
      const int signal = signals.wait();
      if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
        signal_all(interrupts_++ == 0 ? SIGINT : SIGKILL);
      }
      collect(ended);
      if (interrupts_ == 0) start_more(next, ended);
    }
  } catch (...) {
    signal_all(SIGKILL);
    for (const Running& child : running_) waitpid(child.process, nullptr, 0);
    throw;
  }
  return interrupts_ == 0;
}

int ProcessPool::run_alone(const ChildProcess& process) {
  int result = 0;
  ProcessPool pool(1);
  if (!pool.run({process}, [&](std::size_t, int exit_code) { result = exit_code; }))
    throw Interrupted();
  return result;
}

void ProcessPool::start_more(const Next& next, const Ended& ended) {
  while (running_.size() < at_a_time_) {
    std::optional<ChildProcess> child = next();
    if (!child) return;
    const std::size_t index = started_++;
    // The group lets signal_all() reach all processes that the child has started.
    child->own_group = true;
    const pid_t process = child->start();
    if (process < 0) {
      ended(index, 127);
    } else {
      running_.push_back({process, index});
    }
  }
}

void ProcessPool::collect(const Ended& ended) {
  for (std::size_t i = 0; i < running_.size();) {
    int status = 0;
    if (waitpid(running_[i].process, &status, WNOHANG) != running_[i].process) {
      ++i;
      continue;
    }
    const std::size_t index = running_[i].index;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    ended(index, ChildProcess::exit_code(status));
  }
}

void ProcessPool::signal_all(int signal) const {
  for (const Running& child : running_) {
    kill(-child.process, signal);
    // A stopped process would not receive the signal.
    kill(-child.process, SIGCONT);
  }
}

}  // namespace tvp::cli
