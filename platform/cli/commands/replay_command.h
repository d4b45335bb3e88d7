#pragma once

#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/run/run_arguments.h"

namespace tvp::cli {

/// `vp replay FILE`: replays a host's accesses to chips from a file of `--record`
/// (foundation/recording/README.md), and ends like a run.
class ReplayCommand : public Command {
 public:
  std::string name() const override { return "replay"; }
  std::string summary() const override { return "replay recorded accesses of a host"; }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  std::string file_;
  std::vector<std::string> elfs_;
  RunArguments arguments_;
};

}  // namespace tvp::cli
