#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foundation/source_root.h"
#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// Everything after `vp`: finds the command, passes it its options, and turns an exception into an
/// exit code. This class executes `help` and `--version`.
class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  /// Returns the exit code.
  int execute(int argc, const char* const* argv);

 private:
  struct Parser;  // of CLI11

  int dispatch();
  int help() const;
  /// Lets signals end the process, unless the command `word` reports them.
  void take_interrupts(const std::string& word) const;
  /// Throws Fault(kDescription) for an argument that is not UTF-8.
  static void check_text(int argc, const char* const* argv);
  /// Throws Fault(kDescription) if `word` is not a command of this program.
  void check_command(const std::string& word) const;
  [[noreturn]] void unknown(const std::string& word) const;
  /// Names an option that the command lacks; "" if the error is another one.
  std::string unexpected() const;

  std::vector<std::unique_ptr<Command>> commands_;
  std::string help_topic_;
  std::string help_form_;
  const std::string name_ = foundation::program_name();
  std::unique_ptr<Parser> parser_;
};

}  // namespace tvp::cli
