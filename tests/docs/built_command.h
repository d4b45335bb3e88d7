#pragma once

#include <string>
#include <vector>

namespace tvp::docs {

/// A command of a page with the programs of this build: `./vp` is the built program, and
/// `build/release` the folder of the build.
inline std::vector<std::string> built_command(std::vector<std::string> command) {
  const std::string folder = "build/release/";
  if (command[0] == "./vp") {
    command[0] = TVP_PROGRAM;
  } else if (command[0].starts_with(folder)) {
    command[0] = TVP_BUILD "/" + command[0].substr(folder.size());
  }
  return command;
}

}  // namespace tvp::docs
