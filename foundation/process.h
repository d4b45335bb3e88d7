#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tvp::foundation {

/// The arguments and environment of a new process. No shell interprets them.
struct ProcessStart {
  std::vector<std::string> command;           ///< the first word is searched on PATH
  std::vector<std::string> environment = {};  ///< NAME=value sets a variable, NAME alone removes it
  std::string folder = {};                    ///< working folder; "": that of this process
  std::string input = "/dev/null";            ///< file for standard input
  std::string output = {};  ///< file for the output; "": read by this process, errors included
  std::string errors = {};  ///< file for errors; "": as for `output`; "-": errors of this process
};

/// Another program that runs in a process group of its own. Ending the process ends its children
/// too.
class Process {
 public:
  /// Throws std::system_error with the program's name if it cannot be started.
  explicit Process(const ProcessStart& start);
  ~Process();  ///< kills it if it still runs
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  pid_t id() const { return id_; }  ///< -1 after its end
  /// The output that was read so far.
  const std::string& said() const { return said_; }

  /// File descriptor to poll: readable if output or its end is there.
  int pipe() const { return pipe_; }
  /// Waits for more output; false at its end.
  bool read_more();
  /// Reads the remaining output and waits for the end of the process. After `seconds` it kills the
  /// process and returns false. The limit does not apply if the output goes to a file.
  bool finish(std::optional<unsigned> seconds = std::nullopt);
  /// Runs a program to its end.
  static Process run(const ProcessStart& start);

  // Valid after the end of the process:
  /// 128 + signal number if a signal killed it.
  int exit_code() const;
  /// The signal that killed it, or 0.
  int signal() const;

 private:
  void reap();
  void kill_group();

  pid_t id_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  std::string said_;
};

}  // namespace tvp::foundation
