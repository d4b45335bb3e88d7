#include "platform/cli/commands/compare_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/options.h"
#include "sw/report/report_comparison.h"

namespace tvp::cli {

void CompareCommand::add_options(CommandOptions& options) {
  options.word("a", a_, "a report.json");
  options.word("b", b_, "another report.json");
}

int CompareCommand::execute() {
  check_named("compare A", a_);
  check_named("compare B", b_);
  print(report::compare_files(a_, b_));
  return 0;
}

}  // namespace tvp::cli
