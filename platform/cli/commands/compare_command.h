#pragma once

#include <string>

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp compare`: two reports side by side.
class CompareCommand : public Command {
 public:
  std::string name() const override { return "compare"; }
  std::string summary() const override { return "show two reports side by side"; }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  std::string a_;
  std::string b_;
};

}  // namespace tvp::cli
