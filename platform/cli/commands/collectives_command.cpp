#include "platform/cli/commands/collectives_command.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/scratch/scratch_folder.h"
#include "foundation/source_root.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/process_pool.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/run/workload_run.h"
#include "sw/collectives/tool/collectives_tool.h"

namespace tvp::cli {

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Runs a command in a process of its own, because a process has one simulation.
collectives::Metrics run_command(const std::string& command) {
  const foundation::ScratchFolder scratch;
  const std::string report = scratch.path() + "/report.json";
  ChildProcess child{
      .program = own_program(), .arguments = words_of(command), .discard_output = true};
  child.arguments.insert(child.arguments.end(), {"--quiet", "--report", report});
  catch_interrupts();
  const int exit_code = ProcessPool::run_alone(child);
  ChildProcess::check_machine(exit_code, foundation::program_name() + " " + command);
  if (exit_code != 0)
    throw foundation::Fault(foundation::FaultKind::kDescription,
                            foundation::program_name() + " " + command,
                            "ended with " + std::to_string(exit_code));
  std::ifstream file(report);
  const nlohmann::json found = nlohmann::json::parse(file);
  collectives::Metrics metrics;
  for (const auto& [name, metric] : found.at("metrics").items()) metrics[name] = metric.at("value");
  return metrics;
}

}  // namespace

void CollectivesCommand::add_options(CommandOptions& options) {
  options.words("what", words_,
                "list, show op=… algo=… N=…, check FILE, convert FROM TO, findings [about=…], "
                "or tune [op=…] [bytes=…] [type=…]");
  arguments_.add_options(options);
}

int CollectivesCommand::tune(RunOptions options) const {
  options.workload = "collective";
  std::vector<std::pair<std::string, std::string>> keys{{"op", "all"}, {"bytes", "1K:256K:*4"}};
  for (auto word = words_.begin() + 1; word != words_.end(); ++word) {
    const std::size_t sign = word->find('=');
    if (sign == std::string::npos || sign == 0)
      throw foundation::Fault(foundation::FaultKind::kDescription, "argument " + *word,
                              "expected key=value, of the workload 'collective'");
    const std::string key = word->substr(0, sign);
    std::erase_if(keys, [&](const auto& pair) { return pair.first == key; });
    keys.emplace_back(key, word->substr(sign + 1));
  }
  keys.emplace_back("algo", "all");
  for (const auto& [key, value] : keys) options.settings.emplace_back("collective." + key, value);
  const WorkloadRegistry workloads;
  return WorkloadRun(workloads, options).execute();
}

int CollectivesCommand::execute() {
  RunOptions options = arguments_.take();
  if (!words_.empty() && words_[0] == "tune") return tune(std::move(options));
  if (options.system || !options.settings.empty() || options.report_file || options.page_file ||
      options.wave_file || options.trace_file || options.record_file || options.gdb_port ||
      options.max_time_ns || options.device_library || options.lockstep || options.quiet)
    throw foundation::Fault(foundation::FaultKind::kDescription, "collectives",
                            "has options of a run: expected them with 'tune' only");
  print(collectives::collectives_tool(words_, run_command));
  return 0;
}

}  // namespace tvp::cli
