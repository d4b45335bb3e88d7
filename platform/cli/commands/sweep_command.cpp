#include "platform/cli/commands/sweep_command.h"

#include "foundation/fault.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/sweep/sweep.h"

namespace tvp::cli {

void SweepCommand::add_options(CommandOptions& options) {
  using Need = CommandOptions::Need;
  options.word("workload", sweep_.run.workload, "name of a workload; the command list shows all");
  options.option("--vary", varied_,
                 "key=a,b,c or key=from:to:step or key=from:to:*factor; may repeat; 'seed' and "
                 "'system' are keys, too",
                 Need::kRequired);
  options.option("--system", sweep_.run.system, "name of a system or a TOML file");
  options.option("--set", sets_, "key=value for all runs; may repeat");
  options.option("--seed", seed_, "seed of all random numbers");
  options.option("--jobs", sweep_.jobs, {.from = 1, .to = 1024},
                 "number of parallel runs; default: number of processors");
  options.option("--out", sweep_.folder,
                 "folder for the reports, sweep.json, sweep.csv and sweep.html", Need::kRequired);
  options.option("--metric", sweep_.metrics,
                 "phase or metric to show, named as in the report; may repeat");
  options.option("--max-time", sweep_.max_time, "stop each run at this simulated time");
  options.option("--device", sweep_.run.device_library, "use this library with the same C ABI");
  options.flag("--lockstep", sweep_.run.lockstep,
               "synchronize after every cycle: same results, slower");
  options.flag("--quiet", sweep_.run.quiet, "print no table");
}

int SweepCommand::execute() {
  check_named("--out", sweep_.folder);
  check_named("--system", sweep_.run.system);
  check_named("--device", sweep_.run.device_library);
  const WorkloadRegistry workloads;
  sweep_.run.settings = parse_sets(sets_);
  for (const std::string& axis : varied_) sweep_.axes.push_back(parse_axis(axis));
  if (seed_) {
    for (const SweepAxis& axis : sweep_.axes) {
      if (axis.key == "seed")
        throw foundation::Fault(foundation::FaultKind::kDescription, "--vary seed",
                                "is given by --seed, too");
    }
    sweep_.run.seed = parse_seed(*seed_);
  }
  if (sweep_.max_time) parse_time_ns("--max-time", *sweep_.max_time);
  return Sweep(workloads, sweep_).execute();
}

}  // namespace tvp::cli
