#include "platform/cli/commands/sweep_command.h"

#include "foundation/fault.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/sweep/sweep.h"

namespace tvp::cli {

namespace {

[[noreturn]] void bad(const std::string& option, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, option, text);
}

}  // namespace

void SweepCommand::add_options(CommandOptions& options) {
  using Need = CommandOptions::Need;
  options.word("workload", sweep_.run.workload, "name of a workload; the command list shows all");
  options.option("--vary", sweep_.varied,
                 "key=a,b,c or key=from:to:step, with *factor, logN, randomN or lhsN in place of "
                 "the step; may repeat; 'seed' and 'system' are keys, too",
                 Need::kRequired);
  options.option("--where", sweep_.where,
                 "condition between keys, as in 'a*b <= 64'; skips other runs; may repeat");
  options.option("--system", sweep_.run.system, "name of a system or a TOML file");
  options.option("--set", sets_, "key=value for all runs; may repeat");
  options.option("--seed", seed_, "seed of all random numbers");
  options.option(
      "--jobs", sweep_.jobs, {.from = 1, .to = 1024},
      "number of parallel runs, with --mpi for each rank; default: number of processors, "
      "with --mpi 1");
  options.flag("--slurm", sweep_.slurm, "execute the runs as a job array of Slurm");
  options.option("--sbatch", sweep_.sbatch,
                 "further option of the job array, as in --sbatch=--partition=long; may repeat");
  options.flag("--mpi", sweep_.mpi, "share the runs among the ranks that mpirun has started");
  options.flag("--join", sweep_.join, "help the process that leads the sweep in this folder");
  options.option("--out", sweep_.folder,
                 "folder for the reports, the tables sweep.csv, sweep.sqlite, sweep.parquet and "
                 "failed.csv, sweep.json and sweep.html",
                 Need::kRequired);
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
  for (const std::string& axis : sweep_.varied) sweep_.axes.push_back(parse_axis(axis));
  if (sweep_.mpi + sweep_.slurm + sweep_.join > 1)
    bad("--mpi, --slurm, --join", "expected at most one of them");
  if (!sweep_.sbatch.empty() && !sweep_.slurm) bad("--sbatch", "expected --slurm beside it");
  if (seed_) {
    for (const SweepAxis& axis : sweep_.axes) {
      if (axis.key == "seed") bad("--vary seed", "is given by --seed, too");
    }
    sweep_.run.seed = parse_seed(*seed_);
  }
  if (sweep_.max_time) parse_time_ns("--max-time", *sweep_.max_time);
  return Sweep(workloads, sweep_).execute();
}

}  // namespace tvp::cli
