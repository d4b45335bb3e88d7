#include "platform/cli/commands/validate_command.h"

#include "platform/cli/commands/command_options.h"
#include "platform/cli/options.h"

namespace tvp::cli {

void ValidateCommand::add_options(CommandOptions& options) {
  options.option("--json", validation_.json_file, "write the rows here");
  options.option("--page", validation_.page_file,
                 "write families, pictures and what the models are known to miss here, as HTML");
  options.option("--deviations", validation_.deviations, {0, 1000},
                 "rows that may be known to be off before the exit code is 1");
  options.option("--only", validation_.only,
                 "rows of this family, or whose name or run contains this");
  options.option("--table", validation_.tables,
                 "rows of this TOML file instead of those that belong to the program; may repeat");
}

int ValidateCommand::execute() {
  check_named("--json", validation_.json_file);
  check_named("--page", validation_.page_file);
  check_named("--only", validation_.only);
  for (const std::string& table : validation_.tables) check_named("--table", table);
  return Validation(validation_).execute();
}

}  // namespace tvp::cli
