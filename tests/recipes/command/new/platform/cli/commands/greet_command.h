#pragma once

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp greet`: a word on the terminal.
class GreetCommand : public Command {
 public:
  std::string name() const override { return "greet"; }
  std::string summary() const override { return "a word on the terminal"; }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  std::string word_;
};

}  // namespace tvp::cli
