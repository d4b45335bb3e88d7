#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// The file of this program.
std::string own_program();

/// A program to run to its end in a process of its own.
struct ChildProcess {
  std::string program;
  std::vector<std::string> arguments = {};
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to this process's
  bool discard_output = false;                                        ///< standard output only

  /// The exit code; 128 + signal of one that was killed, 127 of one that could not be started.
  int run() const;
};

}  // namespace tvp::cli
