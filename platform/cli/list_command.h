#pragma once

#include <string>

#include "platform/cli/command.h"

namespace tvp::cli {

/// `vp list`: workloads, systems, and every key with its unit, default and source.
class ListCommand : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string summary() const override { return "workloads, systems and all keys"; }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  bool limits_ = false;
};

}  // namespace tvp::cli
