#pragma once

#include <string>

namespace tvp::cli {

class CommandOptions;

/// One command of `vp`: name, options and action. A new command is a file pair and a line in
/// CMakeLists.txt.
class Command {
 public:
  virtual ~Command() = default;
  /// The word after `vp`.
  virtual std::string name() const = 0;
  /// One line for `vp help`.
  virtual std::string summary() const = 0;
  /// Binds options and words of the command line to members.
  virtual void add_options(CommandOptions& options) = 0;
  /// True if a signal that precedes `execute` must not end the process, because `execute` reports
  /// it.
  virtual bool reports_interrupts() const { return false; }
  /// Returns the exit code. May throw foundation::Fault for bad usage (2) and Interrupted (130).
  virtual int execute() = 0;
};

}  // namespace tvp::cli
