#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace tvp::docs {

/// A command of a page with the programs of this build, for any working folder: `./vp` is the built
/// program, and `build/release` the folder of the build. Files of the tree get absolute paths.
inline std::vector<std::string> built_command(std::vector<std::string> command) {
  const std::string folder = "build/release/";
  for (std::string& word : command) {
    if (word == "./vp")
      word = TVP_PROGRAM;
    else if (word.starts_with(folder))
      word = TVP_BUILD "/" + word.substr(folder.size());
    else if (word.find('/') != std::string::npos && std::filesystem::exists(word))
      word = std::filesystem::absolute(word).string();
  }
  return command;
}

/// Variables for commands of pages: the Python module of the tree, with the libraries of this
/// build.
inline std::vector<std::string> page_environment() {
  return {"PYTHONPATH=" + std::filesystem::absolute("sw/python").string(),
          "PYTHONDONTWRITEBYTECODE=1", "TENSIX_VP_HOST_LIBRARY=" TVP_HOST_LIBRARY,
          "TENSIX_VP_PROGRAM=" TVP_PROGRAM};
}

/// False for Python programs in a build with sanitizers, whose libraries no interpreter can load.
inline bool can_run(const std::vector<std::string>& command) {
  return !TVP_SANITIZED || std::find(command.begin(), command.end(), "python3") == command.end();
}

}  // namespace tvp::docs
