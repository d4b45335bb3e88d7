#pragma once

#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/run/run_arguments.h"

namespace tvp::cli {

/// `vp collectives`: schedules of collectives (sw/collectives/tool), which need no device, and the
/// tuner, which needs one.
class CollectivesCommand : public Command {
 public:
  std::string name() const override { return "collectives"; }
  std::string summary() const override {
    return "list, show, check, convert or tune schedules of collectives";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  /// Runs the workload `collective` with all algorithms.
  int tune(RunOptions options) const;

  std::vector<std::string> words_;
  RunArguments arguments_;
};

}  // namespace tvp::cli
