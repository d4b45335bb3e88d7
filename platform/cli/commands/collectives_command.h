#pragma once

#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/run/run_arguments.h"

namespace tvp::cli {

/// `vp collectives`: schedules of collectives without a device (sw/collectives/tool), and the
/// tuner, which has one.
class CollectivesCommand : public Command {
 public:
  std::string name() const override { return "collectives"; }
  std::string summary() const override {
    return "schedules of collectives: list, show, check, convert, findings; tune";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  /// A run of the workload `collective` with all algorithms.
  int tune(RunOptions options) const;

  std::vector<std::string> words_;
  RunArguments arguments_;
};

}  // namespace tvp::cli
