#include "platform/cli/commands/run_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/run/workload_run.h"

namespace tvp::cli {

void RunCommand::add_options(CommandOptions& options) {
  options.word("workload", workload_, "name of a workload; the command list shows all");
  options.option("--seed", seed_, "seed of all random numbers");
  arguments_.add_options(options);
}

int RunCommand::execute() {
  const WorkloadRegistry workloads;
  RunOptions options = arguments_.take();
  options.workload = workload_;
  if (seed_) options.seed = parse_seed(*seed_);
  return WorkloadRun(workloads, options).execute();
}

}  // namespace tvp::cli
