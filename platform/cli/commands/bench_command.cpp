#include "platform/cli/commands/bench_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"

namespace tvp::cli {

void BenchCommand::add_options(CommandOptions& options) {
  options.word("name", bench_.name, "run this benchmark only");
  options.option("--json", bench_.json_file, "write the results to this JSON file");
  options.flag("--short", bench_.is_short,
               "run briefly: tests that the benchmarks work, no valid results");
}

int BenchCommand::execute() {
  check_named("--json", bench_.json_file);
  return BenchSuite(bench_).execute();
}

}  // namespace tvp::cli
