#pragma once

#include <string>

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp waves`: replaces itself by GTKWave with the last run's wave file, and with the workload's
/// save file if there is one.
class WavesCommand : public Command {
 public:
  std::string name() const override { return "waves"; }
  std::string summary() const override { return "open GTKWave with the last waves of a workload"; }
  void add_options(CommandOptions& options) override;
  /// Does not return. Throws foundation::Fault(kDescription) if GTKWave cannot be started.
  int execute() override;

 private:
  std::string workload_;
};

}  // namespace tvp::cli
