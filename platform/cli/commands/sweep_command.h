#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/sweep/sweep_plan.h"

namespace tvp::cli {

/// `vp sweep`: a workload once for each combination of the values of some keys.
class SweepCommand : public Command {
 public:
  std::string name() const override { return "sweep"; }
  std::string summary() const override {
    return "run a workload with all combinations of values of keys";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  SweepOptions sweep_;
  // As given.
  std::vector<std::string> sets_;
  std::optional<std::string> seed_;
};

}  // namespace tvp::cli
