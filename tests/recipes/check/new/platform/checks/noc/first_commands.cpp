#include "platform/checks/noc/first_commands.h"

#include <string>

namespace tvp::checks {

void FirstCommands::on(const ProbeEvent& event) {
  if (!seen_.insert(event.core).second) return;
  warn(event.core, "starts its first command, of " + std::to_string(event.bytes) + " bytes" +
                       at(event.core, event.pc));
}

}  // namespace tvp::checks
