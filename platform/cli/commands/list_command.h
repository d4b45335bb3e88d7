#pragma once

#include <optional>
#include <string>

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp list`: workloads, systems, and every key with its unit, default and source, or those that a
/// pattern picks; a system by name is drawn, or written as descriptors of tt-umd's.
class ListCommand : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string summary() const override {
    return "list workloads, systems and keys, or show a system";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  void check_together() const;
  bool names_a_system() const;
  int list_system() const;
  int list_catalogue() const;

  std::optional<std::string> what_;
  std::optional<std::string> descriptors_;  ///< folder
  bool json_ = false;
  bool limits_ = false;
};

}  // namespace tvp::cli
