#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "platform/cli/process/child_process.h"

namespace tvp::cli {

/// Runs child processes, some at a time. The first Ctrl-C (SIGINT, SIGTERM, SIGHUP) asks running
/// children to end, a second one kills them. The pool waits for all of them.
class ProcessPool {
 public:
  explicit ProcessPool(unsigned at_a_time) : at_a_time_(at_a_time) {}

  /// Receives index and exit code of each process that ends; an exception ends the others.
  using Ended = std::function<void(std::size_t index, int exit_code)>;
  /// Returns the process to start next; nothing if none is left.
  using Next = std::function<std::optional<ChildProcess>()>;

  /// Starts the processes in order. Returns false after a Ctrl-C.
  bool run(const std::vector<ChildProcess>& processes, const Ended& ended);
  /// The same for processes that are selected when they start. Indices count them from 0.
  bool run(const Next& next, const Ended& ended);
  bool interrupted() const { return interrupts_ > 0; }
  /// Runs one process and returns its exit code. Throws Interrupted.
  static int run_alone(const ChildProcess& process);

 private:
  struct Running {
    pid_t process = -1;
    std::size_t index = 0;
  };
  void start_more(const Next& next, const Ended& ended);
  void collect(const Ended& ended);
  void signal_all(int signal) const;

  unsigned at_a_time_;
  std::size_t started_ = 0;
  unsigned interrupts_ = 0;
  std::vector<Running> running_;
};

}  // namespace tvp::cli
