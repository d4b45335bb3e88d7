#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// Names runs that must come out equal: by the built program and library, the sources of firmware
/// and systems that runs read, the settings of the environment, and what a run is started with.
class RunIdentity {
 public:
  RunIdentity();
  /// Of one run; files that a value names count with their content.
  std::string of(const std::vector<std::pair<std::string, std::string>>& settings) const;

 private:
  std::string build_;
};

}  // namespace tvp::cli
