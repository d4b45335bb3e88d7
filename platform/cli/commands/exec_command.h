#pragma once

#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/run/run_arguments.h"

namespace tvp::cli {

/// `vp exec … -- PROGRAM`: runs a host program with the library and its settings in the
/// environment. Without a report the program replaces this process.
class ExecCommand : public Command {
 public:
  std::string name() const override { return "exec"; }
  std::string summary() const override {
    return "run a host program with the library and its settings in the environment";
  }
  void add_options(CommandOptions& options) override;
  /// Returns the program's exit code.
  int execute() override;

 private:
  static std::string settings(const RunOptions& options);
  static void check_outputs(const RunOptions& options);
  [[noreturn]] void become_program();
  int run_with_report(const RunOptions& options, const std::string& text);

  RunArguments arguments_;
  std::vector<std::string> program_;
};

}  // namespace tvp::cli
