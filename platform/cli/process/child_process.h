#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// The file of this program.
std::string own_program();

/// A program for a process of its own; a ProcessPool runs it to its end.
struct ChildProcess {
  std::string program;
  std::vector<std::string> arguments = {};
  std::vector<std::pair<std::string, std::string>> environment =
      {};                       ///< extends the environment of this process
  bool discard_output = false;  ///< standard output only
  std::string error_file = {};  ///< takes standard error when not empty
  /// Signals of the terminal do not reach it then, and it ends when this process does.
  bool own_group = false;

  /// Its process, to be waited for; -1 when there can be none.
  pid_t start() const;
  /// From what waitpid() says; 128 + signal of one that was killed, 127 of one that could not be
  /// started.
  static int exit_code(int status);
  /// True if the machine could not start it, killed it for want of memory, or failed it.
  static bool failed_by_machine(int exit_code);
  /// Throws foundation::HostError if the code says that the host machine failed, not `what`.
  static void check_machine(int exit_code, const std::string& what);

 private:
  [[noreturn]] void become(pid_t parent) const;
};

}  // namespace tvp::cli
