#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "platform/cli/bench_command.h"
#include "platform/cli/interrupt.h"
#include "platform/cli/limits.h"
#include "platform/cli/list_command.h"
#include "platform/cli/options.h"
#include "platform/cli/run_command.h"
#include "platform/cli/sweep_command.h"
#include "platform/cli/validate_command.h"
#include "platform/cli/waves_command.h"
#include "platform/cli/workload_registry.h"
#include "sw/report/report_comparison.h"

namespace {

constexpr int kUsage = 2;
constexpr int kInterrupted = 130;

/// `vp exec … -- PROGRAM`: runs it with the library and its settings in the environment.
int exec_command(const std::string& system, const std::vector<std::string>& sets,
                 const std::vector<std::string>& program) {
  std::string text = system.empty() ? "" : "system=" + system + "\n";
  for (const std::string& set : sets) {
    for (const auto& [key, value] : tvp::cli::parse_set(set)) text += key + "=" + value + "\n";
  }
  setenv("TENSIX_VP_CONFIGURE", text.c_str(), 1);
  setenv("TENSIX_VP_LIBRARY", tvp::cli::library_path({}).c_str(), 1);
  setenv("TT_METAL_SIMULATOR", tvp::cli::library_path({}).c_str(), 0);
  std::vector<char*> argv;
  for (const std::string& word : program) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  std::perror(("vp: " + program[0]).c_str());
  return kUsage;
}

int compare_command(const std::string& a, const std::string& b) {
  const auto report_a = tvp::report::read_report(a);
  const auto report_b = tvp::report::read_report(b);
  std::fputs(tvp::report::compare(report_a, report_b).c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  // The kernel of the simulation greets on standard output otherwise.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

  CLI::App app{"tensix-vp: a timed virtual platform of Tenstorrent Wormhole and PIM systems"};
  app.require_subcommand(1);

  tvp::cli::RunOptions run;
  std::vector<std::string> sets;
  std::string max_time;
  std::string wave_from;
  std::string wave_to;
  CLI::App* run_app = app.add_subcommand("run", "run a workload");
  run_app->add_option("workload", run.workload, "see 'vp list'")->required();
  run_app->add_option("--system", run.system, "name of a system, or a TOML file");
  run_app->add_option("--set", sets, "key=value; may repeat, several separated by commas")
      ->allow_extra_args(false);
  run_app->add_option("--seed", run.seed, "seed of everything drawn at random");
  run_app->add_option("--report", run.report_file, "write report.json here");
  run_app->add_option("--page", run.page_file, "write the report as an HTML page here");
  run_app->add_option("--wave", run.wave_file, "write a wave file here, .fst or .vcd");
  run_app->add_option("--trace", run.trace_file,
                      "write trace events here, JSON for Perfetto and Chrome");
  run_app->add_option("--wave-scope", run.wave_scope,
                      "only signals whose path matches, with * and ?; also of a trace");
  run_app->add_option("--wave-from", wave_from, "begin the waves and the trace at this time");
  run_app->add_option("--wave-to", wave_to, "end the waves and the trace at this time");
  run_app->add_option("--gdb", run.gdb_port, "wait for gdb-multiarch on this port")
      ->check(CLI::Range(1, 65535));
  run_app->add_option("--max-time", max_time, "stop at this simulated time, e.g. 500us");
  run_app->add_option("--device", run.device_library, "another library with the same C ABI");
  run_app->add_flag("--lockstep", run.lockstep, "horizons of one cycle; same results, slower");
  run_app->add_flag("--quiet", run.quiet, "no table");

  tvp::cli::SweepOptions sweep;
  std::vector<std::string> varied;
  CLI::App* sweep_app = app.add_subcommand(
      "sweep", "a workload once for each combination of the values of some keys");
  sweep_app->add_option("workload", sweep.run.workload, "see 'vp list'")->required();
  sweep_app
      ->add_option("--vary", varied,
                   "key=a,b,c or key=from:to:step or key=from:to:*factor; may repeat; seed and "
                   "system are keys, too")
      ->allow_extra_args(false)
      ->required();
  sweep_app->add_option("--system", sweep.run.system, "name of a system, or a TOML file");
  sweep_app->add_option("--set", sets, "key=value of all runs")->allow_extra_args(false);
  sweep_app->add_option("--seed", sweep.run.seed, "seed of everything drawn at random");
  sweep_app->add_option("--jobs", sweep.jobs, "runs at a time; without, one a processor")
      ->check(CLI::Range(1U, 1024U));
  sweep_app
      ->add_option("--out", sweep.folder, "folder of the reports and of sweep.json, .csv, .html")
      ->required();
  sweep_app
      ->add_option("--metric", sweep.metrics,
                   "phase or metric to show, by its name in the report; may repeat")
      ->allow_extra_args(false);
  sweep_app->add_option("--max-time", sweep.max_time, "stop each run at this simulated time");
  sweep_app->add_option("--device", sweep.run.device_library,
                        "another library with the same C ABI");
  sweep_app->add_flag("--lockstep", sweep.run.lockstep, "horizons of one cycle");
  sweep_app->add_flag("--quiet", sweep.run.quiet, "no table");

  bool limits = false;
  CLI::App* list_app = app.add_subcommand("list", "workloads, systems and all keys");
  list_app->add_flag("--limits", limits, "what each model ignores or lacks, instead");

  tvp::cli::ValidateOptions validate;
  CLI::App* validate_app =
      app.add_subcommand("validate", "timing beside published measurements of silicon");
  validate_app->add_option("--json", validate.json_file, "write the rows here");
  validate_app->add_option("--only", validate.only, "rows whose text or workload contains this");

  tvp::cli::BenchOptions bench;
  CLI::App* bench_app = app.add_subcommand("bench", "the benchmarks, in CPU seconds");
  bench_app->add_option("name", bench.name, "one of them only");
  bench_app->add_option("--json", bench.json_file, "write the figures here");
  bench_app->add_flag("--short", bench.is_short, "little work: shows that they run, no more");

  std::string compare_a;
  std::string compare_b;
  CLI::App* compare_app = app.add_subcommand("compare", "two reports side by side");
  compare_app->add_option("a", compare_a, "a report.json")->required();
  compare_app->add_option("b", compare_b, "another")->required();

  std::string waves_workload;
  CLI::App* waves_app = app.add_subcommand("waves", "GTKWave on the last waves of a workload");
  waves_app->add_option("workload", waves_workload, "see 'vp list'")->required();

  std::string exec_system;
  std::vector<std::string> exec_program;
  CLI::App* exec_app = app.add_subcommand(
      "exec", "run any host program with the library and its settings in the environment");
  exec_app->add_option("--system", exec_system, "name of a system, or a TOML file");
  exec_app->add_option("--set", sets, "key=value")->allow_extra_args(false);
  exec_app->add_option("program", exec_program, "the program and its arguments, after --")
      ->required();
  exec_app->prefix_command(false);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "vp: %s ('vp --help' shows the usage)\n", error.what());
    return kUsage;
  }

  try {
    if (exec_app->parsed()) return exec_command(exec_system, sets, exec_program);
    if (validate_app->parsed()) return tvp::cli::ValidateCommand(validate).execute();
    if (bench_app->parsed()) return tvp::cli::BenchCommand(bench).execute();
    if (compare_app->parsed()) return compare_command(compare_a, compare_b);
    if (list_app->parsed() && limits) return tvp::cli::list_limits();
    const tvp::cli::WorkloadRegistry workloads;
    if (list_app->parsed()) return tvp::cli::list_command(workloads);
    if (waves_app->parsed()) return tvp::cli::waves_command(workloads, waves_workload);
    for (const std::string& set : sets) {
      for (auto& pair : tvp::cli::parse_set(set)) run.settings.push_back(std::move(pair));
    }
    if (sweep_app->parsed()) {
      sweep.run.settings = std::move(run.settings);
      for (const std::string& axis : varied) sweep.axes.push_back(tvp::cli::parse_axis(axis));
      if (!sweep.max_time.empty()) tvp::cli::parse_time_ns(sweep.max_time);
      return tvp::cli::SweepCommand(workloads, sweep).execute();
    }
    if (!wave_from.empty()) run.wave_from_ns = tvp::cli::parse_time_ns(wave_from);
    if (!wave_to.empty()) run.wave_to_ns = tvp::cli::parse_time_ns(wave_to);
    if (!max_time.empty()) run.max_time_ns = tvp::cli::parse_time_ns(max_time);
    return tvp::cli::RunCommand(workloads, run).execute();
  } catch (const tvp::cli::Interrupted&) {
    std::fprintf(stderr, "vp: interrupted\n");
    return kInterrupted;
  } catch (const tvp::foundation::Fault& fault) {
    std::fprintf(stderr, "vp: %s\n", fault.what());
    return kUsage;
  }
}
