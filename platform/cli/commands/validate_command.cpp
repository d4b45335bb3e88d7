#include "platform/cli/commands/validate_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"

namespace tvp::cli {

void ValidateCommand::add_options(CommandOptions& options) {
  options.option("--json", validation_.json_file, "write the rows to this JSON file");
  options.option("--page", validation_.page_file,
                 "write tables, plots and known errors of the models to this HTML file");
  options.option("--deviations", validation_.deviations, {0, 1000},
                 "number of rows that may exceed their tolerance before the exit code is 1");
  options.option("--only", validation_.only,
                 "check only rows of this family, or whose name or run contains this text");
  options.option("--table", validation_.tables,
                 "check rows of this TOML file instead of the built-in tables; may repeat");
}

int ValidateCommand::execute() {
  check_named("--json", validation_.json_file);
  check_named("--page", validation_.page_file);
  check_named("--only", validation_.only);
  for (const std::string& table : validation_.tables) check_named("--table", table);
  return Validation(validation_).execute();
}

}  // namespace tvp::cli
