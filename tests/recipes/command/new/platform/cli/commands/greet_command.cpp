#include "platform/cli/commands/greet_command.h"

#include <cstdio>

#include "platform/cli/commands/command_options.h"

namespace tvp::cli {

void GreetCommand::add_options(CommandOptions& options) { options.word("word", word_, "any"); }

int GreetCommand::execute() {
  std::printf("%s\n", word_.c_str());
  return 0;
}

}  // namespace tvp::cli
