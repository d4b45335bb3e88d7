#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/cli/commands/command.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/run/recording.h"

namespace tvp::cli {

/// `vp record`: writes simulated times, digests and metrics of every workload to one file, so that
/// two builds can be compared to the picosecond.
class RecordCommand : public Command {
 public:
  std::string name() const override { return "record"; }
  std::string summary() const override {
    return "record times and digests of every workload, to compare two builds";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  std::vector<RecordedRun> wanted() const;
  /// Runs all of them and reads their reports. False after a Ctrl-C.
  bool run(std::vector<RecordedRun>& runs, const std::string& folder) const;
  ChildProcess process(const RecordedRun& run, const std::string& report) const;

  std::string file_;
  std::optional<std::string> against_;
  std::optional<std::string> program_;
  std::optional<std::string> only_;
  unsigned jobs_ = 0;
};

}  // namespace tvp::cli
