#include "platform/cli/commands/record_command.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "foundation/fault.h"
#include "foundation/output_file.h"
#include "foundation/scratch/scratch_folder.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/options.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/process_pool.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kSeeds[] = {1, 2};

}  // namespace

void RecordCommand::add_options(CommandOptions& options) {
  options.word("file", file_, "JSON file to write");
  options.option("--against", against_, "compare with this earlier recording");
  options.option("--program", program_, "record this tensix-vp instead of the running one");
  options.option("--only", only_, "run only workloads whose name contains this text");
  options.option("--jobs", jobs_, {1, 1024},
                 "number of parallel runs; default: number of processors");
}

std::vector<RecordedRun> RecordCommand::wanted() const {
  std::vector<RecordedRun> runs;
  const WorkloadRegistry workloads;
  for (const auto& workload : workloads.all()) {
    if (only_ && workload->name().find(*only_) == std::string::npos) continue;
    for (const bool lockstep : {false, true}) {
      for (const std::uint64_t seed : kSeeds) {
        runs.push_back({.workload = workload->name(), .seed = seed, .lockstep = lockstep});
      }
    }
  }
  if (runs.empty()) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "--only " + only_.value_or(""),
                            "no workload's name contains this");
  }
  return runs;
}

ChildProcess RecordCommand::process(const RecordedRun& run, const std::string& report) const {
  ChildProcess child{.program = program_.value_or(own_program()),
                     .arguments = {"run", run.workload, "--quiet", "--seed",
                                   std::to_string(run.seed), "--report", report},
                     .discard_output = true};
  if (run.lockstep) child.arguments.push_back("--lockstep");
  return child;
}

bool RecordCommand::run(std::vector<RecordedRun>& runs, const std::string& folder) const {
  std::vector<ChildProcess> processes;
  const auto report = [&](std::size_t i) { return folder + "/" + std::to_string(i) + ".json"; };
  for (std::size_t i = 0; i < runs.size(); ++i) processes.push_back(process(runs[i], report(i)));
  ProcessPool pool(jobs_ != 0 ? jobs_ : std::max(1U, std::thread::hardware_concurrency()));
  return pool.run(processes, [&](std::size_t i, int exit_code) {
    ChildProcess::check_machine(exit_code, runs[i].title());
    runs[i].take(exit_code, report(i));
    std::printf("%s: %s\n", runs[i].title().c_str(), runs[i].summary().c_str());
    std::fflush(stdout);
  });
}

int RecordCommand::execute() {
  check_named("record FILE", file_);
  check_named("--against", against_);
  check_named("--program", program_);
  std::optional<Recording> earlier;
  if (against_) earlier = Recording::read(*against_);
  std::vector<RecordedRun> runs = wanted();
  foundation::check_writable(file_, "the recording");
  catch_interrupts();
  const foundation::ScratchFolder scratch;
  if (!run(runs, scratch.path())) return kInterrupted;
  // A workload that needs an input file is not recorded.
  std::erase_if(runs, [](const RecordedRun& run) { return run.exit_code == kUsage; });
  const Recording recording(std::move(runs));
  recording.write(file_);
  std::vector<std::string> differences = recording.contradictions();
  if (earlier) {
    for (std::string& line : recording.differences(*earlier))
      differences.push_back(std::move(line));
  }
  for (const std::string& line : differences) print(line + "\n");
  if (differences.empty()) {
    std::printf(earlier ? "nothing moved\n" : "%zu runs recorded\n", recording.runs().size());
  }
  return differences.empty() ? 0 : 1;
}

}  // namespace tvp::cli
