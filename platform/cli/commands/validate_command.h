#pragma once

#include "platform/cli/commands/command.h"
#include "platform/cli/validation.h"

namespace tvp::cli {

/// `vp validate`: compares published measurements of silicon with runs.
class ValidateCommand : public Command {
 public:
  std::string name() const override { return "validate"; }
  std::string summary() const override {
    return "compare simulated times with published measurements of silicon";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  ValidationOptions validation_;
};

}  // namespace tvp::cli
