#include "platform/cli/validate_command.h"

#include "platform/cli/command_options.h"

namespace tvp::cli {

void ValidateCommand::add_options(CommandOptions& options) {
  options.option("--json", validation_.json_file, "write the rows here");
  options.option("--only", validation_.only, "rows whose name, family or run contains this");
  options.option("--table", validation_.tables,
                 "rows of this TOML file instead of those that belong to the program; may repeat");
}

int ValidateCommand::execute() { return Validation(validation_).execute(); }

}  // namespace tvp::cli
