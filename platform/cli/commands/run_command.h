#pragma once

#include <optional>
#include <string>

#include "platform/cli/commands/command.h"
#include "platform/cli/run/run_arguments.h"

namespace tvp::cli {

/// `vp run`: one run of a workload.
class RunCommand : public Command {
 public:
  std::string name() const override { return "run"; }
  std::string summary() const override { return "run a workload"; }
  void add_options(CommandOptions& options) override;
  bool reports_interrupts() const override { return true; }
  int execute() override;

 private:
  std::string workload_;
  std::optional<std::string> seed_;
  RunArguments arguments_;
};

}  // namespace tvp::cli
