#include "platform/cli/collectives_command.h"

#include <cstdio>

#include "platform/cli/command_options.h"
#include "sw/collectives/tool/collectives_tool.h"

namespace tvp::cli {

void CollectivesCommand::add_options(CommandOptions& options) {
  options.words("what", words_,
                "list, show op=… algo=… N=…, check FILE, convert FROM TO, or findings [about=…]");
}

int CollectivesCommand::execute() {
  std::fputs(collectives::collectives_tool(words_).c_str(), stdout);
  return 0;
}

}  // namespace tvp::cli
