#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"
#include "platform/cli/options.h"

namespace tvp::cli {

/// `vp run`: one run of a workload.
class RunCommand : public Command {
 public:
  std::string name() const override { return "run"; }
  std::string summary() const override { return "run a workload"; }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  RunOptions run_;
  // As given.
  std::vector<std::string> sets_;
  std::string max_time_;
  std::string wave_from_;
  std::string wave_to_;
};

}  // namespace tvp::cli
