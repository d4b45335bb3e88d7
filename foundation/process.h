#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tvp::foundation {

/// The arguments and environment of a new process. No shell interprets them.
struct ProcessStart {
  std::vector<std::string> command;           ///< the first word is looked for on PATH
  std::vector<std::string> environment = {};  ///< NAME=value is set, NAME alone is taken away
  std::string folder = {};                    ///< that it works in; "": this process's
  std::string input = "/dev/null";            ///< a file
  std::string output = {};  ///< the file that takes it; "": what it says is read, errors in between
  std::string errors = {};  ///< the same; "-": they go where this process's go
};

/// Another program at work, with a process group of its own: it ends with all that it has started.
class Process {
 public:
  /// Throws std::system_error, with the program's name, when it cannot be started.
  explicit Process(const ProcessStart& start);
  ~Process();  ///< ends it when it still runs
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  pid_t id() const { return id_; }  ///< -1 once it has ended
  /// The output of the process that was read so far.
  const std::string& said() const { return said_; }

  /// To be polled: something can be read, or nothing more will come.
  int pipe() const { return pipe_; }
  /// Waits for what it says next; false when nothing more will come.
  bool read_more();
  /// Reads the rest and waits for its end; at most so long, if given. False when that is over, and
  /// the program was killed. Of one whose output goes elsewhere the time is not limited.
  bool finish(std::optional<unsigned> seconds = std::nullopt);
  /// A program that ran to its end.
  static Process run(const ProcessStart& start);

  // After the process has ended:
  /// 128 + signal of one that was killed.
  int exit_code() const;
  /// 0, or what it was killed by.
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
