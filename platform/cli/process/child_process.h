#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// The file of this program.
std::string own_program();

/// A program to run as a child; a ProcessPool runs it to its end.
struct ChildProcess {
  std::string program;
  std::vector<std::string> arguments = {};
  std::vector<std::pair<std::string, std::string>> environment =
      {};                       ///< extends the environment of this process
  bool discard_output = false;  ///< standard output only
  std::string error_file = {};  ///< file for standard error; empty: inherited
  /// Terminal signals do not reach the child, and it ends with this process.
  bool own_group = false;

  /// The child's process id, for waitpid(); -1 if it could not be created.
  pid_t start() const;
  /// Converts a status of waitpid(): 128 + signal if the child was killed, 127 if it could not be
  /// started.
  static int exit_code(int status);
  /// True if the host could not start it, killed it for lack of memory, or failed otherwise.
  static bool failed_by_machine(int exit_code);
  /// Throws foundation::HostError if the code says that the host machine failed, not `what`.
  static void check_machine(int exit_code, const std::string& what);

 private:
  [[noreturn]] void become(pid_t parent) const;
};

}  // namespace tvp::cli
