#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp exec … -- PROGRAM`: replaces itself by a host program, with the library and its settings in
/// the environment.
class ExecCommand : public Command {
 public:
  std::string name() const override { return "exec"; }
  std::string summary() const override {
    return "run a host program with the library and its settings in the environment";
  }
  void add_options(CommandOptions& options) override;
  /// Returns only when the program cannot be started.
  int execute() override;

 private:
  std::string settings() const;

  std::optional<std::string> system_;
  std::optional<std::string> record_;
  std::vector<std::string> sets_;
  std::vector<std::string> program_;
};

}  // namespace tvp::cli
