#pragma once

#include <memory>
#include <vector>

#include "platform/cli/commands/command.h"

namespace tvp::cli {

/// One object per command, in the order of `vp help`.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace tvp::cli
