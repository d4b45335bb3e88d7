#pragma once

#include "platform/cli/bench_suite.h"
#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// `vp bench`: the benchmarks with their bars.
class BenchCommand : public Command {
 public:
  std::string name() const override { return "bench"; }
  std::string summary() const override {
    return "run the benchmarks and compare them with their limits";
  }
  void add_options(CommandOptions& options) override;
  int execute() override;

 private:
  BenchOptions bench_;
};

}  // namespace tvp::cli
