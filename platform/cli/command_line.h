#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foundation/source_root.h"
#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// Everything after `vp`: finds the command, gives it its options, and turns what it throws into
/// an exit code. `help` and `--version` are answered here.
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
  /// Throws Fault(kDescription) for an argument that is not UTF-8.
  static void check_text(int argc, const char* const* argv);
  /// Throws Fault(kDescription) for a word that is no command of ours.
  void check_command(const std::string& word) const;
  [[noreturn]] void unknown(const std::string& word) const;
  /// Of an option that the command does not have; empty when that is not what is wrong.
  std::string unexpected() const;

  std::vector<std::unique_ptr<Command>> commands_;
  std::string help_topic_;
  const std::string name_ = foundation::program_name();
  std::unique_ptr<Parser> parser_;
};

}  // namespace tvp::cli
