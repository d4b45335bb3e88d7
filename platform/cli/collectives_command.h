#pragma once

#include <string>
#include <vector>

#include "platform/cli/command.h"

namespace tvp::cli {

/// `vp collectives`: schedules of collectives without a device (sw/collectives/tool).
class CollectivesCommand : public Command {
 public:
  std::string name() const override { return "collectives"; }
  std::string summary() const override {
    return "schedules of collectives: list, show, check, convert, findings";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  std::vector<std::string> words_;
};

}  // namespace tvp::cli
