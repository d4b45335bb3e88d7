#include "platform/cli/commands/replay_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/workload_run.h"
#include "sw/replay/replay.h"

namespace tvp::cli {

void ReplayCommand::add_options(CommandOptions& options) {
  options.word("file", file_, "recording that --record has written");
  options.option("--elf", elfs_,
                 "[CHIP:][X,Y:]PROCESSOR=FILE: symbols of a core's program, for reports and gdb");
  arguments_.add_options(options);
}

int ReplayCommand::execute() {
  check_named("replay FILE", file_);
  RunOptions options = arguments_.take();
  options.inputs.emplace_back("replay", file_);
  for (const std::string& elf : elfs_) {
    options.inputs.emplace_back("--elf", elf.substr(elf.find('=') + 1));
  }
  replay::Replay replay({.file = file_, .elfs = elfs_, .between = check_interrupted});
  return WorkloadRun(replay, options).execute();
}

}  // namespace tvp::cli
